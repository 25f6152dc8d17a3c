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
    return CircuitBreaker.CircuitBreakerStore.of({
      admit: (key) => Effect.catch(shared.admit(key), () => local.admit(key)),
      record: (outcome) => Effect.catch(shared.record(outcome), () => local.record(outcome)),
      state: (key) => Effect.catch(shared.state(key), () => local.state(key))
    })
  })
)
