// The tools for agents over standard input and output, with the services in this process. Standard output is the protocol's: the
// log is on standard error. It ends with its input.
import { Layer } from "effect"
import { McpServer } from "effect/ai"
import { HttpServer } from "effect/http"
import * as Mcp from "../mcp/Mcp.ts"
import * as Server from "../Server.ts"
import { layerState } from "../node/StateLayers.ts"
import * as Logging from "../node/Logging.ts"
import * as Telemetry from "../node/Telemetry.ts"

/** Answers until the input ends. */
export const run = McpServer.layerStdio(Mcp.options).pipe(
  Layer.provide(Server.layerEndpoints),
  Layer.provide([Server.layerServices, Server.layerErrorReporter, HttpServer.layerServices]),
  Layer.provide(layerState),
  Layer.provide(Telemetry.layer),
  Layer.provide(Logging.layerError),
  Layer.launch
)
