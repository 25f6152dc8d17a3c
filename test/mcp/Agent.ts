// An agent: the client of the Model Context Protocol's own SDK, talking to a running service.
import { Client } from "@modelcontextprotocol/sdk/client/index.js"
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js"
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js"
import { CallToolResultSchema } from "@modelcontextprotocol/sdk/types.js"
import { Effect, Schema } from "effect"
import { RunningService, get } from "../RunningService.ts"

/** The text of a result, which is JSON, and its structured data. */
export interface Result {
  readonly isError: boolean
  readonly text: string
  readonly structured: unknown
}

/** Connects, and leaves with the scope. */
const connected = (transport: Transport) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const client = new Client({ name: "a test", version: "1" })
      await client.connect(transport)
      return client
    }),
    (client) => Effect.promise(() => client.close())
  )

/** Calls a tool. Structured data that break the tool's output schema are a failure of the client's own. */
export const call = (client: Client, name: string, given: Readonly<Record<string, unknown>> = {}) =>
  Effect.promise(async (): Promise<Result> => {
    const result = CallToolResultSchema.parse(await client.callTool({ name, arguments: given }))
    const [content] = result.content
    return {
      isError: result.isError === true,
      text: content?.type === "text" ? content.text : "",
      structured: result.structuredContent
    }
  })

/** Over HTTP, as somebody in particular, or with a key. */
export const overHttp = Effect.fnUntraced(function* (headers: Readonly<Record<string, string>>) {
  const { baseUrl } = yield* RunningService
  return yield* connected(new StreamableHTTPClientTransport(new URL("/mcp", baseUrl), { requestInit: { headers } }))
})

/** Runs what waits for the service, while time passes for it. */
export const during = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.flatMap(RunningService, ({ serving }) => serving(effect))

/** One message without a client around it. */
export const post = Effect.fnUntraced(function* (body: unknown, headers: Readonly<Record<string, string>> = {}) {
  return yield* get("/mcp", {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: typeof body === "string" ? body : JSON.stringify(body)
  })
})

/** A message that wants an answer. */
export const message = (method: string, params: object = {}) => ({ jsonrpc: "2.0", id: 1, method, params })

/** What JSON-RPC answers. */
export const Answered = Schema.fromJsonString(
  Schema.Struct({
    jsonrpc: Schema.Literal("2.0"),
    id: Schema.NullOr(Schema.Union([Schema.String, Schema.Finite])),
    result: Schema.optionalKey(Schema.Unknown),
    error: Schema.optionalKey(
      Schema.Struct({ code: Schema.Int, message: Schema.NonEmptyString, data: Schema.optionalKey(Schema.Unknown) })
    )
  })
)
