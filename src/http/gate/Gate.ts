// The global middleware around every request, in this order: identify the caller, count the request, answer a preflight,
// refuse with 429 or 401, serve a cached response or run the handler; then finalize: problem bodies, rate headers, and
// the headers of all responses. Problems, unknown paths, refused methods and defects pass through here too.
import { cacheKey } from "../response/Format.ts"
import { Clock, Context, Effect, Layer, Random, Tracer } from "effect"
import { HttpEffect, HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { ApiKeys } from "../../access/ApiKeys.ts"
import { type Quota, RateLimiter } from "../../access/RateLimiter.ts"
import { Caller } from "../../api/Caller.ts"
import { OperatorContact } from "../OperatorContact.ts"
import * as Paths from "../Paths.ts"
import { AmountAnswers } from "../response/AmountAnswers.ts"
import * as Encodings from "../response/Encodings.ts"
import { type Exchange, finalizeResponse, send } from "../response/finalizeResponse.ts"
import * as ProblemBody from "../response/ProblemBody.ts"
import * as RequestId from "../response/RequestId.ts"
import type { Variant } from "../response/Representation.ts"
import type { CachedResponse } from "../response/CachedResponse.ts"
import { ResponseCache } from "../response/ResponseCache.ts"
import { SyncHandlers } from "../response/SyncHandlers.ts"
import * as AccessLog from "./AccessLog.ts"
import * as DirectAnswers from "./DirectAnswers.ts"
import * as GateResponses from "./GateResponses.ts"
import * as Identity from "./Identity.ts"
import { RefusedUrls } from "./RefusedUrls.ts"
import * as RequestMetrics from "./RequestMetrics.ts"

/** `ProblemBody.complete` makes it `not_found` or `method_not_allowed`. */
const emptyNotFound = HttpServerResponse.empty({ status: 404 })

export const Gate = HttpRouter.middleware(
  Effect.gen(function* () {
    const limiter = yield* RateLimiter
    const cache = yield* ResponseCache
    const identity = Identity.make(yield* ApiKeys, yield* Identity.TrustedProxies)
    const start = (yield* Random.nextIntBetween(0x10000000, 0xffffffff)).toString(16)
    let count = 0
    const nextId = () => `${start}-${(count++).toString(36)}`
    const metrics = yield* RequestMetrics.make
    const contact = yield* OperatorContact
    const logsRequests = yield* AccessLog.LogsRequests
    const isTraced = (yield* Tracer.Tracer) !== Tracer.nativeTracer
    const counted: DirectAnswers.Counted = new WeakMap()
    const clock = yield* Clock.Clock
    if (!isTraced && !logsRequests) {
      const { offer } = yield* DirectAnswers.DirectAnswers
      const now = () => clock.currentTimeMillisUnsafe()
      const amounts = yield* AmountAnswers
      const refused = yield* RefusedUrls
      const handlers = yield* SyncHandlers
      const parts = { amounts, cache, contact, counted, handlers, identity, limiter, metrics, nextId, now, refused }
      offer(DirectAnswers.make(parts))
    }

    return (handle) =>
      Effect.withFiber((fiber) => {
        const began = metrics.begin()
        const request = Context.getUnsafe(fiber.context, HttpServerRequest.HttpServerRequest)
        const id = nextId()
        RequestId.mark(request, id)
        if (isTraced) RequestId.annotate(fiber.context, "request.id", id)
        const now = () => fiber.getRef(Clock.Clock).currentTimeMillisUnsafe()

        const admitted = (identity: Identity.Identity, quota: Quota, isFree: boolean) => {
          const { hasKey, plan, refusal } = identity
          const exchange: Exchange = { id, hasKey, quota, request }

          const recorded = (response: HttpServerResponse.HttpServerResponse, route: string) => {
            const seconds = metrics.answered(route, response.status, began)
            return logsRequests
              ? Effect.as(AccessLog.write({ identity, request, response, route, seconds }), response)
              : Effect.succeed(response)
          }

          /** Finalizes whatever the response becomes, failures and defects included. */
          const finalized = <E, R>(response: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>) => {
            HttpEffect.appendPreResponseHandlerUnsafe(fiber.context, (_request, response) =>
              Effect.flatMapEager(finalizeResponse(exchange, response, now()), (finished) =>
                recorded(finished, RequestMetrics.routeOf(fiber.context, request.url))
              )
            )
            return response
          }
          const answered = (response: HttpServerResponse.HttpServerResponse) => finalized(Effect.succeed(response))

          const handled = () => {
            // The default `Caller` has no key. The server restores the context after the request.
            if (hasKey) fiber.setContext(Context.add(fiber.context, Caller, { tier: plan.name }))
            return finalized(handle)
          }

          if (request.method === "OPTIONS") return answered(GateResponses.preflight(request.url))
          const decision = isFree ? null : decisionOf(identity, quota)
          if (decision !== null) metrics.decided(decision, plan.name)
          if (decision === "refused") return answered(GateResponses.tooMany(quota, id, contact))
          if (refusal !== null) return answered(GateResponses.badKey(refusal, id, contact))
          // Completed here, because a trace records the response before it is finalized.
          if (!Paths.takes(request.method, request.url)) {
            return answered(ProblemBody.complete(id, request, emptyNotFound))
          }
          if (!Paths.hasDecodablePath(request.url)) return answered(GateResponses.undecodable(id))

          const key = cacheKey(request.url, request.headers["accept"])
          const sendCached = (cached: CachedResponse, variant: Variant) => {
            if (isTraced) RequestId.annotate(fiber.context, "http.route", cached.route)
            return recorded(send(exchange, variant, cached.cacheControl(hasKey, now())), cached.route)
          }
          const cached = cache.find(plan.name, key, now())
          if (cached === undefined) return handled()
          const encoding = Encodings.chosenFor(request.headers["accept-encoding"])
          const ready = cached.representation.ready(encoding)
          if (ready !== undefined) return sendCached(cached, ready)
          // A refresh may replace the answer while it is compressed.
          return Effect.flatMap(cached.representation.prepare(encoding), (variant) =>
            cached.dependencies.isValid(now()) ? sendCached(cached, variant) : handled()
          )
        }

        return Effect.flatMapEager(identity.identify(request), (identity) => {
          // A refused key costs a request on every path, so that guessing keys is never free.
          const isFree = request.method === "OPTIONS" || (identity.refusal === null && Paths.isFree(request.url))
          const counting = isFree ? limiter.peek : limiter.consume
          const quota = DirectAnswers.quotaOf(counted, request.source) ?? counting(identity.quotaKey, identity.plan)
          return Effect.flatMapEager(quota, (quota) => admitted(identity, quota, isFree))
        })
      })
  }),
  { global: true }
).pipe(Layer.provide([ResponseCache.layer, AmountAnswers.layer, RefusedUrls.layer, SyncHandlers.layer]))

const decisionOf = ({ refusal }: Identity.Identity, { remaining }: Quota): RequestMetrics.Decision => {
  if (remaining < 0) return "refused"
  if (refusal === null) return "allowed"
  return refusal._tag === "Unavailable" ? "unverified" : "invalid_key"
}
