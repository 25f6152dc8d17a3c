// A server whose requests run without the given services in their context. Handlers keep the services they were built
// with; Effect copies the context of a request twice for each endpoint, and the services are two thirds of it.
import { Context, Effect, Layer, type Scope } from "effect"
import { HttpServer } from "effect/http"

export const leanServer = <S extends ReadonlyArray<Context.Key<unknown, unknown>>>(
  ...services: S
): Layer.Layer<HttpServer.HttpServer, never, HttpServer.HttpServer> =>
  Layer.effect(
    HttpServer.HttpServer,
    Effect.map(HttpServer.HttpServer, (server) =>
      HttpServer.make({
        address: server.address,
        serve: (app, middleware) =>
          Effect.updateContext(
            middleware === undefined ? server.serve(app) : server.serve(app, middleware),
            (context: Context.Context<Scope.Scope>) => Context.omit(...services)(context)
          )
      })
    )
  )
