// The gate around Effect's router. A miss that a listener has admitted is routed; other requests are admitted here first.
import { Context, Effect, type Layer, Option, References, Tracer } from "effect"
import { HttpEffect, HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { Answers, completed, type Sent } from "../response/Answers.ts"
import { type Outgoing, toResponse } from "../response/Outgoing.ts"
import type { Passage } from "../response/Passage.ts"
import * as Problem from "../response/Problem.ts"
import { CurrentRequest } from "../target/CurrentRequest.ts"
import { takes } from "../target/Routes.ts"
import { Gate, type Incoming } from "./Gate.ts"
import { type Miss, missOf } from "./Miss.ts"

type Response = HttpServerResponse.HttpServerResponse

export const GateMiddleware: Layer.Layer<never, never, HttpRouter.HttpRouter | Gate | Answers> = HttpRouter.middleware(
  Effect.gen(function* () {
    const gate = yield* Gate
    const answers = yield* Answers
    const isTraced = (yield* Tracer.Tracer) !== Tracer.nativeTracer

    return (handle) =>
      Effect.withFiber((fiber) => {
        const request = Context.getUnsafe(fiber.context, HttpServerRequest.HttpServerRequest)

        const routed = ({ passage, sent }: Miss, respond: (outgoing: Outgoing) => Response) => {
          const { asked, id, plan } = passage
          if (isTraced) annotate(fiber.context, "request.id", id)
          let finished: Sent | undefined
          // Here, because failures and defects become responses after this middleware.
          HttpEffect.appendPreResponseHandlerUnsafe(fiber.context, (_request, response) => {
            const last = finished ?? completed(passage, response)
            sent(last.status, asked.route?.pattern ?? hostRouteOf(fiber.context))
            return Effect.succeed(HttpServerResponse.isHttpServerResponse(last) ? last : respond(last))
          })
          let context = Context.add(fiber.context, CurrentRequest, { ...asked, id, plan })
          context = Context.add(context, References.CurrentLogAnnotations, { request_id: id })
          // A path that is unknown here may be a host's, which is asked as it was sent.
          if (asked.route !== undefined && asked.url !== request.url) {
            context = Context.add(context, HttpServerRequest.HttpServerRequest, request.modify({ url: asked.url }))
          }
          // The server restores the context after the request.
          fiber.setContext(context)
          const refusal = refusalOf(passage)
          const made = refusal === undefined ? handle : Effect.succeed(Problem.response(refusal, { ...asked, id }))
          return Effect.mapEager(answers.made(passage, made), (last) => {
            finished = last
            // A trace records this one.
            return withoutBody(last)
          })
        }

        const admitted = missOf(request.source)
        if (admitted !== undefined) {
          return routed(admitted, (outgoing) => {
            // Effect's server writes nothing where the response has ended.
            admitted.answered(outgoing, admitted.passage)
            return withoutBody(outgoing)
          })
        }
        return Effect.flatten(
          Effect.callback<ReturnType<typeof routed>>((resume) =>
            gate.admit(
              incomingOf(request),
              (outgoing, passage) => {
                if (isTraced) annotate(fiber.context, "request.id", passage.id)
                // Of a miss the router says it.
                if (isTraced && outgoing.status < 400) annotate(fiber.context, "http.route", passage.route)
                resume(Effect.succeed(Effect.succeed(toResponse(outgoing))))
              },
              (miss) => resume(Effect.succeed(Effect.suspend(() => routed(miss, toResponse))))
            )
          )
        )
      })
  }),
  { global: true }
)

/** The pattern of a host's route. */
const hostRouteOf = (context: Context.Context<never>): string => {
  const path = Context.getOrUndefined(context, HttpRouter.RouteContext)?.route.path
  return path === undefined || path === "/*" ? "other" : path
}

/** Stands for a response that is made or sent already. */
const withoutBody = ({ status }: Sent): Response => HttpServerResponse.empty({ status })

const incomingOf = ({ headers, method, remoteAddress, url }: HttpServerRequest.HttpServerRequest): Incoming => ({
  method,
  target: url,
  headers,
  peer: Option.getOrUndefined(remoteAddress)
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

const annotate = (context: Context.Context<never>, name: "request.id" | "http.route", value: string): void => {
  const span = Context.getOrUndefined(context, Tracer.ParentSpan)
  if (span?._tag === "Span") span.attribute(name, value)
}
