// `mcp`: the tools for agents over standard input and output, for clients that start their servers themselves. The services are
// in this process, on the settings that `serve` has; it ends with its input. Standard output is the protocol's: the log is on
// standard error.
import { Effect, Layer } from "effect"
import { McpServer } from "effect/ai"
import { Command } from "effect/cli"
import { HttpServer } from "effect/http"
import * as Mcp from "../mcp/Mcp.ts"
import * as Server from "../Server.ts"
import { layerState } from "./AccessLayers.ts"
import * as Logging from "./Logging.ts"
import * as Settings from "./Settings.ts"
import * as Telemetry from "./Telemetry.ts"

const run = McpServer.layerStdio(Mcp.options).pipe(
  Layer.provide(Server.layerEndpoints),
  Layer.provide([Server.layerServices, Server.layerErrorReporter, HttpServer.layerServices]),
  Layer.provide(layerState),
  Layer.provide(Telemetry.layer),
  Layer.provide(Logging.layerError),
  Layer.launch
)

/** The command. */
export const mcp = Command.make("mcp", {}, () => Effect.andThen(Settings.check, run)).pipe(
  Command.withDescription("Answer an agent over standard input and output (MCP)")
)
