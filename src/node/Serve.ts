// Runs the service as a Node process: an HTTP server with its limits and its shutdown, the log, telemetry. What the
// service consists of is in `Server.ts`.
import { NodeHttpServer } from "@effect/platform-node"
import { Duration, Effect, Layer, Option } from "effect"
import { CliError } from "effect/cli"
import { HttpServer, type HttpServerError } from "effect/http"
import { env } from "node:process"
import { failureCode } from "../domain/connectionFailure.ts"
import { loop } from "../domain/loop.ts"
import * as Server from "../Server.ts"
import * as SourceClocks from "../sources/client/SourceClocks.ts"
import { Lifecycle } from "../services/Lifecycle.ts"
import * as NoSource from "../services/NoSource.ts"
import { FirstAnswer } from "../services/refresh/FirstAnswer.ts"
import { collecting, Timeouts } from "../services/refresh/Timeouts.ts"
import { OwnPort } from "../services/why/Why.ts"
import { Gate } from "../http/gate/Gate.ts"
import * as Listener from "./Listener.ts"
import * as Logging from "./Logging.ts"
import * as MetricsServer from "./MetricsServer.ts"
import * as ProcessMetrics from "./ProcessMetrics.ts"
import * as ProtocolErrors from "./ProtocolErrors.ts"
import * as Settings from "./Settings.ts"
import * as SettingsCheck from "./SettingsCheck.ts"
import * as Shutdown from "./Shutdown.ts"
import type * as StateLayers from "./StateLayers.ts"
import * as Telemetry from "./Telemetry.ts"

const listeningPort = Effect.map(HttpServer.HttpServer, ({ address }) => ("port" in address ? address.port : undefined))

/** The port that the server listens on. It differs from the setting with `PORT=0`. */
const layerOwnPort = Layer.effect(
  OwnPort,
  Effect.flatMap(listeningPort, (port) => (port === undefined ? Settings.serving.port : Effect.succeed(port)))
)

const layerHttp = Layer.unwrap(
  Effect.gen(function* () {
    const host = yield* Settings.serving.host
    const port = yield* Settings.serving.port
    const server = ProtocolErrors.makeServer({ keepAliveTimeout: Duration.toMillis(yield* Settings.times.keepAlive) })
    return layerOwnPort.pipe(
      Layer.provideMerge(Layer.provide(Listener.layer(server, { host, port }), Gate.layerAlone)),
      Layer.merge(ProtocolErrors.layer(server)),
      Layer.merge(NodeHttpServer.layerHttpServices)
    )
  })
)

const logAddress = (world: string) =>
  Effect.flatMap(listeningPort, (port) => {
    const base = `http://localhost:${port}`
    return Effect.logInfo(
      `${world} at ${base}. Open ${base}/ in a browser, or try: curl ${base}/v1/naira. Documentation: ${base}/docs`
    )
  })

const warnOfMisspelt = Effect.forEach(SettingsCheck.misspelt(Object.keys(env)), (text) => Effect.logWarning(text))

const reasons: Readonly<Record<string, string>> = {
  EADDRINUSE: "another program listens there. Stop it, or set PORT",
  EACCES: "this user may not listen there. Set PORT to 1024 or more",
  EADDRNOTAVAIL: "this machine has no such address. Set HOST",
  ENOTFOUND: "no machine has that name. Set HOST"
}

/** The failure to listen, as a sentence. `setting` names the port. */
const refused = (setting: "PORT" | "METRICS_PORT", port: number) =>
  Effect.fnUntraced(function* (failure: HttpServerError.ServeError) {
    const code = failureCode(failure) ?? ""
    const reason = reasons[code]?.replace("PORT", setting) ?? code
    const userMessage = `Cannot listen on port ${port} of ${yield* Settings.serving.host}: ${reason}.`
    return yield* new CliError.UserError({ cause: failure, userMessage })
  })

/** `/metrics` on a port of its own where the settings name one. Needs the services, which it shares with the server. */
const layerMetrics = Layer.unwrap(
  Effect.map(Effect.all([Settings.serving.host, Settings.serving.metricsPort]), ([host, metricsPort]) =>
    Option.match(metricsPort, {
      onNone: () => Layer.empty,
      onSome: (port) =>
        MetricsServer.layer({ host, port }).pipe(
          Layer.catchTag("ServeError", (failure) => Layer.effectDiscard(refused("METRICS_PORT", port)(failure))),
          Layer.provide(Server.layerServices)
        )
    })
  )
)

/** Says soon after the start if no source can be reached. */
const layerNoSource = (isSandbox: boolean) =>
  Layer.effectDiscard(Effect.forkScoped(NoSource.report(isSandbox))).pipe(Layer.provide(Server.layerServices))

/** Says once that this machine's clock is wrong. */
const layerClock = Layer.effectDiscard(
  Effect.flatMap(SourceClocks.reporting, (report) =>
    Effect.forkScoped(Effect.delay(loop("the clock", "1 minute", report), "10 seconds"))
  )
)

/** Serves until interrupted. `world` names the data in the log; `state` is one of `StateLayers`. */
export const run = (world: string, state: typeof StateLayers.layerState, isSandbox = false) =>
  Layer.merge(Layer.effectDiscard(Effect.andThen(warnOfMisspelt, logAddress(world))), Shutdown.layer).pipe(
    Layer.provide([Server.layer, layerMetrics, layerNoSource(isSandbox), layerClock, ProcessMetrics.layer]),
    Layer.provide(layerHttp),
    Layer.provide(Lifecycle.layer),
    Layer.provide(state),
    Layer.provide(Layer.sync(SourceClocks.SourceClocks, SourceClocks.make)),
    Layer.provide([Layer.sync(FirstAnswer, () => ({ hasCome: false })), Layer.effect(Timeouts, collecting)]),
    Layer.provide(Telemetry.layer),
    Layer.provide(Logging.layer),
    Layer.launch,
    Effect.catchTag("ServeError", (failure) =>
      Effect.flatMap(Settings.serving.port, (port) => refused("PORT", port)(failure))
    )
  )
