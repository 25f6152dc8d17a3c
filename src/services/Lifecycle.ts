// Whether the service is shutting down. Draining is announced before the listener closes, so that load balancers see it in
// `/readyz` and stop sending requests.
import { Context, Deferred, Effect, Layer } from "effect"

export class Lifecycle extends Context.Service<
  Lifecycle,
  {
    /** Starts draining; irreversible. */
    readonly drain: Effect.Effect<void>
    readonly isDraining: Effect.Effect<boolean>
    /** Completes when draining begins. */
    readonly draining: Effect.Effect<void>
  }
>()("crypto-data-api/services/Lifecycle") {
  static readonly layer: Layer.Layer<Lifecycle> = Layer.effect(
    Lifecycle,
    Effect.map(Deferred.make<void>(), (begun) =>
      Lifecycle.of({
        drain: Effect.asVoid(Deferred.succeed(begun, undefined)),
        isDraining: Deferred.isDone(begun),
        draining: Deferred.await(begun)
      })
    )
  )
}
