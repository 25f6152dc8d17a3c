// The shutdown after SIGTERM or SIGINT: `/readyz` turns 503 at once, the listener closes after `NOTICE`, requests under
// way get up to `GRACE` to complete, and connections that are still open after that are closed.
import { Effect, Layer, Schedule } from "effect"
import type { Server, ServerResponse } from "node:http"
import { Lifecycle } from "../services/Lifecycle.ts"

/** The time between `/readyz` turning 503 and the listener closing, in which load balancers stop sending requests. */
const NOTICE = "500 millis"

/** How long requests under way may take after the listener has closed. */
export const GRACE = "10 seconds"

/** Time for the last bytes of interrupted responses to be sent before connections are closed. */
const FLUSH = "100 millis"

/**
 * Starts draining when the process stops. Build it after the service: layers end in reverse order, so this one ends
 * first.
 */
export const layerNotice: Layer.Layer<never, never, Lifecycle> = Layer.effectDiscard(
  Effect.flatMap(Lifecycle, ({ drain }) =>
    Effect.addFinalizer(() =>
      drain.pipe(
        Effect.andThen(Effect.logInfo("Shutting down: not ready any more, completing the requests under way")),
        Effect.andThen(Effect.sleep(NOTICE))
      )
    )
  )
)

/**
 * Keeps connections from delaying the end. When the listener closes, Node closes idle connections only; it waits for
 * those that become idle later and for clients that send a request byte by byte. Build it after the listener and before
 * the service.
 */
export const layerConnections = (server: Server): Layer.Layer<never, never, Lifecycle> =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      const { draining } = yield* Lifecycle

      const askToClose = (_request: unknown, response: ServerResponse) => void (response.shouldKeepAlive = false)
      const closeIdle = Effect.sync(() => {
        if (!server.listening) server.closeIdleConnections()
      })
      const open = Effect.callback<number>((resume) => {
        server.getConnections((_failure, count) => resume(Effect.succeed(count)))
      })

      yield* Effect.addFinalizer(() =>
        Effect.gen(function* () {
          const left = yield* open
          if (left > 0) {
            yield* Effect.logWarning(`Closing ${left} connections that are still open`)
            yield* Effect.sleep(FLUSH)
          }
          server.closeAllConnections()
          server.off("request", askToClose)
        })
      )
      yield* draining.pipe(
        Effect.andThen(Effect.sync(() => server.prependListener("request", askToClose))),
        Effect.andThen(Effect.repeat(closeIdle, Schedule.spaced("100 millis"))),
        Effect.forkScoped
      )
    })
  )
