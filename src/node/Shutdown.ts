// How the process goes when it is asked to: first `/readyz` says so, a little later the listener closes, requests under way are
// answered, and what is still open after that is cut off, so that the end is never long in coming.
import { Effect, Layer, Schedule } from "effect"
import type { Server, ServerResponse } from "node:http"
import { Lifecycle } from "../services/Lifecycle.ts"

/** From `/readyz` saying so to the listener closing: whoever sends us requests has to notice in between. */
const NOTICE = "500 millis"

/** How long requests under way may take once the listener is closed. */
export const GRACE = "10 seconds"

/** An answer that was cut short needs this long to leave. */
const FAREWELL = "100 millis"

/** Gives notice. To be built after what serves, so that it ends first. */
export const layerNotice: Layer.Layer<never, never, Lifecycle> = Layer.effectDiscard(
  Effect.flatMap(Lifecycle, ({ drain }) =>
    Effect.addFinalizer(() =>
      drain.pipe(
        Effect.andThen(Effect.logInfo("Asked to stop: not ready any more; requests under way are answered first")),
        Effect.andThen(Effect.sleep(NOTICE))
      )
    )
  )
)

/**
 * Keeps connections from holding up the end: Node closes those that are idle when the listener does, but waits for those that
 * become idle later, or send their request byte by byte. To be built after the listener and before what serves.
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
            yield* Effect.logWarning(`${left} connections were still open and are cut off`)
            yield* Effect.sleep(FAREWELL)
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
