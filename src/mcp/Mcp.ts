// The tools as a server of the Model Context Protocol: name, revisions and tools.
import { Context, Effect, Layer } from "effect"
import { McpProtocol, McpSchema, McpServer } from "effect/ai"
import { Endpoints } from "../http/InProcess.ts"
import * as Paths from "../http/request/Paths.ts"
import { VERSION } from "../domain/version.ts"
import * as ToolCall from "./ToolCall.ts"
import { instructions, tools } from "./Tools.ts"
import { schemasOf } from "./ToolSchemas.ts"

/** Revisions with a handshake, the preferred one first. */
export const withHandshake = [
  McpProtocol.v2025_11_25,
  McpProtocol.v2025_06_18,
  McpProtocol.v2025_03_26,
  McpProtocol.v2024_11_05
] as const

/** Registers the tools. All are read-only, idempotent, and use data from outside. */
const layerTools = Layer.effectDiscard(
  Effect.gen(function* () {
    const server = yield* McpServer.McpServer
    const endpoints = yield* Endpoints
    for (const tool of tools) {
      const schemas = schemasOf(tool.path)
      yield* server.addTool({
        tool: new McpSchema.Tool({
          name: tool.name,
          title: tool.title,
          description: tool.description,
          inputSchema: schemas.input,
          outputSchema: schemas.output,
          annotations: {
            title: tool.title,
            readOnlyHint: true,
            destructiveHint: false,
            idempotentHint: true,
            openWorldHint: true
          }
        }),
        annotations: Context.empty(),
        handle: ToolCall.make(endpoints, tool, schemas)
      })
    }
  })
)

/** The transport over HTTP. */
export const layer = McpServer.layerHttp({
  name: "crypto-data-api",
  version: VERSION,
  description: "Crypto prices, P2P rates, conversions, and why coins move, each with source and time.",
  instructions,
  protocols: [...withHandshake, McpProtocol.v2026_07_28],
  registrations: layerTools,
  path: Paths.MCP,
  allowSessionTermination: true,
  allowSubscriptions: false
})
