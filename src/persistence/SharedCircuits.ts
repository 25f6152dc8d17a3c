// What all processes know of circuits, in Redis; and what this one knows, while Redis is away.
import { Context, Effect, Layer } from "effect"
import { CircuitBreaker } from "effect/persistence"
import * as LinkedRedis from "./LinkedRedis.ts"
import type { RedisLink } from "./RedisLink.ts"

/** A store of circuits that never fails. */
export const layer: Layer.Layer<CircuitBreaker.CircuitBreakerStore, never, RedisLink> = Layer.effect(
  CircuitBreaker.CircuitBreakerStore,
  Effect.gen(function* () {
    const storeOf = <R>(store: Layer.Layer<CircuitBreaker.CircuitBreakerStore, never, R>) =>
      Effect.map(Layer.build(store), (context) => Context.get(context, CircuitBreaker.CircuitBreakerStore))
    const shared = yield* storeOf(
      CircuitBreaker.layerStoreRedis({ prefix: "cda:circuit:" }).pipe(Layer.provide(LinkedRedis.layer))
    )
    const local = yield* storeOf(Layer.fresh(CircuitBreaker.layerStoreMemory()))
    // A circuit that is open is an answer, not a store that fails.
    const unlessAway = <A, B, R, S>(
      there: Effect.Effect<A, CircuitBreaker.CircuitBreakerError, R>,
      here: Effect.Effect<B, CircuitBreaker.CircuitBreakerError, S>
    ) => Effect.catchReason(there, "CircuitBreakerError", "CircuitBreakerStoreError", () => here)
    return CircuitBreaker.CircuitBreakerStore.of({
      admit: (key) => unlessAway(shared.admit(key), local.admit(key)),
      // Redis may have come or gone since the call was let through. Each store knows by the generation whether it was the one.
      record: (outcome) =>
        Effect.zipWith(
          local.record(outcome),
          unlessAway(shared.record(outcome), Effect.undefined),
          (here, there) => here ?? there
        ),
      state: (key) => unlessAway(shared.state(key), local.state(key))
    })
  })
)
