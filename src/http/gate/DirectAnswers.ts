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
import { addRateHeaders } from "../response/RateHeaders.ts"
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

/** The quotas of requests, by `source`: each is counted here, and what is not answered here is left to the gate. */
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
    if (url === undefined || (method !== "GET" && method !== "HEAD") || hasBody(headers) || Paths.isFree(url)) {
      return otherwise()
    }
    const began = metrics.begin()
    const at = now()
    const caller = identity.known(request, at)
    if (caller === undefined) return otherwise()
    const { hasKey, plan, quotaKey } = caller

    const refuse = (quota: Quota, { content, headers, status }: PreparedProblem, route: string) => {
      const id = nextId()
      metrics.answered(route, status, began)
      respond(status, headers(id, quota), content(id))
    }

    // Counted before anything is computed: a flood costs about the same whatever it asks for.
    limiter.consumeThen(quotaKey, plan, at, (quota) => {
      const leaveToGate = () => {
        counted.set(source, quota)
        otherwise()
      }
      if (quota.remaining < 0) {
        if (Paths.isCoinGecko(url)) return leaveToGate()
        metrics.decided("refused", plan.name)
        return refuse(quota, tooMany(quota), Paths.routeOf(url))
      }
      const then = now()
      const key = cacheKey(url, one(headers["accept"]))
      const cached = cache.peek(plan.name, key, then)
      const known = cached ?? amounts.find(plan.name, key, then)
      const refusal = known === undefined && !Paths.isCoinGecko(url) ? refused.find(url) : undefined
      if (refusal !== undefined) {
        metrics.decided("allowed", plan.name)
        return refuse(quota, refusal, refusal.route)
      }
      const answer = known ?? (key === url ? handlers.find(url)?.(plan.name) : undefined)
      const variant = answer?.representation.ready(Encodings.chosenFor(one(headers["accept-encoding"])))
      if (answer === undefined || variant === undefined) return leaveToGate()
      if (cached !== undefined) cache.used(key)
      metrics.decided("allowed", plan.name)
      const held = one(headers["if-none-match"])
      const isHeld = held !== undefined && matches(held, variant.etag)
      const status = isHeld ? 304 : 200
      const sent = isHeld ? variant.listAlone() : variant.list()
      sent.push("cache-control", answer.cacheControl(hasKey, then))
      addRateHeaders(sent, quota)
      sent.push("x-request-id", nextId())
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
