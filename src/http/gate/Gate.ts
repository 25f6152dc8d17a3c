// What happens to every request, in this order: its target is parsed, its caller is identified, it is counted; then it is
// answered with 429 or 401, or with a kept answer (200 or 304), or it is a miss, which goes to Effect's router once. One function
// for all platforms: a listener that can ask it first does so (`node/Listener`), elsewhere the router's middleware does.
import { Clock, Context, Effect, Layer, Random, type Tracer } from "effect"
import { ApiKeys } from "../../access/ApiKeys.ts"
import { type Quota, RateLimiter } from "../../access/RateLimiter.ts"
import { OperatorContact } from "../OperatorContact.ts"
import { Answers, refused } from "../response/Answers.ts"
import { headersOf } from "../response/Headers.ts"
import type { Outgoing } from "../response/Outgoing.ts"
import { one, type Passage, passageOf } from "../response/Passage.ts"
import * as Problem from "../response/Problem.ts"
import { ask } from "../target/Asked.ts"
import { MCP } from "../target/Paths.ts"
import type { Route } from "../target/Routes.ts"
import * as Target from "../target/Target.ts"
import * as AccessLog from "./AccessLog.ts"
import * as GateAnswers from "./GateAnswers.ts"
import * as Identity from "./Identity.ts"
import type { Miss } from "./Miss.ts"
import * as RequestMetrics from "./RequestMetrics.ts"
import * as RequestSpan from "./RequestSpan.ts"

/** A request as a platform receives it. */
export interface Incoming extends Identity.Asking {
  readonly method: string
  /** As it was sent. */
  readonly target: string
  /** The span that the platform has begun for it, if it traces requests itself. */
  readonly span?: Tracer.Span | undefined
}

export class Gate extends Context.Service<
  Gate,
  {
    /**
     * Decides about a request. Calls one of the functions once, at once or after a look-up; throws only what they throw.
     */
    readonly admit: (incoming: Incoming, answered: (outgoing: Outgoing) => void, missed: (miss: Miss) => void) => void
  }
>()("crypto-data-api/http/gate/Gate") {
  static readonly layerNoDeps: Layer.Layer<Gate, never, ApiKeys | RateLimiter | Answers> = Layer.effect(
    Gate,
    Effect.gen(function* () {
      const answers = yield* Answers
      const limiter = yield* RateLimiter
      const { identify, unkeyed } = yield* Identity.make(yield* ApiKeys)
      const contact = yield* OperatorContact
      const logsRequests = yield* AccessLog.LogsRequests
      const metrics = yield* RequestMetrics.make
      const clock = yield* Clock.Clock
      const beginSpan = yield* RequestSpan.make(clock)
      const run = Effect.runForkWith(yield* Effect.context<never>())
      const start = (yield* Random.nextIntBetween(0x10000000, 0xffffffff)).toString(16)
      let count = 0

      const logged = (request_id: string, effect: Effect.Effect<void>) =>
        void run(Effect.annotateLogs(effect, { request_id }))

      /** What the gate itself answers to a counted request; nothing for a miss. */
      const decide = (passage: Passage, refusal: Identity.Identity["refusal"], isFree: boolean) => {
        const { asked, method, quota } = passage
        if (method === "OPTIONS") {
          const headers = headersOf(passage, GateAnswers.preflight(asked))
          return { status: 204, headers, content: undefined }
        }
        if (!isFree && quota.remaining < 0) return refused(passage, GateAnswers.rateLimited(quota, contact))
        if (refusal !== null) return refused(passage, GateAnswers.badKey(refusal, contact))
        return answers.kept(passage)
      }

      const admit: Gate["Service"]["admit"] = (incoming, answered, missed) => {
        const began = clock.monotonicTimeNanosUnsafe()
        const id = `${start}-${(count++).toString(36)}`
        const now = clock.currentTimeMillisUnsafe()
        const { headers, method } = incoming
        const asked = ask(Target.parse(incoming.target), one(headers["accept"]))
        const traced = beginSpan(incoming, asked, id)

        const counted =
          ({ hasKey, plan, quotaKey, refusal }: Identity.Identity, isFree: boolean) =>
          (quota: Quota) => {
            if (!isFree) metrics.decided(decisionOf(refusal, quota), plan.name)
            const passage = passageOf({ id, method, headers, asked, plan: plan.name, hasKey, quota })
            const sent = (status: number, route: string, isRouted: boolean) => {
              const seconds = Number(clock.monotonicTimeNanosUnsafe() - began) / 1e9
              metrics.answered(route, status, seconds)
              if (logsRequests) logged(id, AccessLog.write(passage, quotaKey, route, status, seconds))
              traced?.end(status, isRouted || status >= 400 ? undefined : route)
            }
            const done = (outgoing: Outgoing | undefined) => {
              if (outgoing === undefined) {
                return missed({ passage, span: traced?.span, sent: (status, route) => sent(status, route, true) })
              }
              sent(outgoing.status, passage.route, false)
              answered(outgoing)
            }
            const failed = (cause: unknown) => {
              logged(id, Effect.logError("a request failed with an internal error", cause))
              return refused(passage, Problem.internal)
            }
            const decision = attempt(() => decide(passage, refusal, isFree), failed)
            if (decision instanceof Promise) void decision.catch(failed).then(done)
            else done(decision)
          }

        const counting = (identity: Identity.Identity, isFree: boolean) => {
          if (!isFree) identity.usage?.count(now)
          limiter.count(identity.quotaKey, identity.plan, isFree ? 0 : 1, now, counted(identity, isFree))
        }

        if (method === "OPTIONS") return counting(unkeyed(incoming), true)
        identify(incoming, asked.dialect, !isData(asked.route), now, (identity) =>
          // A refused key costs a request on every path, so that guessing keys is never free.
          counting(identity, identity.refusal === null && asked.route?.isFree === true)
        )
      }

      return Gate.of({ admit })
    })
  )

  /** With the answers that it keeps, which the router needs too. */
  static readonly layer: Layer.Layer<Gate | Answers, never, ApiKeys | RateLimiter> = Layer.provideMerge(
    this.layerNoDeps,
    Answers.layer
  )
}

/** Whether a path has data: an endpoint, or the tools of agents. Documents, health and metrics are open without a key. */
const isData = (route: Route | undefined): boolean => route !== undefined && (route.isEndpoint || route.pattern === MCP)

const decisionOf = (refusal: Identity.Identity["refusal"], { remaining }: Quota): RequestMetrics.Decision => {
  if (remaining < 0) return "refused"
  if (refusal === null) return "allowed"
  return refusal._tag === "Unavailable" ? "unverified" : "invalid_key"
}

/** The result, or what is made of a throw. */
const attempt = <A, B>(compute: () => A, failed: (cause: unknown) => B): A | B => {
  try {
    return compute()
  } catch (cause) {
    return failed(cause)
  }
}
