// Runs the handlers of answers that are built from snapshots: records what a handler reads, prepares its body in the
// encoding that the caller accepts, and runs the handler again if a snapshot was replaced meanwhile. So responses never
// go back to older data. Guards are checked last, and leave what is cached as it is.
import { Clock, Context, Effect, Layer } from "effect"
import { HttpServerRequest } from "effect/http"
import { Caller } from "../../api/Caller.ts"
import { IsCached, Cacheable } from "../../api/Cacheable.ts"
import { CurrentDependencies, Dependencies, sharing } from "../../services/refresh/Dependencies.ts"
import { cacheKey } from "./Format.ts"
import { AmountAnswers, writerOf } from "./AmountAnswers.ts"
import * as Encodings from "./Encodings.ts"
import * as Guards from "./Guards.ts"
import * as RawResponse from "./RawResponse.ts"
import { CachedResponse } from "./CachedResponse.ts"
import { ResponseCache } from "./ResponseCache.ts"
import { Representation } from "./Representation.ts"

/** Caches the answers of endpoints marked with `IsCached`. */
export const CacheableLayer: Layer.Layer<Cacheable> = Layer.effect(
  Cacheable,
  Effect.gen(function* () {
    const cache = yield* ResponseCache
    const amounts = yield* AmountAnswers
    const shared = sharing()
    return (handle, { endpoint }) => {
      const guardsOf = Guards.of(endpoint.query?.ast)
      const isCached = Context.get(endpoint.annotations, IsCached)

      return Effect.withFiber((fiber) => {
        const request = Context.getUnsafe(fiber.context, HttpServerRequest.HttpServerRequest)
        const search = Context.getUnsafe(fiber.context, HttpServerRequest.ParsedSearchParams)
        const guards = guardsOf(request.url, search)
        const url = cacheKey(guards === undefined ? request.url : guards.url, request.headers["accept"])
        const { tier } = fiber.getRef(Caller)
        const encoding = Encodings.chosenFor(request.headers["accept-encoding"])

        const once: typeof handle = Effect.suspend(() => {
          const dependencies = new Dependencies()
          // The server restores the context after the request.
          fiber.setContext(Context.add(fiber.context, CurrentDependencies, dependencies))
          return Effect.flatMap(handle, (response) => {
            if (response.status !== 200 || response.body._tag !== "Uint8Array") return Effect.succeed(response)
            const writer = writerOf(response)
            const representation = new Representation(response.body, response.headers)
            const answer = new CachedResponse(endpoint.path, representation, shared(dependencies))
            const made = Effect.suspend(() => {
              // Ends, because each repetition needs another refresh in the middle of the one before.
              if (!dependencies.isCurrent()) return once
              if (isCached && !dependencies.isEmpty) cache.keep(tier, url, answer)
              if (writer !== undefined && !dependencies.isEmpty) {
                amounts.keep(tier, url, writer, answer)
              }
              return Effect.succeed(RawResponse.ofAnswer(answer))
            })
            return representation.ready(encoding) === undefined
              ? Effect.andThen(representation.prepare(encoding), made)
              : made
          })
        })
        if (guards === undefined) return once

        // The gate does not find an answer under a URL with guards.
        const now = () => fiber.getRef(Clock.Clock).currentTimeMillisUnsafe()
        const cached = cache.find(tier, url, now())
        const answered =
          cached === undefined
            ? once
            : Effect.flatMap(cached.representation.prepare(encoding), () =>
                cached.dependencies.isValid(now()) ? Effect.succeed(RawResponse.ofAnswer(cached)) : once
              )
        return Effect.flatMap(answered, guards.check)
      })
    }
  })
).pipe(Layer.provide([ResponseCache.layer, AmountAnswers.layer]))
