// MCP over HTTP: one message in, one answer out, at `/mcp`. No session outlives its message: any replica can answer any of them,
// a restart goes unnoticed, and nobody can fill the memory with sessions. The protocol leaves it to the server to have none.
// What answers is loaded with the first message, and no start waits for it.
//
// `Origin` is not looked at. The protocol wants it checked lest a page have a name of its own point here and read what only the
// reader of the page may; but here is nothing that is not public, and any page may ask for it by CORS anyway.
import { ByteSize, Effect, type Layer, Option, Predicate, Result, Schema } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import type { Endpoints } from "../http/Endpoints.ts"
import * as InProcess from "../http/InProcess.ts"
import { withHeader } from "../http/response/RequestState.ts"
import * as Paths from "../http/Paths.ts"
import type { Message } from "./McpTransport.ts"

/** In bytes. The longest message that a tool could need has some hundreds. */
const LARGEST = 65_536

const transport = Effect.flatMap(
  Effect.promise(() => import("./McpTransport.ts")),
  ({ make }) => make
)

/** Serves it. */
export const McpRoute: Layer.Layer<never, never, HttpRouter.HttpRouter | Endpoints> = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const answering = yield* InProcess.lazy(transport)
    yield* router.add(
      "POST",
      Paths.MCP,
      Effect.fnUntraced(function* (request) {
        yield* withHeader("cache-control", "no-store")
        const message = yield* Effect.result(messageOf(request))
        return Result.isFailure(message) ? message.failure : yield* (yield* answering)(message.success)
      })
    )
  })
)

type Refusal = HttpServerResponse.HttpServerResponse

/** A refusal in the words of JSON-RPC, of which it cannot be told to which message it belongs. */
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
    return yield* refused(
      400,
      -32600,
      "Batches are not answered: send one message in a request, for each counts as one"
    )
  }
  const isHandshake = Predicate.hasProperty(message.value, "method") && message.value.method === "initialize"
  return { text, headers: request.headers, isHandshake }
})

const decode = Schema.decodeOption(Schema.fromJsonString(Schema.Unknown))
