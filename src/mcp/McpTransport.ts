// Answers each message with Effect's transport. Up to revision 2025-11-25 that transport requires sessions and never ends
// them, so each message gets a session of its own, which ends with the response.
import { Effect } from "effect"
import { HttpBody, HttpClientRequest, HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import * as InProcess from "../http/InProcess.ts"
import * as Paths from "../http/request/Paths.ts"
import * as Mcp from "./Mcp.ts"

/** The revision of a message without a version, by the protocol. */
const UNVERSIONED = "2025-03-26"

const SESSION = "mcp-session-id"
const VERSION = "mcp-protocol-version"

/** The headers of a message that the transport reads. */
const passedOn: ReadonlySet<string> = new Set([VERSION, "mcp-method", "mcp-name"])

const versions: ReadonlySet<string> = new Set(Mcp.withHandshake.map(({ protocolVersion }) => protocolVersion))

const ADDRESS = `http://localhost${Paths.MCP}`

type Response = HttpServerResponse.HttpServerResponse

export interface Message {
  readonly text: string
  readonly headers: Readonly<Record<string, string>>
  /** Whether it is `initialize`, which opens a session. */
  readonly isHandshake: boolean
}

export const make = Effect.gen(function* () {
  const app = yield* HttpRouter.toHttpEffect(Mcp.layer).pipe(InProcess.isolated, Effect.orDie)

  const ask = (request: HttpClientRequest.HttpClientRequest) =>
    InProcess.ask(app, HttpServerRequest.fromClientRequest(request))

  const post = (text: string, headers: Readonly<Record<string, string>> = {}) =>
    ask(
      HttpClientRequest.post(ADDRESS, {
        headers: { accept: "application/json, text/event-stream", ...headers },
        body: HttpBody.text(text, "application/json")
      })
    )

  const end = (session: string | undefined) =>
    session === undefined ? Effect.void : ask(HttpClientRequest.delete(ADDRESS, { headers: { [SESSION]: session } }))

  /** Runs `use` in a session of this handshake. */
  const inSession = (handshake: string, use: (opened: Response) => Effect.Effect<Response>) =>
    Effect.acquireUseRelease(post(handshake), use, ({ headers }) => end(headers[SESSION]))

  return (message: Message): Effect.Effect<Response> => {
    const { isHandshake, text } = message
    if (isHandshake) {
      return inSession(text, (opened) => Effect.succeed(HttpServerResponse.removeHeader(opened, SESSION)))
    }
    const headers = Object.fromEntries(Object.entries(message.headers).filter(([name]) => passedOn.has(name)))
    const version = headers[VERSION] ?? UNVERSIONED
    if (!versions.has(version)) return post(text, headers)
    return inSession(handshakeOf(version), (opened) =>
      post(text, { ...headers, [SESSION]: opened.headers[SESSION] ?? "" })
    )
  }
})

const handshakeOf = (protocolVersion: string): string =>
  JSON.stringify({
    jsonrpc: "2.0",
    id: 0,
    method: "initialize",
    params: { protocolVersion, capabilities: {}, clientInfo: { name: "unknown", version: "0" } }
  })
