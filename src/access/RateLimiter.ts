// Limits the requests of a caller, by API key or by address. `WindowStore` counts; this service turns a count into what
// the rate headers and a 429 need.
import { Context, Effect, Layer } from "effect"
import type { Plan } from "./Plan.ts"
import { makeMemoryWindows, type Window, WindowStore } from "./WindowStore.ts"

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
  static readonly layerNoDeps: Layer.Layer<RateLimiter, never, WindowStore> = Layer.effect(
    RateLimiter,
    Effect.gen(function* () {
      const store = yield* WindowStore
      const count: RateLimiter["Service"]["count"] = (key, plan, tokens, now, done) =>
        store.count(key, tokens, now, (window) => done(quotaOf(window, plan, now)))
      const counting = (tokens: 0 | 1) => (key: string, plan: Plan) =>
        Effect.clockWith((clock) =>
          Effect.callback<Quota>((resume) =>
            count(key, plan, tokens, clock.currentTimeMillisUnsafe(), (quota) => resume(Effect.succeed(quota)))
          )
        )
      return RateLimiter.of({ consume: counting(1), peek: counting(0), count })
    })
  )

  /** A rate limiter in the memory of this process, with windows of its own. */
  static readonly layer: Layer.Layer<RateLimiter> = this.layerNoDeps.pipe(
    Layer.provide(Layer.suspend(() => WindowStore.layerMemory(makeMemoryWindows())))
  )
}

const quotaOf = ({ count, ends }: Window, { limit }: Plan, now: number): Quota => ({
  limit,
  remaining: limit - count,
  reset: Math.ceil(ends / 1000),
  retryAfter: Math.max(1, Math.ceil((ends - now) / 1000))
})
