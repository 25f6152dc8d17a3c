// Responses: kept answers, answers that a handler made, and problems, each with the headers that every response has. What was
// made is kept under what was asked for, until a snapshot that it was made from is replaced.
import { Clock, Context, Effect, Layer } from "effect"
import { Cookies, HttpServerResponse } from "effect/http"
import { CurrentDependencies, Dependencies, sharing } from "../../services/refresh/Dependencies.ts"
import type { Asked } from "../target/Asked.ts"
import type { Route } from "../target/Routes.ts"
import { Answer, type Encoded } from "./Answer.ts"
import * as AnswerCache from "./AnswerCache.ts"
import { countersIn } from "./countersIn.ts"
import * as Encodings from "./Encodings.ts"
import { matches } from "./EntityTag.ts"
import * as Guards from "./Guards.ts"
import { headersOf } from "./Headers.ts"
import type { Outgoing } from "./Outgoing.ts"
import { one, type Passage } from "./Passage.ts"
import * as Problem from "./Problem.ts"

type Response = HttpServerResponse.HttpServerResponse

/** A response as it is sent. Only one that is no text or bytes, or no answer of this service, is left to the platform. */
export type Sent = Outgoing | Response

export class Answers extends Context.Service<
  Answers,
  {
    /** The kept answer to a request, or the refusal of its guard; nothing for a miss. A promise while it is compressed. */
    readonly kept: (passage: Passage) => Outgoing | undefined | Promise<Outgoing | undefined>
    /**
     * The response to a request that `handle` answers. Runs it again where a snapshot was replaced meanwhile: responses never go
     * back to older data. Leaves what was read in the context of the fiber.
     */
    readonly made: <E, R>(passage: Passage, handle: Effect.Effect<Response, E, R>) => Effect.Effect<Sent, E, R>
  }
>()("crypto-data-api/http/response/Answers") {
  static readonly layer: Layer.Layer<Answers> = Layer.effect(
    Answers,
    Effect.gen(function* () {
      const clock = yield* Clock.Clock
      const now = () => clock.currentTimeMillisUnsafe()
      const counter = countersIn(yield* Effect.context<never>())(
        "cda_kept_answers_total",
        "Answers that may be kept, handed out (hit) or made"
      )
      const hits = counter({ outcome: "hit" })
      const misses = counter({ outcome: "miss" })
      const answers = AnswerCache.make()
      const ofAmounts = AnswerCache.make(AnswerCache.MAX_BYTES_OF_AMOUNTS)
      const cacheOf = (asked: Asked) => (isOfAmount(asked) ? ofAmounts : answers)
      const shared = sharing()

      const send = (passage: Passage, answer: Answer, encoded: Encoded, until: number): Outgoing => {
        const { content, encoding, etag, length } = encoded
        const cacheControl = answer.cacheControl(passage.hasKey, now(), until)
        const known = one(passage.headers["if-none-match"])
        if (known !== undefined && matches(known, etag)) {
          return {
            status: 304,
            headers: headersOf(passage, { etag, ...answer.own }, cacheControl),
            content: undefined
          }
        }
        const own = {
          "content-type": answer.contentType,
          "content-length": String(length),
          ...(encoding !== "identity" && { "content-encoding": encoding }),
          etag,
          ...answer.own
        }
        return { status: 200, headers: headersOf(passage, own, cacheControl), content }
      }

      /** The answer as it is sent, or the refusal of a guard. Nothing if it is outdated when it is compressed. */
      const guarded = (passage: Passage, answer: Answer, guards: Guards.Guards) => {
        const passed = Guards.check(guards, answer, now())
        if (typeof passed !== "number") return refused(passage, passed)
        const encoded = answer.encoded(Encodings.chosenFor(one(passage.headers["accept-encoding"])))
        if (!(encoded instanceof Promise)) return send(passage, answer, encoded, passed)
        return encoded.then((compressed) =>
          answer.isCurrent() ? send(passage, answer, compressed, passed) : undefined
        )
      }

      const kept: Answers["Service"]["kept"] = (passage) => {
        const { asked, isRead } = passage
        if (!isRead || asked.faults !== undefined) return undefined
        const guards = Guards.decode(asked)
        const answer = guards && cacheOf(asked).find(keyOf(passage), now())
        if (guards === undefined || answer === undefined) return undefined
        hits.count++
        return guarded(passage, answer, guards)
      }

      const answerOf = (passage: Passage, route: Route, response: Response, dependencies: Dependencies) => {
        const { body, headers, status } = response
        if (status !== 200 || !passage.isRead || body._tag !== "Uint8Array") return undefined
        return new Answer(route, body, headers, route.keeping === "always" ? undefined : shared(dependencies))
      }

      /** What a handler made, as it is sent; nothing if it is outdated. */
      const finished = (passage: Passage, response: Response, dependencies: Dependencies) => {
        const { asked } = passage
        const answer = asked.route && answerOf(passage, asked.route, response, dependencies)
        if (answer === undefined) return completed(passage, response)
        if (!answer.isCurrent()) return undefined
        if (isKept(answer.route, dependencies)) {
          misses.count++
          cacheOf(asked).keep(keyOf(passage), answer, now())
        }
        return guarded(passage, answer, Guards.decode(asked) ?? Guards.unguarded)
      }

      const made = <E, R>(passage: Passage, handle: Effect.Effect<Response, E, R>): Effect.Effect<Sent, E, R> =>
        Effect.withFiber((fiber) => {
          const { context } = fiber
          const once: Effect.Effect<Sent, E, R> = Effect.suspend(() => {
            const dependencies = new Dependencies()
            fiber.setContext(Context.add(context, CurrentDependencies, dependencies))
            return Effect.flatMapEager(handle, (response): Effect.Effect<Sent, E, R> => {
              const sent = finished(passage, response, dependencies)
              if (!(sent instanceof Promise)) return sent === undefined ? once : Effect.succeed(sent)
              const compressed = Effect.promise(() => sent)
              return Effect.flatMap(compressed, (later) => (later === undefined ? once : Effect.succeed(later)))
            })
          })
          // Ends, because each repetition needs another refresh in the middle of the one before.
          return once
        })

      return Answers.of({ kept, made })
    })
  )
}

/** Whether the answer is about an amount that the caller chose. */
const isOfAmount = ({ key, route }: Asked): boolean =>
  route?.takesAmount === "in path" || (route?.takesAmount === "in query" && /[?&]amount=/.test(key))

const keyOf = ({ asked, plan }: Passage): string => `${plan} ${asked.key}`

const isKept = ({ keeping }: Route, dependencies: Dependencies): boolean =>
  keeping === "always" || (keeping !== "never" && !dependencies.isEmpty)

/** A problem as it is sent. */
export const refused = (passage: Passage, refusal: Problem.Refusal): Outgoing => {
  const { headers, status, text } = Problem.write(refusal, passage.asked.dialect, passage.id)
  return { status, headers: headersOf(passage, headers), content: text }
}

/** A response that is no answer as it is sent: an error, or what a host's own route or MCP answers. */
export const completed = (passage: Passage, response: Response): Sent => {
  const refusal = Problem.standingFor(response, passage.asked, passage.method)
  if (refusal !== undefined) return refused(passage, refusal)
  const { body, headers, status } = response
  if (body._tag !== "Uint8Array" || !Cookies.isEmpty(response.cookies)) {
    return HttpServerResponse.setHeaders(response, headersOf(passage, {}))
  }
  const own = { ...headers, "content-type": body.contentType, "content-length": String(body.contentLength) }
  return { status, headers: headersOf(passage, own), content: body.text ?? body.body }
}
