// Requests so odd or so broken that Node would answer them itself, without our headers: not HTTP, headers too large, too slow to
// arrive, an unknown expectation, an upgrade, a tunnel. What can be read as a request goes to the service like any other; the
// rest is answered here with the same rate headers and a problem body, and costs one like any other.
import { DateTime, Effect, Layer, Random } from "effect"
import { type IncomingMessage, type Server, type ServerOptions, type ServerResponse, STATUS_CODES } from "node:http"
import type { Duplex } from "node:stream"
import * as ClientAddress from "../access/ClientAddress.ts"
import { free } from "../access/Plan.ts"
import { RateLimiter } from "../access/RateLimiter.ts"
import { explanations } from "../api/Problems.ts"
import { commonHeaders } from "../http/response/CommonHeaders.ts"
import * as Paths from "../http/Paths.ts"
import { rateHeaders } from "../http/gate/RateHeaders.ts"
import { BatchedResponse } from "./BatchedResponse.ts"

/** What a server needs so that nothing is answered by Node alone, and nobody slow or oversized has a hold on it. */
export const serverOptions = {
  headersTimeout: 10_000,
  requestTimeout: 15_000,
  connectionsCheckingInterval: 2_000,
  keepAliveTimeout: 65_000,
  maxHeaderSize: 16_384,
  // A request without Host is answered like any other, and so is one that would rather speak another protocol.
  requireHostHeader: false,
  shouldUpgradeCallback: () => false,
  ServerResponse: BatchedResponse
} as const satisfies ServerOptions

const codes: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: "headers_too_large",
  ERR_HTTP_REQUEST_TIMEOUT: "request_timeout"
}

/** Closing at once while bytes still arrive would lose the answer on its way; after this long it has been read or never will. */
const LINGER = "1 second"

/** A connection, as Node hands it out here. */
interface Connection extends Duplex {
  readonly remoteAddress?: string | undefined
  readonly bytesRead?: number
}

/** Answers broken requests on `server`. */
export const layer = (server: Server): Layer.Layer<never, never, RateLimiter> =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      const quotas = yield* RateLimiter
      const run = Effect.runForkWith(yield* Effect.context<never>())
      const start = yield* Random.nextIntBetween(0x10000000, 0xffffffff)
      const answered = new WeakSet<Connection>()
      const responses = new WeakMap<Connection, ServerResponse>()
      let count = 0

      const answer = Effect.fnUntraced(function* (connection: Connection, code: string, more: Record<string, string>) {
        const quota = yield* quotas.consume(ClientAddress.quotaKey(connection.remoteAddress, undefined, []), free)
        const now = yield* DateTime.now
        if (!connection.writable) return
        const { status = 400, text: detail, title } = explanations[code] ?? {}
        const instance = `${start.toString(16)}-x${(count++).toString(36)}`
        const body = JSON.stringify({ type: `/problems/${code}`, title, status, detail, code, instance })
        const headers = {
          ...commonHeaders,
          ...rateHeaders(quota),
          ...more,
          date: DateTime.toDateUtc(now).toUTCString(),
          "x-request-id": instance,
          "content-type": "application/problem+json",
          "content-length": String(Buffer.byteLength(body)),
          "cache-control": "no-store",
          connection: "close"
        }
        const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
        connection.end([`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...lines, "", body].join("\r\n"))
        yield* Effect.sleep(LINGER)
        connection.destroy()
      })

      const refuse = (connection: Connection, code: string, more: Record<string, string> = {}) => {
        if (answered.has(connection)) return
        answered.add(connection)
        connection.on("error", () => connection.destroy())
        run(answer(connection, code, more))
      }

      const onRequest = (request: IncomingMessage, response: ServerResponse) =>
        void responses.set(request.socket, response)

      const onClientError = (failure: Error & { readonly code?: string }, connection: Connection) => {
        // Gone, or connected in case there might be something to ask, as browsers do: there is no request to answer.
        if (failure.code === "ECONNRESET" || !connection.writable || connection.bytesRead === 0) {
          return void connection.destroy()
        }
        const code = codes[failure.code ?? ""] ?? "malformed_request"
        const response = responses.get(connection)
        // Never into the middle of an earlier answer on the same connection.
        if (response === undefined || response.writableFinished) refuse(connection, code)
        else response.once("finish", () => refuse(connection, code))
      }

      const onExpectation = (request: IncomingMessage, response: ServerResponse) =>
        void server.emit("request", request, response)

      const onTunnel = (_request: IncomingMessage, connection: Connection) =>
        refuse(connection, "method_not_allowed", { allow: Paths.ALLOWED })

      server.on("request", onRequest)
      server.on("clientError", onClientError)
      server.on("checkExpectation", onExpectation)
      server.on("connect", onTunnel)
      yield* Effect.addFinalizer(() =>
        Effect.sync(() => {
          server.off("request", onRequest)
          server.off("clientError", onClientError)
          server.off("checkExpectation", onExpectation)
          server.off("connect", onTunnel)
        })
      )
    })
  )
