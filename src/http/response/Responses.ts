// The responses to counted requests: from the cache, from a handler, or problems, each with the headers of every response. A handler's
// answer is cached under the key of the request until one of its snapshots is replaced or expires.
import { Clock, Context, Effect, Layer } from "effect"
import { Cookies, HttpServerResponse } from "effect/http"
import { CurrentDependencies, Dependencies, sharing } from "../../services/refresh/Dependencies.ts"
import type { ParsedRequest } from "../request/ParsedRequest.ts"
import type { Route } from "../request/Routes.ts"
import { CachedResponse, type EncodedBody } from "./CachedResponse.ts"
import * as ResponseCache from "./ResponseCache.ts"
import { countersIn } from "./countersIn.ts"
import * as Encodings from "./Encodings.ts"
import { matches } from "./EntityTag.ts"
import * as Guards from "./Guards.ts"
import { headersOf } from "./Headers.ts"
import type { RawResponse } from "./RawResponse.ts"
import { type CountedRequest, headerText } from "./CountedRequest.ts"
import * as Problem from "./Problem.ts"

type Response = HttpServerResponse.HttpServerResponse

/** A finished response. Those with cookies, or with a body other than text or bytes, stay Effect's, and the platform sends them. */
export type FinalResponse = RawResponse | Response

export class Responses extends Context.Service<
  Responses,
  {
    /** The cached response, or the problem of a failed guard; `undefined` on a miss. A promise while it is compressed. */
    readonly cached: (request: CountedRequest) => RawResponse | undefined | Promise<RawResponse | undefined>
    /**
     * Runs `handle` for a request and caches its answer. Runs it again if a snapshot was replaced meanwhile, so that responses
     * never go back to older data. Leaves the dependencies in the context of the fiber.
     */
    readonly respond: <E, R>(
      request: CountedRequest,
      handle: Effect.Effect<Response, E, R>
    ) => Effect.Effect<FinalResponse, E, R>
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
      const ofAmounts = ResponseCache.make(ResponseCache.MAX_BYTES_OF_AMOUNTS)
      const cacheOf = (parsed: ParsedRequest) => (isOfAmount(parsed) ? ofAmounts : cache)
      const shared = sharing()

      const send = (
        request: CountedRequest,
        answer: CachedResponse,
        encoded: EncodedBody,
        until: number
      ): RawResponse => {
        const { content, encoding, etag, length } = encoded
        const cacheControl = answer.cacheControl(request.hasKey, now(), until)
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

      /** The response, or the problem of a failed guard; `undefined` if the answer is outdated after compression. */
      const responseOf = (request: CountedRequest, answer: CachedResponse, guards: Guards.Guards) => {
        const passed = Guards.check(guards, answer, now())
        if (typeof passed !== "number") return rawProblem(request, passed)
        const encoded = answer.encoded(Encodings.chosenFor(headerText(request.headers["accept-encoding"])))
        if (!(encoded instanceof Promise)) return send(request, answer, encoded, passed)
        return encoded.then((compressed) =>
          answer.isCurrent() ? send(request, answer, compressed, passed) : undefined
        )
      }

      const cached: Responses["Service"]["cached"] = (request) => {
        const { parsed, isRead } = request
        if (!isRead || parsed.faults !== undefined) return undefined
        const guards = Guards.decode(parsed)
        const answer = guards && cacheOf(parsed).find(keyOf(request), now())
        if (guards === undefined || answer === undefined) return undefined
        hits.count++
        return responseOf(request, answer, guards)
      }

      const cacheableOf = (request: CountedRequest, route: Route, response: Response, dependencies: Dependencies) => {
        const { body, headers, status } = response
        if (status !== 200 || !request.isRead || body._tag !== "Uint8Array") return undefined
        return new CachedResponse(
          route,
          body,
          headers,
          route.cachePolicy === "always" ? undefined : shared(dependencies)
        )
      }

      /** The response for a handler's answer; `undefined` if the answer is outdated. */
      const handled = (request: CountedRequest, response: Response, dependencies: Dependencies) => {
        const { parsed } = request
        const answer = parsed.route && cacheableOf(request, parsed.route, response, dependencies)
        if (answer === undefined) return finalResponse(request, response)
        if (!answer.isCurrent()) return undefined
        if (isCacheable(answer.route, dependencies)) {
          misses.count++
          cacheOf(parsed).add(keyOf(request), answer, now())
        }
        return responseOf(request, answer, Guards.decode(parsed) ?? Guards.unguarded)
      }

      const respond = <E, R>(
        request: CountedRequest,
        handle: Effect.Effect<Response, E, R>
      ): Effect.Effect<FinalResponse, E, R> =>
        Effect.withFiber((fiber) => {
          const { context } = fiber
          const once: Effect.Effect<FinalResponse, E, R> = Effect.suspend(() => {
            const dependencies = new Dependencies()
            fiber.setContext(Context.add(context, CurrentDependencies, dependencies))
            return Effect.flatMapEager(handle, (response): Effect.Effect<FinalResponse, E, R> => {
              const sent = handled(request, response, dependencies)
              if (!(sent instanceof Promise)) return sent === undefined ? once : Effect.succeed(sent)
              const compressed = Effect.promise(() => sent)
              return Effect.flatMap(compressed, (later) => (later === undefined ? once : Effect.succeed(later)))
            })
          })
          // The repetition ends, because each run needs another refresh during the previous run.
          return once
        })

      return Responses.of({ cached, respond })
    })
  )
}

/** Whether the answer is about an amount that the caller chose. */
const isOfAmount = ({ key, route }: ParsedRequest): boolean =>
  route?.takesAmount === "in path" || (route?.takesAmount === "in query" && /[?&]amount=/.test(key))

const keyOf = ({ parsed, plan }: CountedRequest): string => `${plan} ${parsed.key}`

const isCacheable = ({ cachePolicy }: Route, dependencies: Dependencies): boolean =>
  cachePolicy === "always" || (cachePolicy !== "never" && !dependencies.isEmpty)

/** The response with a problem. */
export const rawProblem = (request: CountedRequest, refusal: Problem.ProblemDetails): RawResponse => {
  const { headers, status, text } = Problem.write(refusal, request.parsed, request.id)
  return { status, headers: headersOf(request, headers), content: text }
}

/** A response that is not cached: an error, or one of a host's own route or MCP. */
export const finalResponse = (request: CountedRequest, response: Response): FinalResponse => {
  const refusal = Problem.standingFor(response, request.parsed, request.method)
  if (refusal !== undefined) return rawProblem(request, refusal)
  const { body, headers, status } = response
  if (body._tag !== "Uint8Array" || !Cookies.isEmpty(response.cookies)) {
    const { link } = headers
    return HttpServerResponse.setHeaders(response, headersOf(request, link === undefined ? {} : { link }))
  }
  const extra = { ...headers, "content-type": body.contentType, "content-length": String(body.contentLength) }
  return { status, headers: headersOf(request, extra), content: body.text ?? body.body }
}
