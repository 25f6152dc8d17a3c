// Requests to routes within the process, without a socket. They skip the gate, because the outer request has passed it. Each
// has its own scope and the context of its caller, so it keeps the caller's plan and the outer request's id.
import { Context, Deferred, Effect, Layer, type Scope } from "effect"
import { HttpClientRequest, HttpEffect, HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { routerConfig } from "./request/Paths.ts"
import { decide, isMiss } from "./gate/decide.ts"
import type { RawResponse } from "./response/RawResponse.ts"
import type { Responses } from "./response/Responses.ts"
import * as Problem from "./response/Problem.ts"
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

/** The response to a request. Failures and defects become problems, as over HTTP. */
export const ask = (app: App, request: HttpServerRequest.HttpServerRequest): Effect.Effect<Response> =>
  Effect.gen(function* () {
    const { base, dialect, id } = yield* CurrentRequest
    const sent = yield* Deferred.make<Response>()
    yield* HttpEffect.toHandled(app, (_request, response) => {
      const refusal = Problem.standingFor(response, { base, dialect, path: request.url })
      const whole = HttpEffect.scopeTransferToStream(response)
      return Deferred.succeed(sent, refusal === undefined ? whole : Problem.response(refusal, { base, dialect, id }))
    }).pipe(
      Effect.provideService(HttpServerRequest.HttpServerRequest, request),
      Effect.forkChild({ startImmediately: true })
    )
    return yield* Deferred.await(sent)
  })

export interface TextResponse {
  readonly status: number
  readonly text: string
}

const read = (sent: RawResponse | Response): Effect.Effect<TextResponse> => {
  const { status } = sent
  if (HttpServerResponse.isHttpServerResponse(sent)) {
    return Effect.promise(async () => ({ status, text: await HttpServerResponse.toWeb(sent).text() }))
  }
  const { content = "" } = sent
  return Effect.succeed({ status, text: typeof content === "string" ? content : new TextDecoder().decode(content) })
}

/** Calls the contract's endpoints within the process, with the same handlers and validation as over HTTP. */
export class Endpoints extends Context.Service<
  Endpoints,
  {
    /** The response to a GET of this path and query for the current caller. Outside of a request the plan is `free`. */
    readonly get: (url: string) => Effect.Effect<TextResponse>
  }
>()("crypto-data-api/http/Endpoints") {
  static readonly over = (app: Effect.Effect<App>, responses: Responses["Service"]): Endpoints["Service"] =>
    Endpoints.of({
      get: Effect.fnUntraced(function* (url) {
        const { base, id, plan } = yield* CurrentRequest
        const { path, query } = Target.parse(url)
        const parsed = { ...parsePath(path), base }
        const request = { ...uncounted, id, parsed, query, plan: plan ?? "free" }
        const deciding = decide(responses, request)
        const decision = deciding instanceof Promise ? yield* Effect.promise(() => deciding) : deciding
        if (!isMiss(decision)) return yield* read(decision)
        // Not a `URL`, which would resolve dots in the path.
        const received = HttpServerRequest.fromClientRequest(nowhere).modify({ url: decision.url })
        const made = responses.respond(request, decision, ask(yield* app, received))
        const { dialect } = parsed
        const current = { base, dialect, id, plan: plan ?? "free" } as const
        return yield* read(yield* Effect.provideService(made, CurrentRequest, current))
      })
    })
}

/** The outer request was already counted, and these rate headers are never sent. */
const uncounted = {
  method: "GET",
  headers: {},
  hasKey: false,
  quota: { limit: 0, remaining: 0, reset: 0, retryAfter: 1 }
}

const nowhere = HttpClientRequest.get("http://localhost/")
