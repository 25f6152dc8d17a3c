// The HTTP server of the process. The gate handles each request first; a miss goes on to Effect's handler. It listens as soon as it is
// built: requests that come before the service is ready wait for it.
//
// When the service ends, the listener closes, requests under way get up to `GRACE` to complete, the rest are interrupted, and
// connections that are still open after that are closed.
import { NodeHttpServer } from "@effect/platform-node"
import { Duration, Effect, Layer, Schedule, Scope } from "effect"
import { HttpMiddleware, HttpServer, type HttpServerError } from "effect/http"
import type { IncomingMessage, Server, ServerResponse } from "node:http"
import { Gate } from "../http/gate/Gate.ts"
import { type CacheMiss, misses } from "../http/gate/CacheMiss.ts"
import type { RawResponse } from "../http/response/RawResponse.ts"
import { Lifecycle } from "../services/Lifecycle.ts"

/** How long requests under way may take after the listener has closed. */
export const GRACE = Duration.seconds(10)

/** Time for the last bytes of interrupted responses to be sent before connections are closed. */
const FLUSH = "100 millis"

/** The most requests that wait for the service to start. A client may send thousands over one connection. */
const MOST_WAITING = 10_000

type Listener = (request: IncomingMessage, response: ServerResponse) => void

/**
 * Handles the requests of one turn of the event loop after all of them were read. Reading and answering then do not alternate,
 * which costs a third less processor time where many connections ask at once.
 */
const afterReading = (handle: Listener): Listener => {
  let read: Array<Parameters<Listener>> = []
  const handleAll = () => {
    const exchanges = read
    read = []
    for (const exchange of exchanges) handle(...exchange)
  }
  return (...exchange) => {
    if (read.push(exchange) === 1) setImmediate(handleAll)
  }
}

/**
 * Whether the head may mean two requests. Of several hosts or `Authorization` headers Node keeps the first; the body of an HTTP/1.0 request
 * has no chunks.
 */
const isAmbiguous = ({ headers, httpVersion, rawHeaders }: IncomingMessage): boolean => {
  if (httpVersion === "1.0" && headers["transfer-encoding"] !== undefined) return true
  let hosts = 0
  for (let n = 0; n < rawHeaders.length; n += 2) {
    const name = rawHeaders[n] ?? ""
    if (name.length === HOST.length && name.toLowerCase() === HOST && ++hosts > 1) return true
    if (name.length === AUTHORIZATION.length && name.toLowerCase() === AUTHORIZATION) {
      if (rawHeaders[n + 1] !== headers[AUTHORIZATION]) return true
    }
  }
  return false
}

const [HOST, AUTHORIZATION] = ["host", "authorization"] as const

/** Sends what the gate answers, and leaves the rest to the router. A miss goes there with its request. */
const throughGate =
  (gate: Gate["Service"], router: Listener): Listener =>
  (request, response) => {
    const { headers, method = "GET", socket, url = "/" } = request
    /** A response that cannot be written ends only its own connection. */
    const bounded = (write: () => void) => {
      // The client may be gone by now.
      if (response.destroyed) return
      try {
        write()
      } catch (cause) {
        response.destroy(cause instanceof Error ? cause : undefined)
      }
    }
    const respond = ({ content, headers, status }: RawResponse) =>
      bounded(() => {
        response.writeHead(status, headers)
        response.end(method === "HEAD" ? undefined : content)
      })
    const route = (miss: CacheMiss | undefined) =>
      bounded(() => {
        if (miss !== undefined) misses.set(request, miss)
        router(request, response)
      })
    const ambiguous = isAmbiguous(request)
    if (ambiguous) response.shouldKeepAlive = false
    const incoming = { method, target: url, headers, peer: socket.remoteAddress, isAmbiguous: ambiguous }
    bounded(() => gate.handle(incoming, { respond, route }))
  }

/** Closes the listener and completes when its last connection has ended. */
const close = (server: Server) =>
  Effect.callback<void>((resume) => {
    if (server.listening) server.close(() => resume(Effect.void))
    else resume(Effect.void)
  })

/** Connections that become idle after the listener has closed would keep it from ending. */
const closeIdle = (server: Server) =>
  Effect.repeat(
    Effect.sync(() => server.closeIdleConnections()),
    Schedule.spaced("100 millis")
  )

export interface Options {
  readonly host: string
  /** 0 lets the system choose a free port. */
  readonly port: number
}

/** Serves on this server, whose options are the caller's. */
export const layer = (
  server: Server,
  options: Options
): Layer.Layer<HttpServer.HttpServer, HttpServerError.ServeError, Gate | Lifecycle> =>
  Layer.effect(
    HttpServer.HttpServer,
    Effect.gen(function* () {
      const gate = yield* Gate
      const { draining } = yield* Lifecycle
      const waiting: Array<Parameters<Listener>> = []
      let handle: Listener = (request, response) => {
        if (waiting.length < MOST_WAITING) waiting.push([request, response])
        else request.socket.destroy()
      }
      let isDraining = false
      const onRequest = afterReading((request, response) => {
        if (isDraining) response.shouldKeepAlive = false
        handle(request, response)
      })
      server.on("request", onRequest)

      const { address } = yield* NodeHttpServer.make(() => server, options)
      yield* Effect.addFinalizer(() =>
        Effect.gen(function* () {
          const left = yield* Effect.callback<number>((resume) => {
            server.getConnections((_failure, count) => resume(Effect.succeed(count)))
          })
          if (left > 0) {
            yield* Effect.logWarning(`Closing ${left} connections that are still open`)
            yield* Effect.sleep(FLUSH)
          }
          const closed = close(server)
          server.closeAllConnections()
          yield* closed
          server.off("request", onRequest)
        })
      )
      yield* draining.pipe(Effect.andThen(Effect.sync(() => (isDraining = true))), Effect.forkScoped)

      return HttpServer.make({
        address,
        serve: Effect.fnUntraced(function* (app, middleware) {
          const requests = yield* Scope.fork(yield* Effect.scope)
          const whole: typeof app = middleware === undefined ? app : middleware(app)
          const router: Listener = yield* Effect.provideService(
            NodeHttpServer.makeHandler(whole, { scope: requests }),
            HttpMiddleware.TracerDisabledWhen,
            // The gate begins the span of a request.
            () => true
          )
          // Added last, so that it runs before the requests are interrupted.
          yield* Effect.addFinalizer(() =>
            Effect.raceFirst(close(server), closeIdle(server)).pipe(Effect.timeoutOption(GRACE), Effect.asVoid)
          )
          handle = throughGate(gate, router)
          for (const exchange of waiting.splice(0)) handle(...exchange)
        })
      })
    })
  )
