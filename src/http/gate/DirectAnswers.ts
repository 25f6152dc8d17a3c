// Serves cached answers and known refusals without a fiber. Effect's server makes a request object, a fiber and a
// response that it then interprets for each request; for a cached answer that is two thirds of the work. So the host of
// the gate may ask here first. The answer is the same to the byte as the gate's own, and what is not known at once is
// left to the gate: it decides everything else, such as keys that have to be looked up, and requests that are logged or
// traced.
import { Context, Effect } from "effect"
import type { HttpServerResponse } from "effect/http"
import type { Quota, RateLimiter } from "../../access/RateLimiter.ts"
import type { AmountAnswers } from "../response/AmountAnswers.ts"
import * as CacheControl from "../response/CacheControl.ts"
import { commonHeaders } from "../response/CommonHeaders.ts"
import * as Encodings from "../response/Encodings.ts"
import { matches } from "../response/EntityTag.ts"
import { cacheKey } from "../response/Format.ts"
import { problem } from "../response/ProblemBody.ts"
import { rateHeaders } from "../response/RateHeaders.ts"
import type { ResponseCache } from "../response/ResponseCache.ts"
import * as Paths from "../Paths.ts"
import * as GateResponses from "./GateResponses.ts"
import type * as Identity from "./Identity.ts"
import type { RefusedUrls } from "./RefusedUrls.ts"
import type { RequestMetrics } from "./RequestMetrics.ts"

/** A request as Node makes it. Header names are in lower case. */
export interface DirectRequest extends Identity.Asking {
  readonly method: string | undefined
  readonly url: string | undefined
  /** The object that Effect's request will have as its `source`. */
  readonly source: object
}

/** Sends a response. `headers`: names and values in turn. Without content for a 304. */
export type Respond = (status: number, headers: Array<string>, content: string | Uint8Array | undefined) => void

/** Calls either `respond` or `otherwise`, at once or later. */
export type Direct = (request: DirectRequest, respond: Respond, otherwise: () => void) => void

/** Where the gate offers to answer directly. The Node process takes the offer; by default it is not taken. */
export const DirectAnswers = Context.Reference<{ readonly offer: (direct: Direct) => void }>(
  "crypto-data-api/http/gate/DirectAnswers",
  { defaultValue: () => ({ offer: () => {} }) }
)

/** The quotas of requests that were counted and then left to the gate, by `source`. */
export type Counted = WeakMap<object, Quota>

interface Parts {
  readonly identity: ReturnType<typeof Identity.make>
  readonly limiter: RateLimiter["Service"]
  readonly cache: ResponseCache["Service"]
  readonly amounts: AmountAnswers["Service"]
  readonly refused: RefusedUrls["Service"]
  readonly metrics: RequestMetrics
  readonly nextId: () => string
  readonly now: () => number
  readonly counted: Counted
  readonly contact: string | null
}

/** Answers requests that the parts of a gate can answer at once. */
export const make =
  ({ amounts, cache, contact, counted, identity, limiter, metrics, nextId, now, refused }: Parts): Direct =>
  (request, respond, otherwise) => {
    const { headers, method, source, url } = request
    if (url === undefined || (method !== "GET" && method !== "HEAD") || hasBody(headers)) return otherwise()
    const began = metrics.begin()
    const at = now()
    const caller = identity.known(request, at)
    if (caller === undefined) return otherwise()
    const { hasKey, plan, quotaKey } = caller
    const key = cacheKey(url, one(headers["accept"]))
    const cached = cache.peek(plan.name, key, at)
    const answer = cached ?? amounts.find(plan.name, key, at)
    const variant = answer?.representation.ready(Encodings.chosenFor(one(headers["accept-encoding"])))
    const refusal = answer === undefined && !Paths.isCoinGecko(url) ? refused.find(url) : undefined
    if (variant === undefined && refusal === undefined) return otherwise()

    const refuse = (quota: Quota, of: (id: string) => HttpServerResponse.HttpServerResponse) => {
      const id = nextId()
      const { body, headers: own, status } = of(id)
      const rest = { ...commonHeaders, "cache-control": CacheControl.NO_STORE, ...rateHeaders(quota) }
      const sent = [...Object.entries({ ...own, ...rest }).flat(), "x-request-id", id]
      metrics.answered(answer?.route ?? Paths.routeOf(url), status, began)
      respond(status, sent, body._tag === "Uint8Array" ? (body.text ?? body.body) : undefined)
    }

    limiter.consumeThen(quotaKey, plan, at, (quota) => {
      if (quota.remaining < 0 && !Paths.isCoinGecko(url)) {
        metrics.decided("refused", plan.name)
        return refuse(quota, (id) => GateResponses.tooMany(quota, id, contact))
      }
      if (refusal !== undefined) {
        metrics.decided("allowed", plan.name)
        return refuse(quota, (id) => problem(refusal.code, refusal.detail, id, refusal))
      }
      const then = now()
      // The count may have taken a while, in which the answer was replaced.
      const isValid =
        answer !== undefined &&
        variant !== undefined &&
        (cached === undefined ? answer.isValid(then) : cache.find(plan.name, key, then) === cached)
      if (quota.remaining < 0 || !isValid) {
        counted.set(source, quota)
        return otherwise()
      }
      metrics.decided("allowed", plan.name)
      const known = one(headers["if-none-match"])
      const isKnown = known !== undefined && matches(known, variant.etag)
      const status = isKnown ? 304 : 200
      const list = isKnown ? variant.listAlone : variant.list
      const sent = [
        ...list,
        "cache-control",
        answer.cacheControl(hasKey, then),
        "x-ratelimit-limit",
        String(quota.limit),
        "x-ratelimit-remaining",
        String(quota.remaining),
        "x-ratelimit-reset",
        String(quota.reset),
        "x-request-id",
        nextId()
      ]
      metrics.answered(answer.route, status, began)
      respond(status, sent, isKnown ? undefined : variant.content)
    })
  }

const hasBody = (headers: DirectRequest["headers"]): boolean =>
  headers["content-length"] !== undefined || headers["transfer-encoding"] !== undefined

/** The value of a header. Node joins repeated ones, except a few that are not read here. */
const one = (value: string | ReadonlyArray<string> | undefined): string | undefined =>
  typeof value === "object" ? value.join(", ") : value

/** The quota of a request that was counted before it came to the gate. */
export const quotaOf = (counted: Counted, source: object): Effect.Effect<Quota> | undefined => {
  const quota = counted.get(source)
  return quota === undefined ? undefined : Effect.succeed(quota)
}
