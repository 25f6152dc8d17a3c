// Around every request, whatever becomes of it, in this order: who is calling, the quota, preflight, 429 or 401, the handler; and
// on the way out a problem body where nobody wrote one, the rate headers and those that every response carries. Declared
// problems, unknown paths, refused methods and defects all leave through here.
import { Context, Effect, Random, Tracer } from "effect"
import { HttpEffect, HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { ApiKeys } from "../access/ApiKeys.ts"
import { type Quota, Quotas } from "../access/Quotas.ts"
import { Caller } from "../api/Caller.ts"
import * as AccessLog from "./AccessLog.ts"
import * as Identity from "./Identity.ts"
import * as Paths from "./Paths.ts"
import * as ProblemBody from "./ProblemBody.ts"
import { rateHeaders } from "./RateHeaders.ts"
import * as RequestId from "./RequestId.ts"
import * as RequestMetrics from "./RequestMetrics.ts"

const exposed = [
  "X-RateLimit-Limit",
  "X-RateLimit-Remaining",
  "X-RateLimit-Reset",
  "ETag",
  "Link",
  "Retry-After",
  "X-Request-Id"
].join(", ")

/** What every response carries whatever it says. */
export const everywhere = {
  "access-control-allow-origin": "*",
  "access-control-expose-headers": exposed,
  "x-content-type-options": "nosniff"
}

/** What pages may send along: with any request, and with the messages of agents. */
const sent = "x-api-key, if-none-match"
const sentByAgents = `${sent}, content-type, accept, mcp-protocol-version, mcp-session-id, mcp-method, mcp-name`

const preflight = (url: string) =>
  HttpServerResponse.empty({
    status: 204,
    headers: {
      allow: Paths.allowed(url),
      "access-control-allow-methods": Paths.allowed(url),
      "access-control-allow-headers": Paths.isMcp(url) ? sentByAgents : sent,
      "access-control-max-age": "86400"
    }
  })

/** To be described: no such path, or not with this method. */
const notHere = HttpServerResponse.empty({ status: 404 })

/** The global middleware. */
export const Gate = HttpRouter.middleware(
  Effect.gen(function* () {
    const quotas = yield* Quotas
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
        if (isTraced) RequestId.annotate(fiber.context, id)
        return Effect.flatMap(identify(request), (identity) => {
          // Guessing at keys always costs.
          const isFree = request.method === "OPTIONS" || (identity.refusal === null && Paths.isFree(request.url))
          const counting = isFree ? quotas.look : quotas.take
          return Effect.flatMap(counting(identity.quotaKey, identity.plan), (quota) => {
            HttpEffect.appendPreResponseHandlerUnsafe(fiber.context, (request, response) => {
              const finished = finish({ id, identity, quota, request, response })
              const route = RequestMetrics.routeOf(fiber.context, request.url)
              const seconds = metrics.answered(route, finished.status, began)
              if (!logsRequests) return Effect.succeed(finished)
              return Effect.as(AccessLog.write({ identity, request, response: finished, route, seconds }), finished)
            })
            if (request.method === "OPTIONS") return Effect.succeed(preflight(request.url))
            const decision = isFree ? null : decisionOf(identity, quota)
            if (decision !== null) metrics.decided(decision, identity.plan.name)
            if (decision === "refused") return Effect.succeed(tooMany(quota, id))
            if (identity.refusal !== null) return Effect.succeed(refused(identity.refusal, id))
            // Traced is what is answered before it is finished: 405 must be said here, for the router would say 404.
            if (!Paths.takes(request.method, request.url)) {
              return Effect.succeed(ProblemBody.complete(id, request, notHere))
            }
            // Who has no key is what `Caller` is by default. The server puts the context back when the request is over.
            if (identity.hasKey) fiber.setContext(Context.add(fiber.context, Caller, { tier: identity.plan.name }))
            return handle
          })
        })
      })
  }),
  { global: true }
)

const decisionOf = ({ refusal }: Identity.Identity, { remaining }: Quota): RequestMetrics.Decision => {
  if (remaining < 0) return "refused"
  if (refusal === null) return "allowed"
  return refusal._tag === "Unavailable" ? "unverified" : "invalid_key"
}

const tooMany = ({ limit, retryAfter }: Quota, id: string) =>
  HttpServerResponse.setHeader(
    ProblemBody.problem(
      "rate_limited",
      `All ${limit} requests of this minute are used up. Ask again in ${retryAfter} s.`,
      id
    ),
    "retry-after",
    String(retryAfter)
  )

const reasons = {
  malformed: "The key in x-api-key is not an API key: check it for typing errors.",
  unknown: "The key in x-api-key is not known here.",
  revoked: "The key in x-api-key has been revoked.",
  expired: "The key in x-api-key has expired."
}

const refused = (refusal: NonNullable<Identity.Identity["refusal"]>, id: string) =>
  refusal._tag === "Unavailable"
    ? HttpServerResponse.setHeader(
        ProblemBody.problem("source_unavailable", "API keys cannot be checked now. Ask again in 5 s.", id),
        "retry-after",
        "5"
      )
    : HttpServerResponse.setHeader(
        ProblemBody.problem("invalid_api_key", reasons[refusal.reason], id),
        "www-authenticate",
        'ApiKey realm="crypto-data-api", header="x-api-key"'
      )

const finish = (exchange: {
  readonly id: string
  readonly identity: Identity.Identity
  readonly quota: Quota
  readonly request: HttpServerRequest.HttpServerRequest
  readonly response: HttpServerResponse.HttpServerResponse
}): HttpServerResponse.HttpServerResponse => {
  const described = ProblemBody.complete(exchange.id, exchange.request, exchange.response)
  return withHeaders(described, {
    ...described.headers,
    ...everywhere,
    ...rateHeaders(exchange.quota),
    "x-request-id": exchange.id,
    vary: "x-api-key, Accept-Encoding",
    "cache-control": described.status >= 400 ? "no-store" : exchange.identity.hasKey ? "private" : "public"
  })
}

/** The response with these headers, lower case, for its own. This is done to every response; `setHeaders` copies three times. */
const withHeaders = (
  response: HttpServerResponse.HttpServerResponse,
  headers: Readonly<Record<string, string>>
): HttpServerResponse.HttpServerResponse =>
  Object.assign(Object.create(Object.getPrototypeOf(response)), response, { headers })
