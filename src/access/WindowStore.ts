// Counts requests in true fixed windows: a key's window begins with its first request and ends 60 s later, however many requests
// are refused in between. `WindowStore` is the interface; `layerMemory` counts on one machine, `persistence/RedisWindowStore`
// counts for many.
//
// Memory is bounded twice: a window that nothing touched for its whole length is dropped, and beyond `maxKeys` the keys that were
// not touched for longest are dropped first.
import { Context, Duration, Effect, Layer } from "effect"
import { WINDOW } from "./Plan.ts"

/** A key's window: requests counted so far, and its end in epoch milliseconds. */
export interface Window {
  readonly count: number
  readonly ends: number
}

/** Counts requests by key. Never fails: a shared store falls back to memory by itself. */
export class WindowStore extends Context.Service<
  WindowStore,
  {
    /**
     * Adds `tokens` to the key's window and returns it, opening one if none is open. With 0 tokens it only looks: no window
     * opens, and `ends` is then the end of the window that a request would open now.
     */
    readonly count: (key: string, tokens: number) => Effect.Effect<Window>
  }
>()("crypto-data-api/access/WindowStore") {
  /** Windows of one machine, in memory. */
  static readonly layerMemory = (windows: MemoryWindows): Layer.Layer<WindowStore> =>
    Layer.succeed(
      WindowStore,
      WindowStore.of({
        count: (key, tokens) =>
          Effect.clockWith((clock) => Effect.succeed(windows.count(key, tokens, clock.currentTimeMillisUnsafe())))
      })
    )
}

/** Windows in memory. Times are epoch milliseconds. */
export interface MemoryWindows {
  /** As {@link WindowStore}'s, at the time `now`. */
  readonly count: (key: string, tokens: number, now: number) => Window
  /** Replaces the key's window with one that another store counted. */
  readonly replace: (key: string, window: Window, now: number) => void
  /** How many keys are held. */
  readonly size: () => number
}

/** The default of `RATE_LIMIT_MAX_KEYS`. */
export const DEFAULT_MAX_KEYS = 100_000

/**
 * Makes empty windows of `millis` each. They are kept in two generations of half the bound each: a key that is touched moves to
 * the young one; when that is full or as old as a window is long, it becomes the old one and the former old one is dropped whole.
 */
export const makeMemoryWindows = (
  maxKeys: number = DEFAULT_MAX_KEYS,
  millis: number = Duration.toMillis(WINDOW)
): MemoryWindows => {
  const half = Math.max(1, Math.floor(maxKeys / 2))
  let young = new Map<string, { count: number; readonly ends: number }>()
  let old: typeof young = new Map()
  let youngUntil = 0

  const makeRoom = (now: number) => {
    if (now >= youngUntil + millis) old = new Map()
    if (now >= youngUntil || young.size >= half) {
      old = now >= youngUntil + millis ? new Map() : young
      young = new Map()
      youngUntil = now + millis
    }
  }

  const keep = (key: string, window: Window, now: number) => {
    makeRoom(now)
    young.set(key, window)
  }

  return {
    count: (key, tokens, now) => {
      const recent = young.get(key)
      const held = recent ?? old.get(key)
      // A window that ends further ahead than its length was opened before the clock was set back: a new one opens instead.
      const open = held !== undefined && held.ends > now && held.ends - now <= millis ? held : undefined
      if (tokens === 0) return open ?? { count: 0, ends: now + millis }
      const window = open ?? { count: 0, ends: now + millis }
      window.count += tokens
      if (window !== recent) keep(key, window, now)
      return window
    },
    replace: (key, { count, ends }, now) => keep(key, { count, ends }, now),
    size: () => young.size + old.size
  }
}
