// MCP over HTTP: one message in, one response out, at `/mcp`. Sessions are optional in the protocol and end with their
// message here: any replica answers any message, a restart loses nothing, and sessions cannot fill the memory. The
// transport is loaded with the first message, so that it does not delay the start.
//
// `Origin` is not checked. The protocol asks for it against DNS rebinding, by which a page could read
// private data; everything here is public, and CORS opens it to any page.
import { ByteSize, Effect, type Layer, Option, Predicate, Schema } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import * as InProcess from "../http/InProcess.ts"
import * as Paths from "../http/request/Paths.ts"
import type { Message } from "./McpTransport.ts"

/** The longest message, in bytes. Calls of tools have a few hundred. */
const LARGEST = 65_536

const transport = Effect.flatMap(
  Effect.promise(() => import("./McpTransport.ts")),
  ({ make }) => make
)

export const McpRoute: Layer.Layer<never, never, HttpRouter.HttpRouter | InProcess.Endpoints> = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const answering = yield* InProcess.lazy(transport)
    yield* router.add(
      "POST",
      Paths.MCP,
      Effect.fnUntraced(function* (request) {
        const message = yield* messageOf(request)
        return yield* (yield* answering)(message)
      }, Effect.catch(Effect.succeed))
    )
  })
)

type Refusal = HttpServerResponse.HttpServerResponse

/** A JSON-RPC error without the id of a message. */
const refused = (status: number, code: number, message: string) =>
  Effect.fail(HttpServerResponse.jsonUnsafe({ jsonrpc: "2.0", id: null, error: { code, message } }, { status }))

const tooLarge = refused(413, -32600, `The message must not be longer than ${LARGEST} bytes`)

const bodyOf = (request: HttpServerRequest.HttpServerRequest): Effect.Effect<string, Refusal> =>
  Number(request.headers["content-length"]) > LARGEST
    ? tooLarge
    : request.text.pipe(
        Effect.provideService(HttpServerRequest.MaxBodySize, ByteSize.bytes(LARGEST)),
        Effect.catch(() => tooLarge)
      )

const messageOf = Effect.fnUntraced(function* (
  request: HttpServerRequest.HttpServerRequest
): Effect.fn.Return<Message, Refusal> {
  const text = yield* bodyOf(request)
  const message = decode(text)
  if (Option.isNone(message)) {
    return yield* refused(400, -32700, "Parse error: the body must be one JSON-RPC message")
  }
  if (Array.isArray(message.value)) {
    return yield* refused(400, -32600, "Batches are not supported: send one message per request")
  }
  const isHandshake = Predicate.hasProperty(message.value, "method") && message.value.method === "initialize"
  return { text, headers: request.headers, isHandshake }
})

const decode = Schema.decodeOption(Schema.fromJsonString(Schema.Unknown))
