// Puts the gate around Effect's router. Routes the misses of a listener that has called the gate, and calls the gate for all other
// requests. Returns the response, which the platform sends.
import { Context, Effect, type Layer, Option, References, Tracer } from "effect"
import { HttpEffect, HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { Responses, finalResponse, type FinalResponse } from "../response/Responses.ts"
import { toResponse } from "../response/RawResponse.ts"
import type { CountedRequest } from "../response/CountedRequest.ts"
import * as Problem from "../response/Problem.ts"
import { CurrentRequest } from "../request/CurrentRequest.ts"
import { takes } from "../request/Routes.ts"
import { Gate, type IncomingRequest } from "./Gate.ts"
import { CurrentMiss, type CacheMiss } from "./CacheMiss.ts"

type Response = HttpServerResponse.HttpServerResponse

export const GateMiddleware: Layer.Layer<never, never, HttpRouter.HttpRouter | Gate | Responses> =
  HttpRouter.middleware(
    Effect.gen(function* () {
      const gate = yield* Gate
      const responses = yield* Responses

      return (handle) =>
        Effect.withFiber((fiber) => {
          const received = Context.getUnsafe(fiber.context, HttpServerRequest.HttpServerRequest)

          const routed = ({ record, request, span }: CacheMiss) => {
            const { parsed, id, plan } = request
            let finished: Response | undefined
            // A pre-response handler, because failures and defects become responses only after this middleware.
            HttpEffect.appendPreResponseHandlerUnsafe(fiber.context, (_request, response) => {
              const last = finished ?? responseOf(finalResponse(request, response))
              record(last.status, parsed.route?.pattern ?? hostRouteOf(fiber.context))
              return Effect.succeed(last)
            })
            let context = Context.add(fiber.context, CurrentRequest, { ...parsed, id, plan })
            context = Context.add(context, References.CurrentLogAnnotations, { request_id: id })
            if (span !== undefined) context = Context.add(context, Tracer.ParentSpan, span)
            // An unknown path may be a host's route, which gets the original URL.
            if (parsed.route !== undefined && parsed.url !== received.url) {
              context = Context.add(context, HttpServerRequest.HttpServerRequest, received.modify({ url: parsed.url }))
            }
            // The server restores the context after the request.
            fiber.setContext(context)
            const refusal = refusalOf(request)
            const made = refusal === undefined ? handle : Effect.succeed(Problem.response(refusal, { ...parsed, id }))
            return Effect.mapEager(responses.respond(request, made), (last) => (finished = responseOf(last)))
          }

          const miss = fiber.getRef(CurrentMiss)
          if (miss !== undefined) return routed(miss)
          return Effect.flatten(
            Effect.callback<ReturnType<typeof routed>>((resume) =>
              gate.handle(
                incomingOf(received, Context.getOrUndefined(fiber.context, Tracer.ParentSpan)),
                (response) => resume(Effect.succeed(Effect.succeed(toResponse(response)))),
                (miss) => resume(Effect.succeed(Effect.suspend(() => routed(miss))))
              )
            )
          )
        })
    }),
    { global: true }
  )

const responseOf = (sent: FinalResponse): Response =>
  HttpServerResponse.isHttpServerResponse(sent) ? sent : toResponse(sent)

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

/** Why a request is not routed; `undefined` if it is. Endpoints check their own parameters and report all faults at once. */
const refusalOf = ({ parsed, isRead, method }: CountedRequest): Problem.ProblemDetails | undefined => {
  const { dialect, faults, route, target, url } = parsed
  if (!target.isPathDecodable && isRead)
    return Problem.invalid([{ parameter: "path", detail: "must be percent-encoded UTF-8" }])
  if (route === undefined) {
    const detail = dialect.unserved?.(url)
    return detail === undefined ? undefined : { code: "not_found", detail }
  }
  if (!takes(route, method)) return Problem.methodNotAllowed(method, route.allow)
  return faults === undefined || route.isEndpoint ? undefined : Problem.invalidParameters(faults)
}
