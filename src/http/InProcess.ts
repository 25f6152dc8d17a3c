// An app of ours asked from within the process: no socket and no gate, for whoever asks has passed the gate already. Each
// question has a scope and response headers of its own, and the context of who asks: the caller, and the id of the request.
import { Context, Deferred, Effect, Layer, type Scope } from "effect"
import { HttpEffect, HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import * as Paths from "./Paths.ts"
import * as ProblemBody from "./response/ProblemBody.ts"
import * as RequestId from "./gate/RequestId.ts"

/** What a router makes. */
export type App = Effect.Effect<
  HttpServerResponse.HttpServerResponse,
  unknown,
  HttpServerRequest.HttpServerRequest | Scope.Scope
>

/**
 * For `HttpRouter.toHttpEffect`: a router that is not the one which serves. Layers are shared by reference wherever they are
 * built, and the router is one; built apart, it is another.
 */
export const isolated = <A, E, R>(building: Effect.Effect<A, E, R>) =>
  building.pipe(
    Effect.provideServiceEffect(Layer.CurrentMemoMap, Layer.makeMemoMap),
    Effect.provideService(HttpRouter.RouterConfig, Paths.routerConfig)
  )

/**
 * What is built when it is first needed, and once: with the services and for as long as this effect's own, not those of the
 * request that happened to need it, which would be everybody's caller then.
 */
export const lazy = <A, E, R>(building: Effect.Effect<A, E, R>): Effect.Effect<Effect.Effect<A, E>, never, R> =>
  Effect.contextWith((context: Context.Context<R>) =>
    Effect.cached(Effect.uninterruptible(Effect.updateContext(building, (_request: Context.Context<never>) => context)))
  )

/** The id of what is asked on no request's behalf: there is one asker then, and its log is short. */
const NOBODY = "in-process"

/** Asks. Failures and defects are answers too, described as over HTTP. */
export const ask = (
  app: App,
  request: HttpServerRequest.HttpServerRequest
): Effect.Effect<HttpServerResponse.HttpServerResponse> =>
  Effect.gen(function* () {
    const asking = Context.getOrUndefined(yield* Effect.context(), HttpServerRequest.HttpServerRequest)
    const id = (asking && RequestId.of(asking)) ?? NOBODY
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

/** The body of an answer, whole. */
export const text = (response: HttpServerResponse.HttpServerResponse): Effect.Effect<string> =>
  Effect.promise(() => HttpServerResponse.toWeb(response).text())
