// The beginning of the shutdown after SIGTERM or SIGINT: `/readyz` turns 503 at once, and the listener closes after `SHUTDOWN_DELAY`,
// in which load balancers stop sending requests.
import { Effect, Layer } from "effect"
import { Lifecycle } from "../services/Lifecycle.ts"
import * as Settings from "./Settings.ts"

/** Starts draining when the process stops. Build it after the service: layers end in reverse order, so this one ends first. */
export const layer = Layer.effectDiscard(
  Effect.gen(function* () {
    const { drain } = yield* Lifecycle
    const delay = yield* Settings.times.shutdownDelay
    yield* Effect.addFinalizer(() =>
      drain.pipe(
        Effect.andThen(Effect.logInfo("Shutting down: /readyz returns 503, running requests are completed")),
        Effect.andThen(Effect.sleep(delay))
      )
    )
  })
)
