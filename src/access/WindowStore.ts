// Where requests are counted on one machine: true fixed windows of one length, from a key's first request to its end, however
// many requests are refused in between. Memory is bounded twice over: by time (a window nobody touched for its whole length is
// forgotten) and by number (beyond the bound, the keys longest untouched go first).
import { Duration, Effect, Layer } from "effect"
import { RateLimiter } from "effect/persistence"
import { WINDOW } from "./Plan.ts"

/** A key's window: how many requests it has had and when it ends, epoch milliseconds. */
interface Window {
  count: number
  readonly ends: number
}

/** How many requests a window has had, and when it ends, epoch milliseconds. */
export type Counted = readonly [count: number, ends: number]

/** Counts requests by key. */
export interface Windows {
  /** Adds `tokens` to the key's window, beginning one if there is none. */
  readonly count: (key: string, tokens: number, now: number) => Counted
  /** Takes over what was counted elsewhere, to go on from there. */
  readonly takeOver: (key: string, counted: Counted, now: number) => void
  /** How many keys are held. */
  readonly size: () => number
}

/** The default bound on keys held. */
export const DEFAULT_MAX_KEYS = 100_000

/**
 * Windows in two generations of half the bound each. A key that is touched moves to the young one; when that is full, or as
 * old as a window is long, the old one is dropped whole: nothing is ever swept, and what is dropped was not touched lately.
 */
export const makeWindows = (
  maxKeys: number = DEFAULT_MAX_KEYS,
  millis: number = Duration.toMillis(WINDOW)
): Windows => {
  const half = Math.max(1, Math.floor(maxKeys / 2))
  let young = new Map<string, Window>()
  let old = new Map<string, Window>()
  let turn = 0

  const makeRoom = (now: number) => {
    if (now >= turn + millis) old = new Map()
    if (now >= turn || young.size >= half) {
      old = now >= turn + millis ? new Map() : young
      young = new Map()
      turn = now + millis
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
      // A clock that was put back must not shut anybody out for longer than a window.
      const open = held !== undefined && held.ends > now && held.ends - now <= millis ? held : undefined
      // Looking must not begin a window: it begins with the first request that counts.
      if (tokens === 0) return open === undefined ? [0, now + millis] : [open.count, open.ends]
      const window = open ?? { count: 0, ends: now + millis }
      window.count += tokens
      if (window !== recent) keep(key, window, now)
      return [window.count, window.ends]
    },
    takeOver: (key, [count, ends], now) => keep(key, { count, ends }, now),
    size: () => young.size + old.size
  }
}

/** What the gate does not use: it counts in fixed windows only. */
const unused = () => Effect.die(new Error("the gate counts in fixed windows and in nothing else"))

/**
 * A store that answers fixed windows only. In place of the milliseconds left it tells when the window ends: added to a clock
 * that is read anew, milliseconds left would be another second now and then, and so would `X-RateLimit-Reset`.
 */
export const fixedWindowsOnly = (
  fixedWindow: RateLimiter.RateLimiterStore["Service"]["fixedWindow"]
): RateLimiter.RateLimiterStore["Service"] =>
  RateLimiter.RateLimiterStore.of({
    fixedWindow,
    tokenBucket: unused,
    adaptiveConsume: unused,
    adaptiveFeedback: unused
  })

/** The store of one machine. */
export const layerMemory = (windows: Windows): Layer.Layer<RateLimiter.RateLimiterStore> =>
  Layer.succeed(
    RateLimiter.RateLimiterStore,
    fixedWindowsOnly(({ key, tokens }) =>
      Effect.clockWith((clock) => Effect.succeed(windows.count(key, tokens, clock.currentTimeMillisUnsafe())))
    )
  )
