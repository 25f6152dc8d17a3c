// A problem in the API's own words, with what the user can do: correct a parameter, choose a suggestion, or try again.
import type { Problem } from "./Answers.ts"
import { countdown } from "./Clock.ts"
import { button, type Content, h, link, small } from "./Elements.ts"

interface Actions {
  /** Shown with a problem that may pass. */
  readonly aside: string | undefined
  readonly tryAgain: () => unknown
  /** Takes the id of a suggested coin; without it no suggestions are shown. */
  readonly choose: ((id: string) => unknown) | undefined
}

const explanation = ({ detail, errors }: Problem): Content => {
  const faults = errors?.map((error) => h("li", h("code", error.parameter), ` ${error.detail}`))
  return faults === undefined ? h("p", detail) : h("ul", { class: "choices" }, faults)
}

const choices = ({ suggestions = [] }: Problem, choose: Actions["choose"]): Content => {
  if (choose === undefined || suggestions.length === 0) return null
  const buttons = suggestions.map(({ id, name, symbol }) =>
    button(() => choose(id), h("code", id), ` ${name} (${symbol})`)
  )
  const items = buttons.map((each) => h("li", each))
  return [h("p", "Did you mean:"), h("ul", { class: "choices" }, items)]
}

/** A longer wait than this, in seconds, is a state of the server that does not pass by itself. */
const LONGEST_WAIT = 600

/** The fault is not in the request: the server's, or not the API's. */
const isOutage = ({ code, retryAfter }: Problem): boolean => retryAfter !== undefined || code === undefined

/** The same request may succeed soon. */
const mayPass = (problem: Problem): boolean => isOutage(problem) && (problem.retryAfter ?? 0) <= LONGEST_WAIT

export const problemView = (problem: Problem, { aside, choose, tryAgain }: Actions): HTMLElement =>
  h(
    "div",
    { class: "problem" },
    h("p", h("strong", problem.title)),
    explanation(problem),
    choices(problem, choose),
    isOutage(problem) && aside !== undefined ? h("p", aside) : null,
    mayPass(problem) ? countdown(problem.retryAfter ?? 0, () => button(tryAgain, "Try again")) : null,
    problem.type === undefined
      ? null
      : h("p", link(problem.type, "About this error"), small(` · HTTP ${problem.status} · request ${problem.instance}`))
  )
