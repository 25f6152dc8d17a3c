// Where requests are counted on one machine: true fixed windows of one length, from a key's first request to its end, however
// many requests are refused in between. Memory is bounded twice over: by time (a window nobody touched for its whole length is
// forgotten) and by number (beyond the bound, the keys longest untouched go first).
import { Clock, Duration, Effect, Layer } from "effect"
import { RateLimiter } from "effect/persistence"
import { WINDOW } from "./Plan.ts"

/** A key's window: how many requests it has had and when it ends, epoch milliseconds. */
interface Window {
  count: number
  readonly ends: number
}

/** Counts requests by key. */
export interface Windows {
  /** Adds `tokens` to the key's window, beginning one if there is none, and returns the count and the milliseconds left. */
  readonly count: (key: string, tokens: number, now: number) => readonly [count: number, millisLeft: number]
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

  return {
    count: (key, tokens, now) => {
      const held = young.get(key) ?? old.get(key)
      const isOpen = held !== undefined && held.ends > now
      // Looking must not begin a window: it begins with the first request that counts.
      if (tokens === 0) return isOpen ? [held.count, held.ends - now] : [0, millis]
      const window = isOpen ? held : { count: 0, ends: now + millis }
      window.count += tokens
      if (!isOpen || !young.has(key)) {
        makeRoom(now)
        young.set(key, window)
      }
      return [window.count, window.ends - now]
    },
    size: () => young.size + old.size
  }
}

/** What the gate does not use: it counts in fixed windows only. */
const unused = () => Effect.die(new Error("the gate counts in fixed windows and in nothing else"))

/** A store that answers fixed windows only. */
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
    fixedWindowsOnly(({ key, tokens }) => Effect.map(Clock.currentTimeMillis, (now) => windows.count(key, tokens, now)))
  )
