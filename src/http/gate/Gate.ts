// Every request passes the gate, which parses its target, identifies its caller and counts it. Then the gate answers
// preflights, refuses (429; 400, 401 or 503 for keys), issues page tokens, and sends cached responses or the problem of a failed guard.
// A miss goes to Effect's router, once. `node/Listener` calls the gate first; on other platforms `GateMiddleware` does.
import { Clock, Context, Effect, Layer, Random, type Tracer } from "effect"
import { ApiKeys } from "../../access/ApiKeys.ts"
import { type Quota, RateLimiter } from "../../access/RateLimiter.ts"
import { OperatorContact } from "../OperatorContact.ts"
import { PublicUrl } from "../PublicUrl.ts"
import { rawProblem, Responses } from "../response/Responses.ts"
import { headersOf } from "../response/Headers.ts"
import type { RawResponse } from "../response/RawResponse.ts"
import { type CountedRequest, countedRequest, headerText, type RequestHeaders } from "../response/CountedRequest.ts"
import * as Problem from "../response/Problem.ts"
import { parseRequest } from "../request/ParsedRequest.ts"
import { otherPaths } from "../request/Paths.ts"
import * as Target from "../request/Target.ts"
import * as AccessLog from "./AccessLog.ts"
import * as GateResponses from "./GateResponses.ts"
import * as Identity from "./Identity.ts"
import type { CacheMiss } from "./CacheMiss.ts"
import * as RequestMetrics from "./RequestMetrics.ts"
import * as RequestSpan from "./RequestSpan.ts"

/** A request as a platform receives it. */
export interface IncomingRequest {
  readonly method: string
  readonly headers: RequestHeaders
  /** The IP address that the connection comes from. */
  readonly peer: string | undefined
  /** The request target, unparsed. */
  readonly target: string
  /** Whether its head may mean two requests, so that a proxy may have read another one. It is refused. */
  readonly isAmbiguous?: boolean
  /** The platform's own span, if the platform traces requests. */
  readonly span?: Tracer.Span | undefined
}

export class Gate extends Context.Service<
  Gate,
  {
    /**
     * Calls either `respond` or `missed`, once: synchronously, or after a look-up. Throws only what they throw.
     */
    readonly handle: (
      incoming: IncomingRequest,
      respond: (response: RawResponse) => void,
      missed: (miss: CacheMiss) => void
    ) => void
  }
>()("crypto-data-api/http/gate/Gate") {
  static readonly layerNoDeps: Layer.Layer<Gate, never, ApiKeys | RateLimiter | Responses> = Layer.effect(
    Gate,
    Effect.gen(function* () {
      const responses = yield* Responses
      const limiter = yield* RateLimiter
      const { identify, tokenFor, byAddress } = yield* Identity.make(yield* ApiKeys)
      const contact = yield* OperatorContact
      const { path: base } = yield* PublicUrl
      const logsRequests = yield* AccessLog.LogsRequests
      const metrics = yield* RequestMetrics.make
      const clock = yield* Clock.Clock
      const beginSpan = yield* RequestSpan.make(clock)
      const run = Effect.runForkWith(yield* Effect.context<never>())
      const start = (yield* Random.nextIntBetween(0x10000000, 0xffffffff)).toString(16)
      let requests = 0

      const logged = (request_id: string, effect: Effect.Effect<void>) =>
        void run(Effect.annotateLogs(effect, { request_id }))

      /** The gate's own response: a preflight, a problem, a page token or a cached response; `undefined` on a miss. */
      const decide = (
        request: CountedRequest,
        refusal: Identity.Identity["refusal"] | "ambiguous request",
        isFree: boolean,
        token: string | undefined
      ) => {
        const { parsed, method, quota } = request
        if (!isFree && quota.remaining < 0) return rawProblem(request, GateResponses.rateLimited(quota, contact))
        if (refusal === "ambiguous request") return rawProblem(request, GateResponses.ambiguous)
        if (method === "OPTIONS") {
          const headers = headersOf(request, GateResponses.preflight(parsed))
          return { status: 204, headers, content: undefined }
        }
        if (refusal !== null) return rawProblem(request, GateResponses.badKey(refusal, contact))
        return token === undefined ? responses.cached(request) : GateResponses.pageToken(request, token)
      }

      const handle: Gate["Service"]["handle"] = (incoming, respond, missed) => {
        const began = clock.monotonicTimeNanosUnsafe()
        const id = `${start}-${(requests++).toString(36)}`
        const now = clock.currentTimeMillisUnsafe()
        const { headers, method } = incoming
        const parsed = parseRequest(Target.parse(incoming.target), headerText(headers["accept"]), base)
        const traced = beginSpan(incoming, parsed, id)

        const afterCounting =
          ({ hasKey, plan, quotaKey, refusal, usage }: Identity.Identity, isFree: boolean) =>
          (quota: Quota) => {
            if (!isFree && quota.remaining >= 0) usage?.count(now)
            if (!isFree) metrics.decided(decisionOf(refusal, quota), plan.name)
            const request = countedRequest({ id, method, headers, parsed, plan: plan.name, hasKey, quota })
            const record = (status: number, route: string, isRouted: boolean) => {
              const seconds = Number(clock.monotonicTimeNanosUnsafe() - began) / 1e9
              metrics.responded(route, status, seconds)
              if (logsRequests) logged(id, AccessLog.write(request, quotaKey, route, status, seconds))
              traced?.end(status, isRouted || status >= 400 ? undefined : route)
            }
            const finish = (response: RawResponse | undefined) => {
              if (response === undefined) {
                return missed({ request, span: traced?.span, record: (status, route) => record(status, route, true) })
              }
              record(response.status, request.route, false)
              respond(response)
            }
            const failed = (cause: unknown) => {
              logged(id, Effect.logError("a request failed with an internal error", cause))
              return rawProblem(request, Problem.internal)
            }
            const wantsToken = request.isRead && parsed.route?.pattern === otherPaths.pageToken
            const token = wantsToken ? tokenFor(incoming, now) : undefined
            const refused = incoming.isAmbiguous === true ? "ambiguous request" : refusal
            const decision = attempt(() => decide(request, refused, isFree, token), failed)
            if (decision instanceof Promise) void decision.catch(failed).then(finish)
            else finish(decision)
          }

        const count = (identity: Identity.Identity, isFree: boolean) => {
          limiter.count(identity.quotaKey, identity.plan, isFree ? 0 : 1, now, afterCounting(identity, isFree))
        }

        if (incoming.isAmbiguous === true) return count(byAddress(incoming), false)
        if (method === "OPTIONS") return count(byAddress(incoming), true)
        identify(incoming, parsed.dialect, parsed.route?.hasData !== true, now, (identity) =>
          // A refused key costs a request on every path, so that guessing keys is never free.
          count(identity, identity.refusal === null && parsed.route?.isFree === true)
        )
      }

      return Gate.of({ handle })
    })
  )

  /** With `Responses`, which the router also needs. */
  static readonly layer: Layer.Layer<Gate | Responses, never, ApiKeys | RateLimiter> = Layer.provideMerge(
    this.layerNoDeps,
    Responses.layer
  )
}

const decisionOf = (refusal: Identity.Identity["refusal"], { remaining }: Quota): RequestMetrics.Decision => {
  if (remaining < 0) return "refused"
  if (refusal === null) return "allowed"
  return refusal._tag === "Unavailable" ? "unverified" : "invalid_key"
}

/** The result, or that of `failed` if `compute` throws. */
const attempt = <A, B>(compute: () => A, failed: (cause: unknown) => B): A | B => {
  try {
    return compute()
  } catch (cause) {
    return failed(cause)
  }
}
