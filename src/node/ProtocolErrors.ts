// Requests that Node would answer by itself, without the headers that every response carries: malformed HTTP, too large
// headers, timeouts, unknown expectations, upgrades, tunnels. Those that can be parsed go to the service like any other
// request. The others are answered here with rate headers and a problem body, and count one request against the
// client's address; over the limit they are a 429.
import { DateTime, Effect, Layer, Random } from "effect"
import {
  createServer,
  type IncomingMessage,
  type Server,
  type ServerOptions,
  ServerResponse,
  STATUS_CODES
} from "node:http"
import type { Duplex } from "node:stream"
import * as ClientAddress from "../access/ClientAddress.ts"
import { Plans } from "../access/Plan.ts"
import { RateLimiter } from "../access/RateLimiter.ts"
import { ownDialect } from "../api/Dialect.ts"
import { explanations, type ProblemCode } from "../api/Problems.ts"
import { rateLimited } from "../http/gate/GateResponses.ts"
import { OperatorContact } from "../http/OperatorContact.ts"
import { PublicUrl } from "../http/PublicUrl.ts"
import { headersOf } from "../http/response/Headers.ts"
import * as Problem from "../http/response/Problem.ts"
import { MAX_HEADER_BYTES } from "../http/request/Paths.ts"
import { READ_ONLY, varyOf } from "../http/request/Routes.ts"

/** Limits on size and time. Node itself answers as little as possible. */
const serverOptions = {
  headersTimeout: 10_000,
  requestTimeout: 15_000,
  connectionsCheckingInterval: 2_000,
  keepAliveTimeout: 65_000,
  maxHeaderSize: MAX_HEADER_BYTES,
  // Requests without Host and with Upgrade are passed to the service, which answers them over HTTP/1.1.
  requireHostHeader: false,
  shouldUpgradeCallback: () => false
} as const satisfies ServerOptions

/**
 * Node checks a connection after this many milliseconds without progress. If two checks find the same number of unsent bytes, the client
 * does not read its answer, and the connection is closed. No handler takes 30 s.
 */
const STALLED = 15_000

/** A server with these limits, which does not listen yet. `options` replaces some of them. */
export const makeServer = (options: ServerOptions = {}): Server => {
  const server = createServer({ ...serverOptions, ...options })
  server.timeout = STALLED
  // Their size is limited, not their number: beyond a number Node drops headers, such as a proxy's X-Forwarded-For, or the request.
  server.maxHeadersCount = 0
  return server
}

const codes: Readonly<Record<string, ProblemCode>> = {
  HPE_HEADER_OVERFLOW: "headers_too_large",
  ERR_HTTP_REQUEST_TIMEOUT: "request_timeout"
}

/**
 * Delay before the socket is destroyed. Destroying it while the client still sends would reset the connection and lose
 * the response.
 */
const LINGER = "1 second"

/** A handler that needs the body of its request begins to read it within this time. */
const READS_WITHIN = "200 millis"

/** The socket, in the type that Node's events give it. */
interface Connection extends Duplex {
  readonly remoteAddress?: string | undefined
  readonly bytesRead?: number
}

/** Whether a handler waits for the rest of a body, so that it would never respond. */
const waitsForBody = ({ headersSent, req }: ServerResponse): boolean =>
  !headersSent && !req.complete && req.readableFlowing !== null

export const layer = (server: Server): Layer.Layer<never, never, RateLimiter> =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      const limiter = yield* RateLimiter
      const free = { name: "free", limit: (yield* Plans).limits.free } as const
      const contact = yield* OperatorContact
      const { path: base } = yield* PublicUrl
      const run = Effect.runForkWith(yield* Effect.context<never>())
      const start = yield* Random.nextIntBetween(0x10000000, 0xffffffff)
      const refused = new WeakSet<Connection>()
      const responses = new WeakMap<Connection, ServerResponse>()
      let count = 0

      const answer = Effect.fnUntraced(function* (
        connection: Connection,
        code: ProblemCode,
        more: Record<string, string>
      ) {
        // The response before was the last one of this connection, or the client is gone.
        if (!connection.writable) return
        const quota = yield* limiter.consume(ClientAddress.peerKey(connection.remoteAddress), free)
        const now = yield* DateTime.now
        const id = `${start.toString(16)}-x${(count++).toString(36)}`
        const refusal =
          quota.remaining < 0 ? rateLimited(quota, contact) : { code, detail: explanations[code].text, headers: more }
        const problem = Problem.write(refusal, { base, dialect: ownDialect }, id)
        const { status, text: body } = problem
        const headers = {
          ...headersOf({ id, quota, parsed: { base, vary: varyOf(ownDialect) } }, problem.headers),
          date: DateTime.toDateUtc(now).toUTCString(),
          connection: "close"
        }
        const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
        connection.end([`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...lines, "", body].join("\r\n"))
        yield* Effect.sleep(LINGER)
        connection.destroy()
      })

      const refuse = (connection: Connection, code: ProblemCode, more: Record<string, string> = {}) => {
        if (refused.has(connection)) return
        refused.add(connection)
        connection.on("error", () => connection.destroy())
        run(answer(connection, code, more))
      }

      const onClientError = (failure: Error & { readonly code?: string }, connection: Connection) => {
        // A refused client may still send.
        if (refused.has(connection)) return
        // The client is gone, or sent nothing at all, as browsers do with speculative connections. No request, no
        // response.
        if (failure.code === "ECONNRESET" || !connection.writable || connection.bytesRead === 0) {
          return void connection.destroy()
        }
        const code = codes[failure.code ?? ""] ?? "malformed_request"
        const response = responses.get(connection)
        if (response === undefined || response.writableFinished) return refuse(connection, code)
        if (refuseBody(connection, response, code)) return
        // An earlier response on this connection is completed first.
        response.once("finish", () => refuse(connection, code))
        // The handler of this request may not have begun to read.
        run(
          Effect.delay(
            Effect.sync(() => refuseBody(connection, response, code)),
            READS_WITHIN
          )
        )
      }

      /** Refuses a request whose body does not come; false if its handler does not wait for it. */
      const refuseBody = (connection: Connection, response: ServerResponse, code: ProblemCode): boolean => {
        if (!waitsForBody(response)) return false
        if (response.socket === null) connection.destroy()
        else refuse(connection, code)
        return true
      }

      // Without this listener Node closes a silent connection.
      const onSilence = (connection: Connection) => {
        const response = responses.get(connection)
        if (response === undefined || !refuseBody(connection, response, "request_timeout")) connection.destroy()
      }

      const listeners = {
        request: (request: IncomingMessage, response: ServerResponse) => void responses.set(request.socket, response),
        clientError: onClientError,
        timeout: onSilence,
        checkExpectation: (request: IncomingMessage, response: ServerResponse) =>
          void server.emit("request", request, response),
        connect: (_request: IncomingMessage, connection: Connection) =>
          refuse(connection, "method_not_allowed", { allow: READ_ONLY })
      }
      for (const [event, listener] of Object.entries(listeners)) {
        server.on(event, listener)
        yield* Effect.addFinalizer(() => Effect.sync(() => server.off(event, listener)))
      }
    })
  )
