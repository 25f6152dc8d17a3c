// The responses to counted requests: from the cache, from a handler, or problems, each with the headers of every response. A handler's
// answer is cached under the key of the question until one of its snapshots is replaced or expires.
import { Clock, Context, Effect, Layer } from "effect"
import { HttpServerResponse } from "effect/http"
import { CurrentDependencies, Dependencies, sharing } from "../../services/refresh/Dependencies.ts"
import * as Patience from "../../services/refresh/Patience.ts"
import type { Question } from "../request/Question.ts"
import type { Route } from "../request/Routes.ts"
import type { EncodedBody } from "./Body.ts"
import { CachedResponse } from "./CachedResponse.ts"
import { CurrentNotes, type Notes } from "./Notes.ts"
import * as ResponseCache from "./ResponseCache.ts"
import { countersIn } from "./countersIn.ts"
import * as Encodings from "./Encodings.ts"
import { errorPage } from "./ErrorPage.ts"
import { matches } from "./EntityTag.ts"
import * as Guards from "./Guards.ts"
import { headersOf } from "./Headers.ts"
import { type RawResponse, toResponse } from "./RawResponse.ts"
import { type CountedRequest, headerText, isRead } from "./CountedRequest.ts"
import * as Problem from "./Problem.ts"

type Response = HttpServerResponse.HttpServerResponse

export class Responses extends Context.Service<
  Responses,
  {
    /** The cached response, or the problem of a failed guard; `undefined` on a miss. A promise while it is compressed. */
    readonly cached: (
      request: CountedRequest,
      question: Question
    ) => RawResponse | undefined | Promise<RawResponse | undefined>
    /**
     * Runs `handle` for a request and caches its answer. If a snapshot was replaced meanwhile, it runs once more, so that responses do
     * not go back to older data. All waits of both runs share their deadlines.
     */
    readonly respond: <E, R>(
      request: CountedRequest,
      question: Question,
      handle: Effect.Effect<Response, E, R>
    ) => Effect.Effect<Response, E, R>
    /** A response that is not cached, with the headers of every response, or the problem that replaces an empty error. */
    readonly finish: (request: CountedRequest, response: Response) => Response
  }
>()("crypto-data-api/http/response/Responses") {
  static readonly layer: Layer.Layer<Responses> = Layer.effect(
    Responses,
    Effect.gen(function* () {
      const clock = yield* Clock.Clock
      const now = () => clock.currentTimeMillisUnsafe()
      const counter = countersIn(yield* Effect.context<never>())(
        "cda_kept_answers_total",
        "Answers that may be kept, handed out (hit) or made"
      )
      const hits = counter({ outcome: "hit" })
      const misses = counter({ outcome: "miss" })
      const cache = ResponseCache.make()
      const shared = sharing()

      const send = (
        request: CountedRequest,
        answer: CachedResponse,
        encoded: EncodedBody,
        until: number
      ): RawResponse => {
        const { content, encoding, etag, length } = encoded
        const cacheControl = answer.cacheControl(request.isPrivate, now(), until)
        const known = headerText(request.headers["if-none-match"])
        if (known !== undefined && matches(known, etag)) {
          return {
            status: 304,
            headers: headersOf(request, { etag, ...answer.extraHeaders }, cacheControl),
            content: undefined
          }
        }
        const extra = {
          "content-type": answer.contentType,
          "content-length": String(length),
          ...(encoding !== "identity" && { "content-encoding": encoding }),
          etag,
          ...answer.extraHeaders
        }
        return { status: 200, headers: headersOf(request, extra, cacheControl), content }
      }

      /** The response, or the problem of a failed guard. `mayBeOld`: whether an answer that is outdated after its compression is sent. */
      const responseOf = (request: CountedRequest, question: Question, answer: CachedResponse, mayBeOld: boolean) => {
        const passed = Guards.check(question.guards, answer, now())
        if (typeof passed !== "number") return rawProblem(request, passed)
        const encoded = answer
          .bodyFor(question)
          .encoded(Encodings.chosenFor(headerText(request.headers["accept-encoding"])))
        if (!(encoded instanceof Promise)) return send(request, answer, encoded, passed)
        return encoded.then((compressed) =>
          mayBeOld || answer.isCurrent() ? send(request, answer, compressed, passed) : undefined
        )
      }

      const cached: Responses["Service"]["cached"] = (request, question) => {
        const answer = isRead(request) ? cache.find(keyOf(request, question), now()) : undefined
        if (answer === undefined) return undefined
        hits.count++
        return responseOf(request, question, answer, false)
      }

      const cacheableOf = (
        request: CountedRequest,
        route: Route,
        response: Response,
        dependencies: Dependencies,
        notes: Notes
      ) => {
        const { body, headers, status } = response
        if (status !== 200 || !isRead(request) || body._tag !== "Uint8Array") return undefined
        return new CachedResponse(
          route,
          body,
          headers,
          route.cachePolicy === "always" ? undefined : shared(dependencies),
          notes
        )
      }

      /** The response for a handler's answer; `undefined` if the answer is outdated and the handler may run again. */
      const handled = (
        request: CountedRequest,
        question: Question,
        response: Response,
        dependencies: Dependencies,
        notes: Notes,
        isLast: boolean
      ) => {
        const { route } = request.parsed
        const answer = route && cacheableOf(request, route, response, dependencies, notes)
        if (answer === undefined) return finish(request, response)
        if (!isLast && !answer.isCurrent()) return undefined
        if (isCacheable(answer, question, dependencies)) {
          misses.count++
          cache.add(keyOf(request, question), answer, now())
        }
        return responseOf(request, question, answer, isLast)
      }

      const respond = <E, R>(
        request: CountedRequest,
        question: Question,
        handle: Effect.Effect<Response, E, R>
      ): Effect.Effect<Response, E, R> => {
        const run = (isLast: boolean): Effect.Effect<Response, E, R> =>
          Effect.suspend(() => {
            const dependencies = new Dependencies()
            const notes: Notes = {}
            const noted = Effect.updateContext(handle, (context: Context.Context<R>) =>
              Context.add(Context.add(context, CurrentDependencies, dependencies), CurrentNotes, notes)
            )
            return Effect.flatMap(noted, (response) => {
              const sent = handled(request, question, response, dependencies, notes, isLast)
              const last = (final: RawResponse | Response | undefined) =>
                final === undefined ? run(true) : Effect.succeed(responseFrom(final))
              return sent instanceof Promise
                ? Effect.flatMap(
                    Effect.promise(() => sent),
                    last
                  )
                : last(sent)
            })
          })
        return Patience.shared(run(false))
      }

      return Responses.of({ cached, respond, finish })
    })
  )
}

const keyOf = ({ plan }: CountedRequest, { key }: Question): string => `${plan} ${key}`

/**
 * Whether the answer may serve other requests. Callers can choose any number of amounts, so an answer for one amount alone would fill
 * the cache.
 */
const isCacheable = ({ notes, route }: CachedResponse, question: Question, dependencies: Dependencies): boolean => {
  if (route.cachePolicy !== "while current") return route.cachePolicy === "always"
  const isForOneAmount = question.amount === undefined ? question.isOfAmount : notes.write === undefined
  return !isForOneAmount && !dependencies.isEmpty
}

/** The response with a problem: a page for who reads one. */
export const rawProblem = (request: CountedRequest, refusal: Problem.ProblemDetails): RawResponse => {
  const page = errorPage(request, refusal)
  if (page !== undefined) return page
  const { headers, status, text } = Problem.write(refusal, request.parsed, request.id)
  return { status, headers: headersOf(request, headers), content: text }
}

const responseFrom = (response: RawResponse | Response): Response =>
  HttpServerResponse.isHttpServerResponse(response) ? response : toResponse(response)

const finish = (request: CountedRequest, response: Response): Response => {
  const refusal = Problem.standingFor(response, request.parsed)
  if (refusal !== undefined) return toResponse(rawProblem(request, refusal))
  const { link } = response.headers
  return HttpServerResponse.setHeaders(response, headersOf(request, link === undefined ? {} : { link }))
}
