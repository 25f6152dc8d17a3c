// Puts the gate around Effect's router: runs misses that passed the gate already, and calls the gate for all other requests.
import { Context, Effect, type Layer, Option, References, Tracer } from "effect"
import { HttpEffect, HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { Responses } from "../response/Responses.ts"
import { type RawResponse, toResponse } from "../response/RawResponse.ts"
import { withRateHeaders } from "../response/Headers.ts"
import { CurrentRequest } from "../request/CurrentRequest.ts"
import { Gate } from "./Gate.ts"
import { type CacheMiss, misses } from "./CacheMiss.ts"
import type { IncomingRequest } from "./IncomingRequest.ts"

type Response = HttpServerResponse.HttpServerResponse

export const GateMiddleware: Layer.Layer<never, never, HttpRouter.HttpRouter | Gate | Responses> =
  HttpRouter.middleware(
    Effect.gen(function* () {
      const gate = yield* Gate
      const { finish, respond } = yield* Responses

      return (handle) =>
        Effect.withFiber((fiber) => {
          const received = Context.getUnsafe(fiber.context, HttpServerRequest.HttpServerRequest)

          const routed = (miss: CacheMiss | undefined) => {
            if (miss === undefined) return handle
            const { question, record, request, span } = miss
            const { base, dialect, route } = request.parsed
            let finished: Response | undefined
            // A pre-response handler, because failures and defects become responses only after this middleware.
            HttpEffect.appendPreResponseHandlerUnsafe(fiber.context, (_request, response) => {
              const last =
                finished ?? (question === undefined ? withRateHeaders(request, response) : finish(request, response))
              record(last.status, route?.pattern ?? hostRouteOf(fiber.context))
              return Effect.succeed(last)
            })
            let context = Context.add(fiber.context, CurrentRequest, {
              base,
              dialect,
              id: request.id,
              plan: request.plan
            })
            context = Context.add(context, References.CurrentLogAnnotations, { request_id: request.id })
            if (span !== undefined) context = Context.add(context, Tracer.ParentSpan, span)
            if (question !== undefined && question.url !== received.url) {
              const asked = received.modify({ url: question.url })
              context = Context.add(context, HttpServerRequest.HttpServerRequest, asked)
            }
            // The server restores the context after the request.
            fiber.setContext(context)
            if (question === undefined) return handle
            return Effect.mapEager(respond(request, question, handle), (last) => (finished = last))
          }

          const passed = misses.get(received.source)
          if (passed !== undefined) return routed(passed)
          const decided = Effect.callback<RawResponse | CacheMiss | undefined>((resume) =>
            gate.handle(incomingOf(received, Context.getOrUndefined(fiber.context, Tracer.ParentSpan)), {
              respond: (response) => resume(Effect.succeed(response)),
              route: (miss) => resume(Effect.succeed(miss))
            })
          )
          return Effect.flatMap(decided, (left) =>
            left === undefined || "record" in left ? routed(left) : Effect.succeed(toResponse(left))
          )
        })
    }),
    { global: true }
  )

/** The pattern of a host's route, `other` for none. */
const hostRouteOf = (context: Context.Context<never>): string => {
  const path = Context.getOrUndefined(context, HttpRouter.RouteContext)?.route.path
  return path === undefined || path === "/*" ? "other" : path
}

const incomingOf = (
  { headers, method, remoteAddress, url }: HttpServerRequest.HttpServerRequest,
  span: Tracer.AnySpan | undefined
): IncomingRequest => ({
  method,
  target: url,
  headers,
  peer: Option.getOrUndefined(remoteAddress),
  span: span?._tag === "Span" ? span : undefined
})
