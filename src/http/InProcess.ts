// Requests to routes within the process, without a socket. They are not counted, because the outer request was. Each
// has its own scope and the context of its caller, so it keeps the caller's plan and the outer request's id.
import { Context, Deferred, Effect, Layer, type Scope } from "effect"
import { HttpClientRequest, HttpEffect, HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { memoized } from "../domain/rememberEach.ts"
import { routerConfig } from "./request/Paths.ts"
import { misses } from "./gate/CacheMiss.ts"
import { decide, isMiss } from "./gate/decide.ts"
import type { RawResponse } from "./response/RawResponse.ts"
import type { Headers } from "./response/Headers.ts"
import { Responses } from "./response/Responses.ts"
import { parsePath } from "./request/ParsedPath.ts"
import { CurrentRequest } from "./request/CurrentRequest.ts"
import * as Target from "./request/Target.ts"

type Response = HttpServerResponse.HttpServerResponse

/** Routes as one effect, as `HttpRouter.toHttpEffect` builds them. */
export type App = Effect.Effect<
  HttpServerResponse.HttpServerResponse,
  unknown,
  HttpServerRequest.HttpServerRequest | Scope.Scope
>

/**
 * Builds a router separate from the one that serves. Layers are memoized by reference, so a second router needs its own
 * memo map.
 */
export const isolated = <A, E, R>(building: Effect.Effect<A, E, R>) =>
  building.pipe(
    Effect.provideServiceEffect(Layer.CurrentMemoMap, Layer.makeMemoMap),
    Effect.provideService(HttpRouter.RouterConfig, routerConfig)
  )

/**
 * Defers building to the first use. Builds once, in the context of this effect: in the context of the first request, every
 * later request would have that request's caller.
 */
export const lazy = <A, E, R>(building: Effect.Effect<A, E, R>): Effect.Effect<Effect.Effect<A, E>, never, R> =>
  Effect.contextWith((context: Context.Context<R>) =>
    Effect.cached(Effect.uninterruptible(Effect.updateContext(building, (_request: Context.Context<never>) => context)))
  )

export const ask = (app: App, request: HttpServerRequest.HttpServerRequest): Effect.Effect<Response> =>
  Effect.gen(function* () {
    const sent = yield* Deferred.make<Response>()
    yield* HttpEffect.toHandled(app, (_request, response) =>
      Deferred.succeed(sent, HttpEffect.scopeTransferToStream(response))
    ).pipe(
      Effect.provideService(HttpServerRequest.HttpServerRequest, request),
      Effect.forkChild({ startImmediately: true })
    )
    return yield* Deferred.await(sent)
  })

export interface TextResponse {
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

const read = (sent: RawResponse | Response): Effect.Effect<TextResponse> => {
  const { headers, status } = sent
  if (HttpServerResponse.isHttpServerResponse(sent)) {
    return Effect.promise(async () => ({ status, headers, text: await HttpServerResponse.toWeb(sent).text() }))
  }
  const { content = "" } = sent
  const text = typeof content === "string" ? content : new TextDecoder().decode(content)
  return Effect.succeed({ status, headers, text })
}

/** Calls the contract's endpoints within the process. The gate decides, and a miss goes to the router that serves HTTP. */
export class Endpoints extends Context.Service<
  Endpoints,
  {
    /** The response to a GET of this path and query for the current caller. Outside of a request the plan is `free`. */
    readonly get: (url: string) => Effect.Effect<TextResponse>
  }
>()("crypto-data-api/http/Endpoints") {
  static readonly layer: Layer.Layer<Endpoints, never, HttpRouter.HttpRouter | Responses> = Layer.effect(
    Endpoints,
    Effect.gen(function* () {
      const responses = yield* Responses
      const router = yield* HttpRouter.HttpRouter
      // At the first call, when the router has all its routes.
      const app = memoized(() => router.asHttpEffect())
      return Endpoints.of({
        get: Effect.fnUntraced(function* (url) {
          const { base, id, plan } = yield* CurrentRequest
          const { path, query } = Target.parse(url)
          const parsed = { ...parsePath(path), base }
          const request = { ...uncounted, id, parsed, query, plan: plan ?? "free" }
          const deciding = decide(responses, request)
          const decision = deciding instanceof Promise ? yield* Effect.promise(() => deciding) : deciding
          if (!isMiss(decision)) return yield* read(decision)
          // Not a `URL`, which would resolve dots in the path.
          const received = HttpServerRequest.fromClientRequest(HttpClientRequest.get("http://localhost/"))
          misses.set(received.source, { request, question: decision, span: undefined, record: () => {} })
          return yield* read(yield* ask(app(), received.modify({ url: decision.url })))
        })
      })
    })
  )
}

/** The outer request was already counted, and these rate headers are never sent. */
const uncounted = {
  method: "GET",
  headers: {},
  isPrivate: false,
  quota: { limit: 0, remaining: 0, reset: 0, retryAfter: 1 }
}
