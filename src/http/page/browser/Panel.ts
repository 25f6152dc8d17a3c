// A panel of the page: what all of them share. It asks for its path, shows the answer with its source and age, the `curl` that
// returns it, and problems. Nothing is refreshed by itself: the quota may be shared by everyone behind one IP address.
import type { Meta, Problem, Result } from "./Answers.ts"
import { absolute, age, everySecond, secondsSince } from "./Clock.ts"
import { button, type Content, find, flat, h, say, unseen } from "./Elements.ts"
import { copyButton, curl, usesView } from "./Lines.ts"
import { problemView } from "./ProblemView.ts"
import { ask } from "./Request.ts"

interface PanelOptions<Data> {
  /** Of the section in the page's markup. */
  readonly id: string
  /** Seconds after which the data is called stale. */
  readonly staleAfter: number | ((data: Data) => number)
  readonly show: (data: Data) => Content
  /** Whether an answer holds no observation: its stamp would be of none. */
  readonly isEmpty?: (data: Data) => boolean
  /** What a problem of this panel does not affect. */
  readonly aside?: string
  /** Takes the id of a suggested coin. */
  readonly choose?: (id: string) => unknown
  /** Is told of the problem of each response; null for an answer. */
  readonly onResponse?: (problem: Problem | null) => void
}

const stampOf = (meta: Meta, staleAfter: number): Content => {
  const mark = h("span", { class: "stale" })
  everySecond(mark, () => (mark.textContent = secondsSince(meta.updated) > staleAfter ? " · stale" : ""))
  return [h("p", meta.source), h("p", "Observed ", age(meta.updated), mark), h("p", absolute(meta.updated))]
}

export const makePanel = <Data>({
  aside,
  choose,
  id,
  isEmpty = () => false,
  onResponse = () => {},
  show,
  staleAfter
}: PanelOptions<Data>) => {
  const section = find(HTMLElement, `#${id}`)
  const title = find(HTMLElement, "h2", section).textContent
  const body = find(HTMLElement, ".body", section)
  const stamp = find(HTMLElement, ".stamp", section)
  const code = find(HTMLElement, ".curl code", section)
  const json = find(HTMLAnchorElement, ".acts a", section)

  const uses = h("div")
  let path = json.getAttribute("href") ?? "/"
  /** Counts the requests: only the response of the last one is shown. */
  let requests = 0

  const point = (next: string) => {
    path = next
    json.href = next
    code.replaceChildren(...flat(curl(next)))
    uses.replaceChildren(...flat(usesView(next, title)))
  }

  const request = async (): Promise<Result<Data> | undefined> => {
    const mine = ++requests
    body.ariaBusy = "true"
    if (body.firstChild === null) body.append(h("p", { class: "wait" }, "Loading…"))
    const result = await ask<Data>(path)
    return mine === requests ? result : undefined
  }

  const showAnswer = (data: Data, meta: Meta) => {
    body.replaceChildren(...flat(show(data)))
    stamp.replaceChildren(
      ...flat(isEmpty(data) ? null : stampOf(meta, typeof staleAfter === "number" ? staleAfter : staleAfter(data)))
    )
    if (meta.source.includes("(sandbox)")) find(HTMLElement, "#sandbox").hidden = false
  }

  /** Shows the response; what this page fails to show is a problem too. */
  const problemIn = (result: Result<Data>): Problem | null => {
    if (!result.ok) return result.problem
    try {
      showAnswer(result.data, result.meta)
      return null
    } catch (error) {
      reportError(error)
      return { title: "This page cannot show the answer", detail: String(error) }
    }
  }

  const showProblem = (problem: Problem, keepsAnswer: boolean) => {
    const tryAgain = () => {
      refresh.focus()
      return askAgain()
    }
    const view = problemView(problem, { aside, choose, tryAgain })
    if (keepsAnswer) {
      body.querySelector(".problem, .wait")?.remove()
      body.prepend(view)
    } else {
      body.replaceChildren(view)
      stamp.replaceChildren()
    }
  }

  /** Asks once. Where it fails, what is shown may stay: its age stands beside it. */
  const update = async (options: {
    readonly keepsAnswer: boolean
    readonly summarize?: (data: Data) => string
  }): Promise<void> => {
    const result = await request()
    if (result === undefined) return
    const problem = problemIn(result)
    onResponse(problem)
    if (problem !== null) showProblem(problem, options.keepsAnswer)
    if (options.summarize !== undefined) {
      if (problem !== null) say(`${problem.title}. ${problem.detail ?? ""}`)
      else if (result.ok) say(options.summarize(result.data))
    }
    body.ariaBusy = "false"
  }

  const askAgain = () => update({ keepsAnswer: true, summarize: () => `${title}: updated` })
  const refresh = button(askAgain, "Refresh", unseen(` ${title}`))
  refresh.className = "refresh"
  const copy = copyButton(code, `the curl command of ${title}`)
  copy.className = "copy"
  json.before(copy, refresh)
  find(HTMLElement, ".from", section).append(
    h("details", { class: "uses" }, h("summary", "Use it elsewhere", unseen(`: ${title}`)), uses)
  )
  point(path)

  return {
    /** Asks for the panel's path for the first time. */
    load: () => update({ keepsAnswer: false }),
    /** Asks for another path; `summarize` says its answer to a screen reader. */
    go: (next: string, summarize: (data: Data) => string) => {
      point(next)
      return update({ keepsAnswer: false, summarize })
    }
  }
}
