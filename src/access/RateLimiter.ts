// How many requests a caller has left in the current window, and when it ends. Keyed by API key or by address; the counting itself
// is `WindowStore`'s.
import { Context, Effect, Layer } from "effect"
import type { Plan } from "./Plan.ts"
import { makeMemoryWindows, WindowStore } from "./WindowStore.ts"

/** What is left of a caller's quota after a request. */
export interface Quota {
  /** Requests a window. */
  readonly limit: number
  /** Requests left in the window; negative: this one is refused. */
  readonly remaining: number
  /** UTC epoch seconds at which the window ends. */
  readonly reset: number
  /** Whole seconds until then, at least 1. */
  readonly retryAfter: number
}

/** Limits requests by key. A refused request does not extend the window. Never fails. */
export class RateLimiter extends Context.Service<
  RateLimiter,
  {
    /** Spends one request of the key's quota. */
    readonly consume: (key: string, plan: Plan) => Effect.Effect<Quota>
    /** The key's quota, without spending any of it. */
    readonly peek: (key: string, plan: Plan) => Effect.Effect<Quota>
  }
>()("crypto-data-api/access/RateLimiter") {
  static readonly layerNoDeps: Layer.Layer<RateLimiter, never, WindowStore> = Layer.effect(
    RateLimiter,
    Effect.gen(function* () {
      const store = yield* WindowStore
      const count = (key: string, { limit }: Plan, tokens: number) =>
        Effect.clockWith((clock) =>
          Effect.mapEager(store.count(key, tokens), ({ count, ends }): Quota => ({
            limit,
            remaining: limit - count,
            reset: Math.ceil(ends / 1000),
            retryAfter: Math.max(1, Math.ceil((ends - clock.currentTimeMillisUnsafe()) / 1000))
          }))
        )
      return RateLimiter.of({
        consume: (key, plan) => count(key, plan, 1),
        peek: (key, plan) => count(key, plan, 0)
      })
    })
  )

  /** Limits of one machine, in memory. */
  static readonly layer: Layer.Layer<RateLimiter> = this.layerNoDeps.pipe(
    Layer.provide(Layer.suspend(() => WindowStore.layerMemory(makeMemoryWindows())))
  )
}
