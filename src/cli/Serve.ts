// `serve`: the service on live data. What the process needs from the platform (a server, its limits, the logger) is put
// together here; what the service itself is made of, in `Server.ts`.
import { NodeHttpServer } from "@effect/platform-node"
import { Effect, Layer } from "effect"
import { Command } from "effect/cli"
import { HttpServer } from "effect/http"
import { createServer } from "node:http"
import * as Server from "../Server.ts"
import { Lifecycle } from "../services/Lifecycle.ts"
import { OwnPort } from "../services/why/Why.ts"
import { layerState } from "../node/StateLayers.ts"
import * as ProtocolErrors from "../node/ProtocolErrors.ts"
import * as StartupQueue from "../node/StartupQueue.ts"
import * as Logging from "../node/Logging.ts"
import * as Settings from "../node/Settings.ts"
import * as Shutdown from "../node/Shutdown.ts"
import * as Telemetry from "../node/Telemetry.ts"

const listeningPort = Effect.map(HttpServer.HttpServer, ({ address }) => ("port" in address ? address.port : undefined))

/** With `PORT=0` only the system knows which. */
const layerOwnPort = Layer.effect(
  OwnPort,
  Effect.flatMap(listeningPort, (port) => (port === undefined ? Settings.serving.port : Effect.succeed(port)))
)

/** A server on `HOST` and `PORT`. */
const layerHttp = Layer.unwrap(
  Effect.gen(function* () {
    const host = yield* Settings.serving.host
    const port = yield* Settings.serving.port
    const server = createServer(ProtocolErrors.serverOptions)
    StartupQueue.keep(server)
    return Layer.mergeAll(Shutdown.layerConnections(server), layerOwnPort).pipe(
      Layer.provideMerge(NodeHttpServer.layer(() => server, { host, port, gracefulShutdownTimeout: Shutdown.GRACE })),
      Layer.merge(ProtocolErrors.layer(server))
    )
  })
)

/** Tells whoever started it where to look. */
const greeting = (world: string) =>
  Effect.gen(function* () {
    const base = `http://localhost:${yield* listeningPort}`
    yield* Effect.logInfo(
      `${world} at ${base}. Open ${base}/ in a browser, or try: curl ${base}/v1/naira. Documentation: ${base}/docs`
    )
  })

/** Serves until interrupted. `state` is where keys, quotas and snapshots are. */
export const run = (world: string, state: typeof layerState) =>
  Layer.merge(Layer.effectDiscard(greeting(world)), Shutdown.layerNotice).pipe(
    Layer.provide(Server.layer),
    Layer.provide(layerHttp),
    Layer.provide(Lifecycle.layer),
    Layer.provide(state),
    Layer.provide(Telemetry.layer),
    Layer.provide(Logging.layer),
    Layer.launch
  )

/** The command. */
export const serve = Command.make("serve", {}, () => Effect.andThen(Settings.check, run("Live data", layerState))).pipe(
  Command.withDescription("Serve live data on HOST and PORT")
)
