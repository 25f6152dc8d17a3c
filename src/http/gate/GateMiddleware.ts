// The gate around Effect's router. A miss that a listener has admitted is routed; other requests are admitted here first. Both come
// back as a response, which the platform sends.
import { Context, Effect, type Layer, Option, References, Tracer } from "effect"
import { HttpEffect, HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { Answers, completed, type Sent } from "../response/Answers.ts"
import { toResponse } from "../response/Outgoing.ts"
import type { Passage } from "../response/Passage.ts"
import * as Problem from "../response/Problem.ts"
import { CurrentRequest } from "../target/CurrentRequest.ts"
import { takes } from "../target/Routes.ts"
import { Gate, type Incoming } from "./Gate.ts"
import { Admitted, type Miss } from "./Miss.ts"

type Response = HttpServerResponse.HttpServerResponse

export const GateMiddleware: Layer.Layer<never, never, HttpRouter.HttpRouter | Gate | Answers> = HttpRouter.middleware(
  Effect.gen(function* () {
    const gate = yield* Gate
    const answers = yield* Answers

    return (handle) =>
      Effect.withFiber((fiber) => {
        const request = Context.getUnsafe(fiber.context, HttpServerRequest.HttpServerRequest)

        const routed = ({ passage, sent, span }: Miss) => {
          const { asked, id, plan } = passage
          let finished: Response | undefined
          // Here, because failures and defects become responses after this middleware.
          HttpEffect.appendPreResponseHandlerUnsafe(fiber.context, (_request, response) => {
            const last = finished ?? responseOf(completed(passage, response))
            sent(last.status, asked.route?.pattern ?? hostRouteOf(fiber.context))
            return Effect.succeed(last)
          })
          let context = Context.add(fiber.context, CurrentRequest, { ...asked, id, plan })
          context = Context.add(context, References.CurrentLogAnnotations, { request_id: id })
          if (span !== undefined) context = Context.add(context, Tracer.ParentSpan, span)
          // A path that is unknown here may be a host's, which is asked as it was sent.
          if (asked.route !== undefined && asked.url !== request.url) {
            context = Context.add(context, HttpServerRequest.HttpServerRequest, request.modify({ url: asked.url }))
          }
          // The server restores the context after the request.
          fiber.setContext(context)
          const refusal = refusalOf(passage)
          const made = refusal === undefined ? handle : Effect.succeed(Problem.response(refusal, { ...asked, id }))
          return Effect.mapEager(answers.made(passage, made), (last) => (finished = responseOf(last)))
        }

        const admitted = fiber.getRef(Admitted)
        if (admitted !== undefined) return routed(admitted)
        return Effect.flatten(
          Effect.callback<ReturnType<typeof routed>>((resume) =>
            gate.admit(
              incomingOf(request, Context.getOrUndefined(fiber.context, Tracer.ParentSpan)),
              (outgoing) => resume(Effect.succeed(Effect.succeed(toResponse(outgoing)))),
              (miss) => resume(Effect.succeed(Effect.suspend(() => routed(miss))))
            )
          )
        )
      })
  }),
  { global: true }
)

const responseOf = (sent: Sent): Response => (HttpServerResponse.isHttpServerResponse(sent) ? sent : toResponse(sent))

/** The pattern of a host's route. */
const hostRouteOf = (context: Context.Context<never>): string => {
  const path = Context.getOrUndefined(context, HttpRouter.RouteContext)?.route.path
  return path === undefined || path === "/*" ? "other" : path
}

const incomingOf = (
  { headers, method, remoteAddress, url }: HttpServerRequest.HttpServerRequest,
  span: Tracer.AnySpan | undefined
): Incoming => ({
  method,
  target: url,
  headers,
  peer: Option.getOrUndefined(remoteAddress),
  span: span?._tag === "Span" ? span : undefined
})

/** Why a request is not routed. Endpoints refuse their parameters themselves, all faults in one answer. */
const refusalOf = ({ asked, isRead, method }: Passage): Problem.Refusal | undefined => {
  const { faults, route, target } = asked
  if (!target.isPathDecodable && isRead)
    return Problem.invalid([{ parameter: "path", detail: "must be percent-encoded UTF-8" }])
  if (route === undefined) return undefined
  if (!takes(route, method)) return Problem.methodNotAllowed(method, route.allow)
  return faults === undefined || route.isEndpoint ? undefined : Problem.invalidParameters(faults)
}
