// Counts requests in fixed windows: a key's window starts with its first request and ends 60 s later, however many
// requests are refused in between. `makeMemoryWindows` counts in this process, `persistence/RedisWindowStore` counts for all
// replicas.
import { Duration } from "effect"
import { WINDOW } from "./Plan.ts"

/** A key's window: requests counted so far, and its end in epoch milliseconds. */
export interface Window {
  readonly count: number
  readonly ends: number
}

/**
 * Adds `tokens` to the key's window, at `now` in epoch milliseconds; opens one if none is open. With 0 tokens nothing
 * changes: without an open window `ends` is the end of the window that a request would open now. Calls `done` once,
 * at once or later. Never fails: the shared store falls back to memory by itself.
 */
export type CountRequests = (key: string, tokens: number, now: number, done: (window: Window) => void) => void

/** The default of the setting `RATE_LIMIT_MAX_KEYS`. */
export const DEFAULT_MAX_KEYS = 100_000

/**
 * Makes an empty store. The keys are in two generations of at most `maxKeys / 2` each, which gives an approximate
 * least-recently-used order at the cost of two map look-ups: a key that is used moves to the young generation. When that
 * is full or older than a window, it becomes the old generation and the previous old one is dropped, and with it windows
 * that are over.
 */
export const makeMemoryWindows = (maxKeys: number = DEFAULT_MAX_KEYS) => {
  const millis = Duration.toMillis(WINDOW)
  const half = Math.max(1, Math.floor(maxKeys / 2))
  // Counted in place: a new object for each request, in a map that is old, costs the garbage collector.
  let young = new Map<string, { count: number; readonly ends: number }>()
  let old: typeof young = new Map()
  let youngUntil = 0

  const keep = (key: string, window: Window, now: number) => {
    if (now >= youngUntil || young.size >= half) {
      old = now >= youngUntil + millis ? new Map() : young
      young = new Map()
      youngUntil = now + millis
    }
    young.set(key, window)
  }

  return {
    /** Counts like {@link CountRequests}. */
    count: (key: string, tokens: number, now: number): Window => {
      const recent = young.get(key)
      const last = recent ?? old.get(key)
      // A window that ends later than `now + millis` was opened before the clock was set back. It is discarded.
      const isOpen = last !== undefined && last.ends > now && last.ends - now <= millis
      const window = isOpen ? last : { count: 0, ends: now + millis }
      if (tokens === 0) return window
      window.count += tokens
      if (!isOpen || recent === undefined) keep(key, window, now)
      return window
    },
    /** Takes over the key's window from another store. */
    replace: keep,
    /** The number of keys in it. */
    size: () => young.size + old.size
  }
}

/** Windows in the memory of this process. Times are epoch milliseconds. */
export type MemoryWindows = ReturnType<typeof makeMemoryWindows>
