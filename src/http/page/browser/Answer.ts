// The API's answers on the page. Each is polled while a component uses it and the page is visible; the browser revalidates it by its
// ETag. A failed request is retried with backoff, and at once when the connection is back.
import { useEffect, useReducer } from "preact/hooks"
import type { Meta, Problem } from "./Answers.ts"
import { waitFor } from "./Clock.ts"
import { ask } from "./Request.ts"

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

interface Entry extends Mutable<Answer<unknown>> {
  isAsking: boolean
  failures: number
  timer: ReturnType<typeof setTimeout> | undefined
  readonly every: number
  readonly watchers: Set<() => void>
}

const entries = new Map<string, Entry>()

/** Above this many entries, those without watchers are dropped. */
const KEPT = 40

/** The longest pause between retries, seconds. The pauses are 5, 10, 20, 40, then 60 s. */
const LONGEST_PAUSE = 60

/** Seconds until the next request; `undefined` if the request itself is wrong and would fail again. */
const pauseOf = ({ every, failures, problem }: Entry): number | undefined => {
  if (problem === undefined) return every
  if (problem.retryAfter !== undefined) return problem.retryAfter
  const isFault = problem.code !== undefined && Number(problem.status) < 500
  return isFault ? undefined : Math.min(LONGEST_PAUSE, 2.5 * 2 ** failures)
}

const plan = (entry: Entry): void => {
  clearTimeout(entry.timer)
  const pause = pauseOf(entry)
  if (entry.due === undefined || pause === undefined || entry.watchers.size === 0 || document.hidden) return
  entry.timer = setTimeout(entry.refresh, waitFor(entry.due, pause))
}

const load = async (path: string, entry: Entry): Promise<void> => {
  if (entry.isAsking) return
  entry.isAsking = true
  const { problem, ...answered } = await ask<unknown>(path)
  Object.assign(entry, answered)
  entry.isAsking = false
  entry.problem = problem
  entry.failures = problem === undefined ? 0 : entry.failures + 1
  const pause = pauseOf(entry)
  entry.due = pause === undefined ? undefined : Date.now() + 1000 * pause
  plan(entry)
  for (const watcher of entry.watchers) watcher()
}

document.addEventListener("visibilitychange", () => entries.forEach(plan))
addEventListener("online", () => {
  for (const { problem, refresh, watchers } of entries.values()) {
    if (problem !== undefined && watchers.size > 0) refresh()
  }
})

const none: Answer<never> = { path: null, refresh: () => undefined }

const entryOf = (path: string, every: number): Entry => {
  const known = entries.get(path)
  if (known !== undefined) return known
  for (const [old, { watchers }] of entries) if (entries.size > KEPT && watchers.size === 0) entries.delete(old)
  const refresh = () => void load(path, made)
  const made: Entry = {
    path,
    refresh,
    every,
    isAsking: false,
    failures: 0,
    timer: undefined,
    watchers: new Set()
  }
  entries.set(path, made)
  return made
}

/** The answer of a path, polled every `every` seconds. No request for `null`. */
export const useAnswer = <Data>(path: string | null, every: number): Answer<Data> => {
  const [, redraw] = useReducer((drawn: number) => drawn + 1, 0)
  const entry = path === null ? undefined : entryOf(path, every)
  useEffect(() => {
    if (path === null || entry === undefined) return undefined
    const watcher = () => redraw(undefined)
    entries.set(path, entry)
    entry.watchers.add(watcher)
    if (entry.due !== undefined && entry.due > Date.now()) plan(entry)
    else entry.refresh()
    return () => {
      entry.watchers.delete(watcher)
      if (entry.watchers.size === 0) clearTimeout(entry.timer)
    }
  }, [path])
  return (entry ?? none) as Answer<Data>
}
