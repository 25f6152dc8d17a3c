// The API's answers on the page. The document has the first ones. Later ones are asked for while a component uses them and the page is
// visible, all that are due in one request, and no more often than the budget allows.
import { useEffect, useReducer } from "preact/hooks"
import type { Meta, Problem, Result } from "./Answers.ts"
import { budgetFrom, PERIOD } from "./Budget.ts"
import { ask, firstResults } from "./Request.ts"

export interface Answer<Data> {
  readonly path: string | null
  readonly data?: Data | undefined
  readonly meta?: Meta
  /** Of the last request. `data` may still be that of an earlier one. */
  readonly problem?: Problem | undefined
  /** The time of the next request, epoch milliseconds of the user's clock. */
  readonly due?: number | undefined
  readonly refresh: () => void
}

type Mutable<Type> = { -readonly [Key in keyof Type]: Type[Key] }

interface Entry extends Mutable<Omit<Answer<unknown>, "due">> {
  readonly path: string
  /** Of the last answer, epoch milliseconds; 0 for none that may stay. */
  taken: number
  isAsked: boolean
  failures: number
  /** Seconds. */
  every: number
  readonly due: number | undefined
  readonly watchers: Set<() => void>
}

const entries = new Map<string, Entry>()

/** Above this many entries, those without watchers are dropped. */
const KEPT = 60

/** The most paths of a request. */
const MOST = 16

/** What is due within so many seconds goes with a request. */
const SOON = 15

/** The shortest and the longest pause after a failure, seconds. The pauses double. */
const SHORTEST_PAUSE = 5
const LONGEST_PAUSE = 60

const budget = budgetFrom(Date.now())

const afterFailures = (failures: number, { retryAfter = 0 }: Problem): number =>
  Math.max(retryAfter, Math.min(LONGEST_PAUSE, (SHORTEST_PAUSE / 2) * 2 ** failures))

/** The time of the next request; `undefined` if the request itself is wrong and would fail again. */
const dueOf = ({ every, failures, problem, taken }: Entry): number | undefined => {
  if (taken === 0 || problem === undefined) return taken === 0 ? 0 : taken + 1000 * every
  const isFault = problem.code !== undefined && Number(problem.status) < 500
  return isFault ? undefined : taken + 1000 * afterFailures(failures, problem)
}

/** How the page and its server get on. */
export const connection: Mutable<Answer<undefined>> & { failures: number; readonly watchers: Set<() => void> } = {
  path: null,
  failures: 0,
  watchers: new Set(),
  refresh: () => {
    for (const entry of entries.values()) if (entry.problem !== undefined) entry.taken = 0
    connection.due = undefined
    plan()
  }
}

const watched = (): Array<Entry> =>
  [...entries.values()].filter(({ due, isAsked, watchers }) => watchers.size > 0 && due !== undefined && !isAsked)

/** Later than its pause only if the user's clock was set back. */
const isDue = (entry: Entry, now: number): boolean => {
  const { due = Infinity } = entry
  return due <= now + 1000 * SOON || due > now + 1000 * Math.max(entry.every, LONGEST_PAUSE)
}

let timer: ReturnType<typeof setTimeout> | undefined

const plan = (): void => {
  clearTimeout(timer)
  const waiting = watched()
  if (waiting.length === 0 || document.hidden) return
  const now = Date.now()
  const first = Math.min(...waiting.map(({ due = Infinity }) => due)) - now
  const held = Math.max(budget.wait(now), (connection.due ?? 0) - now)
  timer = setTimeout(send, Math.min(1000 * PERIOD, Math.max(0, first, held)))
  // Says why a figure is missing.
  const isHeld = held > 1000 && waiting.some(({ data, problem }) => data === undefined && problem === undefined)
  if (isHeld && connection.problem === undefined) {
    say({ title: "One moment", detail: "This page asks its server at most 120 times an hour." }, now + held)
  }
}

const say = (problem: Problem | undefined, due?: number): void => {
  connection.problem = problem
  connection.due = due
  for (const watcher of connection.watchers) watcher()
}

const take = (entry: Entry, { problem, ...answered }: Result<unknown>, now: number): void => {
  Object.assign(entry, answered)
  entry.problem = problem
  entry.failures = problem === undefined ? 0 : entry.failures + 1
  entry.taken = now
}

const send = async (): Promise<void> => {
  const now = Date.now()
  const asked = watched()
    .filter((entry) => isDue(entry, now))
    .slice(0, MOST)
  if (asked.length === 0 || budget.wait(now) > 0) return plan()
  budget.spend(now)
  for (const entry of asked) entry.isAsked = true
  const results = await ask(asked.map(({ path }) => path))
  for (const entry of asked) entry.isAsked = false
  const then = Date.now()
  if ("title" in results) {
    say(results, then + 1000 * afterFailures(++connection.failures, results))
  } else {
    connection.failures = 0
    say(undefined)
    for (const entry of asked) take(entry, results.get(entry.path) ?? { problem: { title: "No answer" } }, then)
  }
  plan()
  for (const { watchers } of asked) for (const watcher of watchers) watcher()
}

document.addEventListener("visibilitychange", plan)
addEventListener("online", () => {
  say(undefined)
  connection.refresh()
})

const entryOf = (path: string): Entry => {
  const known = entries.get(path)
  if (known !== undefined) return known
  for (const [old, { watchers }] of entries) if (entries.size > KEPT && watchers.size === 0) entries.delete(old)
  const made: Entry = {
    path,
    refresh: () => {
      made.taken = 0
      plan()
    },
    get due() {
      return dueOf(made)
    },
    taken: 0,
    every: Infinity,
    isAsked: false,
    failures: 0,
    watchers: new Set()
  }
  entries.set(path, made)
  return made
}

for (const [path, result] of firstResults()) take(entryOf(path), result, Date.now())

const none: Answer<never> = { path: null, refresh: () => undefined }

/** Redraws the component when the watched thing changes. */
export const useRedraw = (watchers: Set<() => void> | undefined): void => {
  const [, redraw] = useReducer((drawn: number) => drawn + 1, 0)
  useEffect(() => {
    const watcher = () => redraw(undefined)
    watchers?.add(watcher)
    plan()
    return () => {
      watchers?.delete(watcher)
      plan()
    }
  }, [watchers])
}

/** The answer of a path, refreshed every `every` seconds. No request for `null`. */
export const useAnswer = <Data>(path: string | null, every: number): Answer<Data> => {
  const entry = path === null ? undefined : entryOf(path)
  if (entry !== undefined) entry.every = every
  useRedraw(entry?.watchers)
  return (entry ?? none) as Answer<Data>
}
