// An HTTP server that sends cached answers and known refusals before Effect's server sees their requests: see
// `http/gate/DirectAnswers`.
// Measured over sockets, a price takes two thirds of the processor time.
import { Context, Effect, Layer } from "effect"
import { HttpServer } from "effect/http"
import type { IncomingMessage, Server, ServerResponse } from "node:http"
import { type Direct, DirectAnswers } from "../http/gate/DirectAnswers.ts"

type Listener = (request: IncomingMessage, response: ServerResponse) => void

/** Passes to `handle` what `direct` does not answer. */
const answering =
  (direct: Direct, handle: Listener): Listener =>
  (request, response) =>
    direct(
      {
        method: request.method,
        url: request.url,
        headers: request.headers,
        peer: request.socket.remoteAddress,
        source: request
      },
      (status, headers, content) => {
        // The client may be gone by now.
        if (response.destroyed) return
        response.writeHead(status, headers)
        response.end(request.method === "HEAD" ? undefined : content)
      },
      () => handle(request, response)
    )

/** Wraps the Effect server that serves on `server`. */
export const layer = (server: Server): Layer.Layer<HttpServer.HttpServer, never, HttpServer.HttpServer> =>
  Layer.effectContext(
    Effect.map(HttpServer.HttpServer, (inner) => {
      let direct: Direct | undefined
      const wrapped = HttpServer.make({
        address: inner.address,
        serve: Effect.fnUntraced(function* (app, middleware) {
          // The listener that the inner server adds is replaced by one that asks `direct` first.
          let handle: Listener | undefined
          const onListener = (event: string | symbol, listener: Listener) => {
            if (event === "request") handle = listener
          }
          server.on("newListener", onListener)
          yield* middleware === undefined ? inner.serve(app) : inner.serve(app, middleware)
          server.off("newListener", onListener)
          if (direct === undefined || handle === undefined) return
          const listener = answering(direct, handle)
          server.off("request", handle).on("request", listener)
          yield* Effect.addFinalizer(() => Effect.sync(() => server.off("request", listener)))
        })
      })
      return Context.make(HttpServer.HttpServer, wrapped).pipe(
        Context.add(DirectAnswers, { offer: (offered) => void (direct = offered) })
      )
    })
  )
