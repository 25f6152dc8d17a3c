// MCP over HTTP: one message in, one answer out, at `/mcp`. No session outlives its message: any replica can answer any of them,
// a restart goes unnoticed, and nobody can fill the memory with sessions. The protocol leaves it to the server to have none.
//
// `Origin` is not looked at. The protocol wants it checked lest a page have a name of its own point here and read what only the
// reader of the page may; but here is nothing that is not public, and any page may ask for it by CORS anyway.
import { ByteSize, Effect, type Layer, Option, Predicate, Result, Schema } from "effect"
import { McpServer } from "effect/ai"
import { HttpBody, HttpClientRequest, HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { withHeader } from "../http/Notes.ts"
import type { Endpoints } from "../http/Endpoints.ts"
import * as InProcess from "../http/InProcess.ts"
import * as Paths from "../http/Paths.ts"
import * as Mcp from "./Mcp.ts"

/** In bytes. The longest message that a tool could need has some hundreds. */
const LARGEST = 65_536

/** What a message without a version is taken to be of, as the protocol says. */
const UNVERSIONED = "2025-03-26"

const SESSION = "mcp-session-id"
const VERSION = "mcp-protocol-version"

/** Headers of a message that the transport reads. */
const passedOn: ReadonlySet<string> = new Set([VERSION, "mcp-method", "mcp-name"])

const versions: ReadonlySet<string> = new Set(Mcp.withHandshake.map(({ protocolVersion }) => protocolVersion))

const ADDRESS = `http://localhost${Paths.MCP}`

type Response = HttpServerResponse.HttpServerResponse

/** Effect's transport on a router of its own, where only this route asks it. */
const transport = McpServer.layerHttp({
  ...Mcp.options,
  path: Paths.MCP,
  allowSessionTermination: true,
  allowSubscriptions: false
})

/** Serves it. */
export const McpRoute: Layer.Layer<never, never, HttpRouter.HttpRouter | Endpoints> = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const app = yield* HttpRouter.toHttpEffect(transport).pipe(InProcess.apart, Effect.orDie)

    const ask = (request: HttpClientRequest.HttpClientRequest) =>
      InProcess.ask(app, HttpServerRequest.fromClientRequest(request))

    const post = (message: string, headers: Readonly<Record<string, string>> = {}) =>
      ask(
        HttpClientRequest.post(ADDRESS, {
          headers: { accept: "application/json, text/event-stream", ...headers },
          body: HttpBody.text(message, "application/json")
        })
      )

    const end = (session: string | undefined) =>
      session === undefined ? Effect.void : ask(HttpClientRequest.delete(ADDRESS, { headers: { [SESSION]: session } }))

    /** Up to 2025-11-25 no message goes without a session: each gets one, opened by a handshake, ours or its own. */
    const inSession = (handshake: string, use: (opened: Response) => Effect.Effect<Response>) =>
      Effect.acquireUseRelease(post(handshake), use, ({ headers }) => end(headers[SESSION]))

    yield* router.add(
      "POST",
      Paths.MCP,
      Effect.fnUntraced(function* (request) {
        yield* withHeader("cache-control", "no-store")
        const received = yield* Effect.result(Effect.flatMap(bodyOf(request), messageOf))
        if (Result.isFailure(received)) return received.failure
        const { isHandshake, text } = received.success
        if (isHandshake) {
          return yield* inSession(text, (opened) => Effect.succeed(HttpServerResponse.removeHeader(opened, SESSION)))
        }
        const headers = Object.fromEntries(Object.entries(request.headers).filter(([name]) => passedOn.has(name)))
        const version = request.headers[VERSION] ?? UNVERSIONED
        if (!versions.has(version)) return yield* post(text, headers)
        return yield* inSession(handshakeOf(version), (opened) =>
          post(text, { ...headers, [SESSION]: opened.headers[SESSION] ?? "" })
        )
      })
    )
  })
)

/** A refusal in the words of JSON-RPC, of which it cannot be told to which message it belongs. */
const refused = (status: number, code: number, message: string) =>
  Effect.fail(HttpServerResponse.jsonUnsafe({ jsonrpc: "2.0", id: null, error: { code, message } }, { status }))

const tooLarge = refused(413, -32600, `The message must not be longer than ${LARGEST} bytes`)

const bodyOf = (request: HttpServerRequest.HttpServerRequest): Effect.Effect<string, Response> =>
  Number(request.headers["content-length"]) > LARGEST
    ? tooLarge
    : request.text.pipe(
        Effect.provideService(HttpServerRequest.MaxBodySize, ByteSize.bytes(LARGEST)),
        Effect.catch(() => tooLarge)
      )

const messageOf = (text: string): Effect.Effect<{ readonly text: string; readonly isHandshake: boolean }, Response> => {
  const message = decode(text)
  if (Option.isNone(message)) return refused(400, -32700, "Parse error: the body must be one JSON-RPC message")
  if (Array.isArray(message.value)) {
    return refused(400, -32600, "Batches are not answered: send one message in a request, for each counts as one")
  }
  return Effect.succeed({
    text,
    isHandshake: Predicate.hasProperty(message.value, "method") && message.value.method === "initialize"
  })
}

const decode = Schema.decodeOption(Schema.fromJsonString(Schema.Unknown))

/** What a client of this revision would say first. */
const handshakeOf = (protocolVersion: string): string =>
  JSON.stringify({
    jsonrpc: "2.0",
    id: 0,
    method: "initialize",
    params: { protocolVersion, capabilities: {}, clientInfo: { name: "unknown", version: "0" } }
  })
