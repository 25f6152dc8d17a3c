// The answers that the page shows. Each is asked for again while someone looks at it and the page is visible; the browser revalidates it
// by its ETag. A failed one is asked for again by itself, and at once when the connection is back.
import { useEffect, useReducer } from "preact/hooks"
import type { Meta, Problem } from "./Answers.ts"
import { ask } from "./Request.ts"

export interface Answer<Data> {
  readonly path: string | null
  readonly data: Data | undefined
  readonly meta: Meta | undefined
  /** Of the last request; the data of the one before may still be there. */
  readonly problem: Problem | undefined
  /** When it is asked for again, epoch milliseconds of the user's clock. */
  readonly due: number | undefined
  readonly refresh: () => void
}

interface Entry {
  data: unknown
  meta: Meta | undefined
  problem: Problem | undefined
  isAsking: boolean
  failures: number
  due: number | undefined
  timer: ReturnType<typeof setTimeout> | undefined
  readonly every: number
  readonly watchers: Set<() => void>
}

const entries = new Map<string, Entry>()

/** So many answers that nobody looks at are kept. */
const KEPT = 40

/** Seconds between attempts after failures: 5, 10, 20, 40, then 60. */
const LONGEST_PAUSE = 60

/** Seconds until the next request; none where it would fail again: the request itself is wrong. */
const pauseOf = ({ every, failures, problem }: Entry): number | undefined => {
  if (problem === undefined) return every
  if (problem.retryAfter !== undefined) return problem.retryAfter
  const isFault = problem.code !== undefined && Number(problem.status) < 500
  return isFault ? undefined : Math.min(LONGEST_PAUSE, 2.5 * 2 ** failures)
}

const plan = (path: string, entry: Entry): void => {
  clearTimeout(entry.timer)
  if (entry.due === undefined || entry.watchers.size === 0 || document.hidden) return
  entry.timer = setTimeout(() => void load(path, entry), Math.max(0, entry.due - Date.now()))
}

const load = async (path: string, entry: Entry): Promise<void> => {
  if (entry.isAsking) return
  entry.isAsking = true
  const result = await ask<unknown>(path)
  entry.isAsking = false
  entry.problem = result.ok ? undefined : result.problem
  entry.failures = result.ok ? 0 : entry.failures + 1
  if (result.ok) {
    entry.data = result.data
    entry.meta = result.meta
  }
  const pause = pauseOf(entry)
  entry.due = pause === undefined ? undefined : Date.now() + 1000 * pause
  plan(path, entry)
  for (const watcher of entry.watchers) watcher()
}

document.addEventListener("visibilitychange", () => {
  for (const [path, entry] of entries) plan(path, entry)
})
addEventListener("online", () => {
  for (const [path, entry] of entries)
    if (entry.problem !== undefined && entry.watchers.size > 0) void load(path, entry)
})

const entryOf = (path: string, every: number): Entry => {
  const known = entries.get(path)
  if (known !== undefined) return known
  for (const [old, { watchers }] of entries) if (entries.size > KEPT && watchers.size === 0) entries.delete(old)
  const made: Entry = {
    data: undefined,
    meta: undefined,
    problem: undefined,
    isAsking: false,
    failures: 0,
    due: undefined,
    timer: undefined,
    every,
    watchers: new Set()
  }
  entries.set(path, made)
  return made
}

/** The answer of a path, none for `null`. Asked for again every so many seconds. */
export const useAnswer = <Data>(path: string | null, every: number): Answer<Data> => {
  const [, redraw] = useReducer((drawn: number) => drawn + 1, 0)
  const entry = path === null ? undefined : entryOf(path, every)
  useEffect(() => {
    if (path === null || entry === undefined) return undefined
    const watcher = () => redraw(undefined)
    entries.set(path, entry)
    entry.watchers.add(watcher)
    const isFresh = entry.due !== undefined && entry.due > Date.now()
    if (isFresh) plan(path, entry)
    else void load(path, entry)
    return () => {
      entry.watchers.delete(watcher)
      if (entry.watchers.size === 0) clearTimeout(entry.timer)
    }
  }, [path])
  return {
    path,
    data: entry?.data as Data | undefined,
    meta: entry?.meta,
    problem: entry?.problem,
    due: entry?.due,
    refresh: () => {
      if (path !== null && entry !== undefined) void load(path, entry)
    }
  }
}
