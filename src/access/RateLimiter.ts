// How many requests a caller may still make, and until when. The store of Effect's RateLimiter counts, here or in Redis; what the
// count means is said here, because Effect's own reading of it makes errors of refusals, or another window of each refusal.
import { Context, Effect, Layer } from "effect"
import { RateLimiter } from "effect/persistence"
import { type Plan, WINDOW } from "./Plan.ts"
import * as RateLimitStore from "./WindowStore.ts"

/** What is left of a caller's quota after a request. */
export interface Quota {
  readonly limit: number
  /** Requests left in the window; negative: this one is refused. */
  readonly remaining: number
  /** UTC epoch seconds at which the window ends. */
  readonly reset: number
  /** Whole seconds until then, at least 1. */
  readonly retryAfter: number
}

/** The quotas. */
export class Quotas extends Context.Service<
  Quotas,
  {
    /** Takes one request out of a caller's quota. */
    readonly take: (key: string, plan: Plan) => Effect.Effect<Quota>
    /** Looks at a caller's quota without spending any of it. */
    readonly look: (key: string, plan: Plan) => Effect.Effect<Quota>
  }
>()("crypto-data-api/access/Quotas") {
  static readonly layerNoDeps: Layer.Layer<Quotas, never, RateLimiter.RateLimiterStore> = Layer.effect(
    Quotas,
    Effect.gen(function* () {
      const store = yield* RateLimiter.RateLimiterStore
      const consume = (key: string, { limit }: Plan, tokens: number) =>
        Effect.clockWith((clock) =>
          Effect.mapEager(
            // Our stores have no error: the shared one falls back to the local one by itself.
            Effect.orDie(store.fixedWindow({ key, tokens, limit, refillRate: WINDOW })),
            // They tell when the window ends.
            ([count, ends]): Quota => ({
              limit,
              remaining: limit - count,
              reset: Math.ceil(ends / 1000),
              retryAfter: Math.max(1, Math.ceil((ends - clock.currentTimeMillisUnsafe()) / 1000))
            })
          )
        )
      return Quotas.of({
        take: (key, plan) => consume(key, plan, 1),
        look: (key, plan) => consume(key, plan, 0)
      })
    })
  )

  /** Quotas of one machine, in memory. */
  static readonly layer: Layer.Layer<Quotas> = this.layerNoDeps.pipe(
    Layer.provide(Layer.suspend(() => RateLimitStore.layerMemory(RateLimitStore.makeWindows())))
  )
}
