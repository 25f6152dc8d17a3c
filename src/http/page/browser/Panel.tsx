// A panel of the page: heading, content, its age and source, its error, and how to use its data elsewhere.
import type { ComponentChildren } from "preact"
import type { Answer } from "./Answer.ts"
import type { Problem } from "./Answers.ts"
import { span } from "./Clock.ts"
import { Age, Out, Unseen, useSeconds } from "./Pieces.tsx"
import { Uses } from "./Uses.tsx"

/** Counts down to the next attempt. */
const Countdown = ({ answer }: { readonly answer: Answer<unknown> }) => {
  useSeconds()
  if (answer.due === undefined) return null
  const left = Math.ceil((answer.due - Date.now()) / 1000)
  return (
    <p class="soft">
      {left > 0 ? `Tries again by itself in ${span(left)}. ` : "Trying again… "}
      <button type="button" onClick={answer.refresh}>
        Try now
      </button>
    </p>
  )
}

interface Choosing {
  /** Takes the id of a suggested coin; without it no suggestions are shown. */
  readonly choose?: ((id: string) => void) | undefined
}

const Choices = ({ choose, problem }: Choosing & { readonly problem: Problem }) => {
  const { suggestions = [] } = problem
  if (choose === undefined || suggestions.length === 0) return null
  return (
    <>
      <p>Did you mean:</p>
      <ul class="choices">
        {suggestions.map(({ id, name, symbol }) => (
          <li key={id}>
            <button type="button" onClick={() => choose(id)}>
              {name} ({symbol})
            </button>
          </li>
        ))}
      </ul>
    </>
  )
}

/** A problem in the API's own words, with what the user can do. */
export const ProblemView = ({ answer, choose }: Choosing & { readonly answer: Answer<unknown> }) => {
  const { problem } = answer
  if (problem === undefined) return null
  const hasData = answer.data !== undefined
  return (
    <div class="problem">
      <p>
        <strong>{hasData ? `Not refreshed: ${problem.title}` : problem.title}</strong>
      </p>
      {problem.errors === undefined ? (
        <p>{problem.detail}</p>
      ) : (
        <ul>
          {problem.errors.map(({ detail, parameter }) => (
            <li key={parameter}>
              <code>{parameter}</code> {detail}
            </li>
          ))}
        </ul>
      )}
      <Choices problem={problem} choose={choose} />
      <Countdown answer={answer} />
      {problem.type !== undefined && (
        <p class="soft">
          <Out to={new URL(problem.type, document.baseURI).href}>About this error</Out>
          {Number(problem.status) === 500 && ` · request ${problem.instance}`}
        </p>
      )}
    </div>
  )
}

/** In the place of what comes. */
export const Waiting = () => (
  <div class="wait">
    <Unseen>Loading…</Unseen>
    <i />
    <i />
    <i />
  </div>
)

interface PanelOptions<Data> extends Choosing {
  readonly id: string
  readonly title: string
  readonly answer: Answer<Data>
  /** Seconds after which the data is marked stale. Omitted if the content shows the age. */
  readonly staleAfter?: number
  /** Beside the heading. */
  readonly aside?: ComponentChildren
  /** Above the content, even while there is none. */
  readonly controls?: ComponentChildren
  readonly children: (data: Data) => ComponentChildren
}

export const Panel = <Data,>({
  answer,
  aside,
  children,
  choose,
  controls,
  id,
  staleAfter,
  title
}: PanelOptions<Data>) => {
  const { data, meta, path, problem } = answer
  const isWaiting = path !== null && data === undefined && problem === undefined
  return (
    <section class="panel" id={id} aria-labelledby={`${id}-title`} aria-busy={isWaiting}>
      <header>
        <h2 id={`${id}-title`}>{title}</h2>
        {aside}
      </header>
      {controls}
      <ProblemView answer={answer} choose={choose} />
      <div class="body">{data === undefined ? isWaiting && <Waiting /> : children(data)}</div>
      {path !== null && (
        <footer class="from">
          {meta !== undefined && (
            <span class="stamp" title={meta.source}>
              {staleAfter !== undefined && (
                <>
                  <Unseen>Observed</Unseen> <Age at={meta.updated} staleAfter={staleAfter} /> ·{" "}
                </>
              )}
              {meta.source}
            </span>
          )}
          <Uses path={path} title={title} />
        </footer>
      )}
    </section>
  )
}
