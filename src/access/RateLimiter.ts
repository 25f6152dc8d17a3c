// Limits the requests of a caller, by API key or by address. A store of windows counts; this service turns a count into what
// the rate headers and a 429 need.
import { Context, Effect, Layer } from "effect"
import type { Plan } from "./Plan.ts"
import { type CountRequests, makeMemoryWindows, type Window } from "./WindowStore.ts"

/** A caller's quota after a request. */
export interface Quota {
  /** Requests per window. */
  readonly limit: number
  /** Requests left in the window. Negative means that this request is over the limit. */
  readonly remaining: number
  /** UTC epoch seconds at which the window ends. */
  readonly reset: number
  /** Whole seconds until the window ends, at least 1. */
  readonly retryAfter: number
}

/** Limits requests by key, in fixed windows. A refused request does not extend the window. Never fails. */
export class RateLimiter extends Context.Service<
  RateLimiter,
  {
    /** Counts one request of the key. */
    readonly consume: (key: string, plan: Plan) => Effect.Effect<Quota>
    /** Reads the key's quota without counting a request. */
    readonly peek: (key: string, plan: Plan) => Effect.Effect<Quota>
    /** Counts `tokens` requests without a fiber, at `now` in epoch milliseconds. Calls `done` once, at once or later. */
    readonly count: (key: string, plan: Plan, tokens: 0 | 1, now: number, done: (quota: Quota) => void) => void
  }
>()("crypto-data-api/access/RateLimiter") {
  /** A rate limiter that counts by this function. */
  static readonly over = (countRequests: CountRequests): RateLimiter["Service"] => {
    const count: RateLimiter["Service"]["count"] = (key, plan, tokens, now, done) =>
      countRequests(key, tokens, now, (window) => done(quotaOf(window, plan, now)))
    const counting = (tokens: 0 | 1) => (key: string, plan: Plan) =>
      Effect.clockWith((clock) =>
        Effect.callback<Quota>((resume) =>
          count(key, plan, tokens, clock.currentTimeMillisUnsafe(), (quota) => resume(Effect.succeed(quota)))
        )
      )
    return RateLimiter.of({ consume: counting(1), peek: counting(0), count })
  }

  /** A rate limiter in the memory of this process, with windows of its own for at most `maxKeys` keys. */
  static readonly layerMemory = (maxKeys?: number): Layer.Layer<RateLimiter> =>
    Layer.sync(RateLimiter, () => {
      const windows = makeMemoryWindows(maxKeys)
      return this.over((key, tokens, now, done) => done(windows.count(key, tokens, now)))
    })
}

const quotaOf = ({ count, ends }: Window, { limit }: Plan, now: number): Quota => ({
  limit,
  remaining: limit - count,
  reset: Math.ceil(ends / 1000),
  retryAfter: Math.max(1, Math.ceil((ends - now) / 1000))
})
