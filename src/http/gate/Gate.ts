// Every request to this service passes the gate: it arrives, the gate identifies the caller, counts the request, decides, and settles the
// exchange. Nothing is judged before a request is counted. A miss goes to Effect's router, once.
//
// No route escapes the limiter, because the only ways to the router, `node/Listener` and `GateMiddleware`, ask the gate first, and
// because an endpoint dies without the plan that the gate gives (`test/http/gate/EveryRoute.test.ts`).
import { Clock, Context, Effect, Layer, Random } from "effect"
import { ApiKeys } from "../../access/ApiKeys.ts"
import { type Quota, RateLimiter } from "../../access/RateLimiter.ts"
import { rememberEach } from "../../domain/rememberEach.ts"
import { OperatorContact } from "../OperatorContact.ts"
import { PublicUrl } from "../PublicUrl.ts"
import { rawProblem, Responses } from "../response/Responses.ts"
import { headersOf } from "../response/Headers.ts"
import type { RawResponse } from "../response/RawResponse.ts"
import type { CountedRequest } from "../response/CountedRequest.ts"
import * as Problem from "../response/Problem.ts"
import { isOwnPath, type ParsedPath, parsePath } from "../request/ParsedPath.ts"
import * as Target from "../request/Target.ts"
import * as AccessLog from "./AccessLog.ts"
import type { CacheMiss } from "./CacheMiss.ts"
import { decide, type Decision, isMiss } from "./decide.ts"
import * as GateResponses from "./GateResponses.ts"
import * as Identity from "./Identity.ts"
import type { IncomingRequest } from "./IncomingRequest.ts"
import { OtherPaths } from "./OtherPaths.ts"
import * as RequestMetrics from "./RequestMetrics.ts"
import * as RequestSpan from "./RequestSpan.ts"

/** The most paths that are remembered. */
const REMEMBERED = 2000

/** The route of an unknown path in spans, as Effect's router names it. */
const ANY = "/*"

/** Where a request leaves the gate, once. */
interface Exits {
  readonly respond: (response: RawResponse) => void
  /** To the router: with a miss, or without one if the path is a host's, whose routes get the request untouched. */
  readonly route: (miss: CacheMiss | undefined) => void
}

interface Arrival extends Exits {
  readonly incoming: IncomingRequest
  readonly parsed: ParsedPath
  readonly query: string
  /** Whether its path is one of a host's routes. */
  readonly isHosts: boolean
  readonly id: string
  /** Epoch milliseconds. */
  readonly now: number
  /** Monotonic nanoseconds. */
  readonly began: bigint
}

export class Gate extends Context.Service<
  Gate,
  {
    /** Takes one exit, once: synchronously, or after a look-up. Throws only what the exit throws. */
    readonly handle: (incoming: IncomingRequest, exits: Exits) => void
  }
>()("crypto-data-api/http/gate/Gate") {
  static readonly layerNoDeps: Layer.Layer<Gate, never, ApiKeys | RateLimiter | Responses> = Layer.effect(
    Gate,
    Effect.gen(function* () {
      const responses = yield* Responses
      const limiter = yield* RateLimiter
      const { identify, byAddress } = yield* Identity.make(yield* ApiKeys)
      const contact = yield* OperatorContact
      const { path: base } = yield* PublicUrl
      const others = yield* OtherPaths
      const logsRequests = yield* AccessLog.LogsRequests
      const metrics = yield* RequestMetrics.make
      const clock = yield* Clock.Clock
      const beginSpan = yield* RequestSpan.make(clock)
      const run = Effect.runForkWith(yield* Effect.context<never>())
      const start = (yield* Random.nextIntBetween(0x10000000, 0xffffffff)).toString(16)
      let requests = 0

      // Callers repeat their paths, unlike amounts in their queries. For a path without a query `decide` remembers more.
      const parsedOf = rememberEach(REMEMBERED, (path: string) => parsePath(path, base))

      const handle: Gate["Service"]["handle"] = (incoming, exits) => {
        const arrival = arrive(incoming, exits)
        if (arrival.isHosts && others === "passed") return exits.route(undefined)
        whoAsks(arrival, (identity) => countFor(arrival, identity, (quota) => settle(arrival, identity, quota)))
      }

      const arrive = (incoming: IncomingRequest, exits: Exits): Arrival => {
        const { path, query } = Target.parse(incoming.target)
        const parsed = parsedOf(path)
        return {
          ...exits,
          incoming,
          parsed,
          query,
          isHosts: others !== "refused" && !isOwnPath(parsed),
          id: `${start}-${(requests++).toString(36)}`,
          now: clock.currentTimeMillisUnsafe(),
          began: clock.monotonicTimeNanosUnsafe()
        }
      }

      /** By address for a preflight, which has no key, and for an ambiguous request, whose key may be another caller's. */
      const whoAsks = ({ incoming, now, parsed }: Arrival, then: (identity: Identity.Identity) => void) =>
        incoming.method === "OPTIONS" || incoming.isAmbiguous === true
          ? then(byAddress(incoming))
          : identify(incoming, parsed.dialect, parsed.route?.hasData !== true, now, then)

      const countFor = (arrival: Arrival, identity: Identity.Identity, then: (quota: Quota) => void) => {
        const isFree = isFreeFor(arrival, identity)
        limiter.count(identity.quotaKey, identity.plan, isFree ? 0 : 1, arrival.now, (quota) => {
          if (!isFree) metrics.decided(decisionOf(identity.refusal, quota), identity.plan.name)
          // A refused request is no use of a key.
          if (!isFree && quota.remaining >= 0) identity.usage?.count(arrival.now)
          then(quota)
        })
      }

      const settle = (arrival: Arrival, identity: Identity.Identity, quota: Quota): void => {
        const { began, id, incoming, parsed, query, respond, route } = arrival
        const { isPrivate, plan, quotaKey } = identity
        const { headers, method } = incoming
        const request: CountedRequest = { id, method, headers, parsed, query, plan: plan.name, isPrivate, quota }
        const traced = beginSpan(incoming, parsed, id)
        const record = (status: number, pattern: string, isRouted = true) => {
          const seconds = Number(clock.monotonicTimeNanosUnsafe() - began) / 1e9
          metrics.responded(pattern, status, seconds)
          if (logsRequests) logged(id, AccessLog.write(request, quotaKey, pattern, status, seconds))
          traced?.end(status, isRouted ? undefined : (parsed.route?.pattern ?? ANY))
        }
        const finish = (decision: Decision | undefined) => {
          if (decision === undefined || isMiss(decision)) {
            return route({ request, question: decision, span: traced?.span, record })
          }
          record(decision.status, parsed.pattern, false)
          respond(decision)
        }
        const failed = (cause: unknown) => {
          logged(id, Effect.logError("a request failed with an internal error", cause))
          return rawProblem(request, Problem.internal)
        }
        const decision = attempt(() => refuse(arrival, identity, request) ?? answer(arrival, request), failed)
        if (decision instanceof Promise) void decision.catch(failed).then(finish)
        else finish(decision)
      }

      /** 429 over the quota, 400 for an ambiguous request, 400, 401 or 503 for a key. */
      const refuse = (arrival: Arrival, identity: Identity.Identity, request: CountedRequest) => {
        const { refusal } = identity
        if (request.quota.remaining < 0 && !isFreeFor(arrival, identity)) {
          return rawProblem(request, GateResponses.rateLimited(request.quota, contact))
        }
        if (arrival.incoming.isAmbiguous === true) return rawProblem(request, GateResponses.ambiguous)
        return refusal === null ? undefined : rawProblem(request, GateResponses.badKey(refusal, contact))
      }

      /** The response to a caller that is served; `undefined` for a request that goes to a host's routes. */
      const answer = ({ isHosts }: Arrival, request: CountedRequest) => {
        if (isHosts) return undefined
        const { method, parsed } = request
        if (method === "OPTIONS") {
          return { status: 204, headers: headersOf(request, GateResponses.preflight(parsed)), content: undefined }
        }
        return decide(responses, request)
      }

      const logged = (request_id: string, effect: Effect.Effect<void>) =>
        void run(Effect.annotateLogs(effect, { request_id }))

      return Gate.of({ handle })
    })
  )

  /** With `Responses`, which the router also needs. */
  static readonly layer: Layer.Layer<Gate | Responses, never, ApiKeys | RateLimiter> = Layer.provideMerge(
    this.layerNoDeps,
    Responses.layer
  )

  /** The same where no host has routes beside this service's. */
  static readonly layerAlone = Layer.provide(this.layer, Layer.succeed(OtherPaths, "refused"))
}

/** A refused key costs a request on every path, so that guessing keys is never free. */
const isFreeFor = ({ incoming, parsed }: Arrival, { refusal }: Identity.Identity): boolean =>
  incoming.isAmbiguous !== true &&
  (incoming.method === "OPTIONS" || (refusal === null && parsed.route?.isFree === true))

const decisionOf = (refusal: Identity.Identity["refusal"], { remaining }: Quota): RequestMetrics.Decision => {
  if (remaining < 0) return "refused"
  if (refusal === null) return "allowed"
  return refusal._tag === "Unavailable" ? "unverified" : "invalid_key"
}

const attempt = <A, B>(compute: () => A, failed: (cause: unknown) => B): A | B => {
  try {
    return compute()
  } catch (cause) {
    return failed(cause)
  }
}
