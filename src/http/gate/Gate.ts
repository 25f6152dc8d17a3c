// Around every request, whatever becomes of it, in this order: who is calling, the quota, preflight, 429 or 401, the kept answer or
// else the handler; and on the way out a problem body where nobody wrote one, the rate headers and those that every response
// carries. Declared problems, unknown paths, refused methods and defects all leave through here.
import { Clock, Context, Effect, Layer, Random, Tracer } from "effect"
import { HttpEffect, HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { ApiKeys } from "../../access/ApiKeys.ts"
import { type Quota, RateLimiter } from "../../access/RateLimiter.ts"
import { Caller } from "../../api/Caller.ts"
import * as AccessLog from "./AccessLog.ts"
import * as Encodings from "../response/Encodings.ts"
import * as Identity from "./Identity.ts"
import { type CachedResponse, ResponseCache } from "../response/ResponseCache.ts"
import * as finalizeResponse from "../response/finalizeResponse.ts"
import * as Paths from "../Paths.ts"
import * as ProblemBody from "../response/ProblemBody.ts"
import * as GateResponses from "./GateResponses.ts"
import * as RequestId from "./RequestId.ts"
import * as RequestMetrics from "./RequestMetrics.ts"
import type { Variant } from "../response/Representation.ts"

/** To be described: no such path, or not with this method. */
const notHere = HttpServerResponse.empty({ status: 404 })

/** The global middleware. */
export const Gate = HttpRouter.middleware(
  Effect.gen(function* () {
    const limiter = yield* RateLimiter
    const answers = yield* ResponseCache
    const identify = Identity.make(yield* ApiKeys, yield* Identity.TrustedProxies)
    const start = (yield* Random.nextIntBetween(0x10000000, 0xffffffff)).toString(16)
    let count = 0
    const nextId = () => `${start}-${(count++).toString(36)}`
    const metrics = yield* RequestMetrics.make
    const logsRequests = yield* AccessLog.LogsRequests
    const isTraced = (yield* Tracer.Tracer) !== Tracer.nativeTracer

    return (handle) =>
      Effect.withFiber((fiber) => {
        const began = metrics.begin()
        const request = Context.getUnsafe(fiber.context, HttpServerRequest.HttpServerRequest)
        const id = nextId()
        RequestId.mark(request, id)
        if (isTraced) RequestId.annotate(fiber.context, "request.id", id)

        const decided = (identity: Identity.Identity, quota: Quota, isFree: boolean) => {
          const exchange: finalizeResponse.Exchange = { id, identity, quota, request }

          const counted = (response: HttpServerResponse.HttpServerResponse, route: string) => {
            const seconds = metrics.answered(route, response.status, began)
            return logsRequests
              ? Effect.as(AccessLog.write({ identity, request, response, route, seconds }), response)
              : Effect.succeed(response)
          }

          /** By the handler, or whoever else answers; problems, defects and unknown paths too come out here. */
          const answered = <E, R>(response: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>) => {
            HttpEffect.appendPreResponseHandlerUnsafe(fiber.context, (_request, response) =>
              Effect.flatMapEager(
                finalizeResponse.finalizeResponse(
                  exchange,
                  response,
                  fiber.getRef(Clock.Clock).currentTimeMillisUnsafe()
                ),
                (finished) => counted(finished, RequestMetrics.routeOf(fiber.context, request.url))
              )
            )
            return response
          }

          const handled = () => {
            // Who has no key is what `Caller` is by default. The server puts the context back when the request is over.
            if (identity.hasKey) fiber.setContext(Context.add(fiber.context, Caller, { tier: identity.plan.name }))
            return answered(handle)
          }

          if (request.method === "OPTIONS") return answered(Effect.succeed(GateResponses.preflight(request.url)))
          const decision = isFree ? null : decisionOf(identity, quota)
          if (decision !== null) metrics.decided(decision, identity.plan.name)
          if (decision === "refused") return answered(Effect.succeed(GateResponses.tooMany(quota, id)))
          if (identity.refusal !== null) return answered(Effect.succeed(GateResponses.badKey(identity.refusal, id)))
          // Traced is what is answered before it is finished: 405 must be said here, for the router would say 404.
          if (!Paths.takes(request.method, request.url)) {
            return answered(Effect.succeed(ProblemBody.complete(id, request, notHere)))
          }

          const find = () =>
            answers.find(identity.plan.name, request.url, fiber.getRef(Clock.Clock).currentTimeMillisUnsafe())
          const handOut = (kept: CachedResponse, variant: Variant) => {
            if (isTraced) RequestId.annotate(fiber.context, "http.route", kept.route)
            const now = fiber.getRef(Clock.Clock).currentTimeMillisUnsafe()
            return counted(
              finalizeResponse.send(exchange, variant, kept.cacheControl(identity.hasKey, now)),
              kept.route
            )
          }
          const kept = find()
          if (kept !== undefined) {
            const encoding = Encodings.chosenFor(request.headers["accept-encoding"])
            const ready = kept.representation.ready(encoding)
            if (ready !== undefined) return handOut(kept, ready)
            // It may have been replaced by the time it is encoded.
            return Effect.flatMap(kept.representation.prepare(encoding), (variant) =>
              find() === kept ? handOut(kept, variant) : handled()
            )
          }
          return handled()
        }

        return Effect.flatMapEager(identify(request), (identity) => {
          // Guessing at keys always costs.
          const isFree = request.method === "OPTIONS" || (identity.refusal === null && Paths.isFree(request.url))
          const counting = isFree ? limiter.peek : limiter.consume
          return Effect.flatMapEager(counting(identity.quotaKey, identity.plan), (quota) =>
            decided(identity, quota, isFree)
          )
        })
      })
  }),
  { global: true }
).pipe(Layer.provide(ResponseCache.layer))

const decisionOf = ({ refusal }: Identity.Identity, { remaining }: Quota): RequestMetrics.Decision => {
  if (remaining < 0) return "refused"
  if (refusal === null) return "allowed"
  return refusal._tag === "Unavailable" ? "unverified" : "invalid_key"
}
