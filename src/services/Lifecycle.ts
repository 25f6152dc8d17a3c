// Whether the service is on its way out. Who shuts it down says so first and goes on a little later, so that whoever sends it
// requests can read it and stop before the door is closed.
import { Context, Deferred, Effect, Layer } from "effect"

/** The way of the process. */
export class Lifecycle extends Context.Service<
  Lifecycle,
  {
    /** No new requests, please. There is no way back. */
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
