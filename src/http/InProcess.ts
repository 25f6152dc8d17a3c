// Requests to routes within the process, without a socket and without the gate, which the outer request has passed. Each
// has a scope of its own and the context of its caller, so it keeps the caller's plan and the outer request's id.
import { Context, Deferred, Effect, Layer, type Scope } from "effect"
import { HttpClientRequest, HttpEffect, HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import * as Paths from "./Paths.ts"
import * as ProblemBody from "./response/ProblemBody.ts"
import * as RequestId from "./response/RequestId.ts"

/** Routes as one effect, as `HttpRouter.toHttpEffect` builds them. */
export type App = Effect.Effect<
  HttpServerResponse.HttpServerResponse,
  unknown,
  HttpServerRequest.HttpServerRequest | Scope.Scope
>

/**
 * Builds a router apart from the one that serves. Layers are memoized by reference, the router's among them; with a memo
 * map of its own it is built again.
 */
export const isolated = <A, E, R>(building: Effect.Effect<A, E, R>) =>
  building.pipe(
    Effect.provideServiceEffect(Layer.CurrentMemoMap, Layer.makeMemoMap),
    Effect.provideService(HttpRouter.RouterConfig, Paths.routerConfig)
  )

/**
 * Defers building to the first use. It is built once, in the context of this effect: in that of the first request, every
 * later one would have that request's caller.
 */
export const lazy = <A, E, R>(building: Effect.Effect<A, E, R>): Effect.Effect<Effect.Effect<A, E>, never, R> =>
  Effect.contextWith((context: Context.Context<R>) =>
    Effect.cached(Effect.uninterruptible(Effect.updateContext(building, (_request: Context.Context<never>) => context)))
  )

/** The request id where there is no outer request, as in MCP over standard input and output. */
const NO_REQUEST = "in-process"

export const requestId: Effect.Effect<string> = Effect.contextWith((context: Context.Context<never>) => {
  const outer = Context.getOrUndefined(context, HttpServerRequest.HttpServerRequest)
  return Effect.succeed((outer && RequestId.of(outer)) ?? NO_REQUEST)
})

/** The response to a request. Failures and defects become problems, as over HTTP. */
export const ask = (
  app: App,
  request: HttpServerRequest.HttpServerRequest
): Effect.Effect<HttpServerResponse.HttpServerResponse> =>
  Effect.gen(function* () {
    const id = yield* requestId
    RequestId.mark(request, id)
    const answered = yield* Deferred.make<HttpServerResponse.HttpServerResponse>()
    yield* HttpEffect.toHandled(app, (_request, response) =>
      Deferred.succeed(answered, ProblemBody.complete(id, request, HttpEffect.scopeTransferToStream(response)))
    ).pipe(
      Effect.provideService(HttpServerRequest.HttpServerRequest, request),
      Effect.forkChild({ startImmediately: true })
    )
    return yield* Deferred.await(answered)
  })

export const text = (response: HttpServerResponse.HttpServerResponse): Effect.Effect<string> =>
  Effect.promise(() => HttpServerResponse.toWeb(response).text())

/** The contract's endpoints within the process, with the handlers and the validation that serve over HTTP. */
export class Endpoints extends Context.Service<
  Endpoints,
  {
    /** The response to a GET of this path and query for the current caller. Outside of a request the plan is free. */
    readonly get: (url: string) => Effect.Effect<HttpServerResponse.HttpServerResponse>
  }
>()("crypto-data-api/http/Endpoints") {
  static readonly over = (app: Effect.Effect<App>): Endpoints["Service"] =>
    Endpoints.of({
      // A URL made of the path would resolve its dots.
      get: (url) =>
        Effect.flatMap(app, (routes) => ask(routes, HttpServerRequest.fromClientRequest(nowhere).modify({ url })))
    })
}

const nowhere = HttpClientRequest.get("http://localhost/")
