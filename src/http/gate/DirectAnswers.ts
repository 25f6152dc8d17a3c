// Serves cached answers and known refusals without a fiber. Effect's server makes a request object, a fiber and a
// response that it then interprets for each request; for a cached answer that is two thirds of the work. So the host of
// the gate may ask here first. The answer is the same to the byte as the gate's own, and what is not known at once is
// left to the gate: it decides everything else, such as keys that have to be looked up, and requests that are logged or
// traced.
import { Context, Effect } from "effect"
import type { Quota, RateLimiter } from "../../access/RateLimiter.ts"
import type { AmountAnswers } from "../response/AmountAnswers.ts"
import * as Encodings from "../response/Encodings.ts"
import { matches } from "../response/EntityTag.ts"
import { cacheKey } from "../response/Format.ts"
import type { PreparedProblem } from "../response/PreparedProblem.ts"
import { rateList } from "../response/RateHeaders.ts"
import type { ResponseCache } from "../response/ResponseCache.ts"
import type { SyncHandlers } from "../response/SyncHandlers.ts"
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
  readonly handlers: SyncHandlers["Service"]
  readonly refused: RefusedUrls["Service"]
  readonly metrics: RequestMetrics
  readonly nextId: () => string
  readonly now: () => number
  readonly counted: Counted
  readonly contact: string | null
}

/** Answers requests that the parts of a gate can answer at once. */
export const make = (parts: Parts): Direct => {
  const { amounts, cache, counted, handlers, identity, limiter, metrics, nextId, now, refused } = parts
  const tooMany = GateResponses.tooManyPrepared(parts.contact)
  return (request, respond, otherwise) => {
    const { headers, method, source, url } = request
    if (url === undefined || (method !== "GET" && method !== "HEAD") || hasBody(headers)) return otherwise()
    const began = metrics.begin()
    const at = now()
    const caller = identity.known(request, at)
    if (caller === undefined) return otherwise()
    const { hasKey, plan, quotaKey } = caller
    const key = cacheKey(url, one(headers["accept"]))
    const cached = cache.peek(plan.name, key, at)
    const known = cached ?? amounts.find(plan.name, key, at)
    const encoding = Encodings.chosenFor(one(headers["accept-encoding"]))
    const isKnown = known?.representation.ready(encoding) !== undefined
    const refusal = known === undefined && !Paths.isCoinGecko(url) ? refused.find(url) : undefined
    const compute = known === undefined && refusal === undefined && key === url ? handlers.find(url) : undefined
    if (!isKnown && refusal === undefined && compute === undefined) return otherwise()

    const refuse = (quota: Quota, { content, headers, status }: PreparedProblem, route: string) => {
      const id = nextId()
      metrics.answered(route, status, began)
      respond(status, headers(id, quota), content(id))
    }

    limiter.consumeThen(quotaKey, plan, at, (quota) => {
      if (quota.remaining < 0 && !Paths.isCoinGecko(url)) {
        metrics.decided("refused", plan.name)
        return refuse(quota, tooMany(quota), known?.route ?? Paths.routeOf(url))
      }
      if (refusal !== undefined) {
        metrics.decided("allowed", plan.name)
        return refuse(quota, refusal, refusal.route)
      }
      const then = now()
      const answer = quota.remaining < 0 ? undefined : (known ?? compute?.(plan.name))
      const variant = answer?.representation.ready(encoding)
      // The count may have taken a while, in which the answer was replaced.
      if (answer === undefined || variant === undefined || !answer.dependencies.isValid(then)) {
        counted.set(source, quota)
        return otherwise()
      }
      if (cached !== undefined) cache.used(key)
      metrics.decided("allowed", plan.name)
      const held = one(headers["if-none-match"])
      const isHeld = held !== undefined && matches(held, variant.etag)
      const status = isHeld ? 304 : 200
      const list = isHeld ? variant.listAlone : variant.list
      const sent = [
        ...list,
        "cache-control",
        answer.cacheControl(hasKey, then),
        ...rateList(quota),
        "x-request-id",
        nextId()
      ]
      metrics.answered(answer.route, status, began)
      respond(status, sent, isHeld ? undefined : variant.content)
    })
  }
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
