// The beginning of the shutdown after SIGTERM or SIGINT: `/readyz` turns 503 at once, and the listener closes after `NOTICE`.
import { Effect, Layer } from "effect"
import { Lifecycle } from "../services/Lifecycle.ts"

/** The time between `/readyz` turning 503 and the listener closing, in which load balancers stop sending requests. */
const NOTICE = "500 millis"

/** Starts draining when the process stops. Build it after the service: layers end in reverse order, so this one ends first. */
export const layer: Layer.Layer<never, never, Lifecycle> = Layer.effectDiscard(
  Effect.flatMap(Lifecycle, ({ drain }) =>
    Effect.addFinalizer(() =>
      drain.pipe(
        Effect.andThen(Effect.logInfo("Shutting down: not ready any more, completing the requests under way")),
        Effect.andThen(Effect.sleep(NOTICE))
      )
    )
  )
)
