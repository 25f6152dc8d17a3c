// The store of circuit breaker states that replicas share through Redis. While Redis is down each process uses its own
// states, which it records all the time.
import { Context, Effect, Layer } from "effect"
import { CircuitBreaker, Redis } from "effect/persistence"
import { RedisLink } from "./RedisLink.ts"

/** Circuits in Redis with a fallback in memory. Never fails with `CircuitBreakerStoreError`. */
export const layer: Layer.Layer<CircuitBreaker.CircuitBreakerStore, never, RedisLink> = Layer.effect(
  CircuitBreaker.CircuitBreakerStore,
  Effect.gen(function* () {
    const storeOf = <R>(store: Layer.Layer<CircuitBreaker.CircuitBreakerStore, never, R>) =>
      Effect.map(Layer.build(store), (context) => Context.get(context, CircuitBreaker.CircuitBreakerStore))
    // A programming error: the store runs only commands and scripts.
    const unsupported = Effect.die(new Error("SharedCircuits neither subscribes nor reserves a connection"))
    const redis = { ...(yield* RedisLink), subscribe: () => unsupported, reserve: unsupported }
    const shared = yield* storeOf(
      CircuitBreaker.layerStoreRedis({ prefix: "cda:circuit:" }).pipe(Layer.provide(Layer.succeed(Redis.Redis, redis)))
    )
    const local = yield* storeOf(Layer.fresh(CircuitBreaker.layerStoreMemory()))
    // Falls back only when the store fails; an open circuit is a result.
    const orLocal = <A, B, R, S>(
      there: Effect.Effect<A, CircuitBreaker.CircuitBreakerError, R>,
      here: Effect.Effect<B, CircuitBreaker.CircuitBreakerError, S>
    ) => Effect.catchReason(there, "CircuitBreakerError", "CircuitBreakerStoreError", () => here)
    return CircuitBreaker.CircuitBreakerStore.of({
      admit: (key) => orLocal(shared.admit(key), local.admit(key)),
      // Redis may have gone down or up since the call was admitted. Each store accepts only outcomes that it admitted
      // itself, which it tells by their generation.
      record: (outcome) =>
        Effect.zipWith(
          local.record(outcome),
          orLocal(shared.record(outcome), Effect.undefined),
          (here, there) => here ?? there
        ),
      state: (key) => orLocal(shared.state(key), local.state(key))
    })
  })
)
