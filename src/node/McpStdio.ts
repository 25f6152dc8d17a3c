// Runs the MCP tools over standard input and output, with the services in this process. Standard output belongs to the
// protocol, so the log goes to standard error. The process ends with its input.
import { Layer } from "effect"
import { McpServer } from "effect/ai"
import { HttpServer } from "effect/http"
import { Answers } from "../http/response/Answers.ts"
import * as Mcp from "../mcp/Mcp.ts"
import * as Server from "../Server.ts"
import * as Logging from "./Logging.ts"
import { layerState } from "./StateLayers.ts"
import * as Telemetry from "./Telemetry.ts"

export const run = McpServer.layerStdio(Mcp.options).pipe(
  Layer.provide(Server.layerEndpoints),
  Layer.provide(Answers.layer),
  Layer.provide([Server.layerServices, Server.layerErrorReporter, HttpServer.layerServices]),
  Layer.provide(layerState),
  Layer.provide(Telemetry.layer),
  Layer.provide(Logging.layerError),
  Layer.launch
)
