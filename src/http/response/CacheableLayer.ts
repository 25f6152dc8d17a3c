// Answers from snapshots, made: what is read on the way is noted, the body is made ready to be sent, and an answer that was
// overtaken by a refresh meanwhile is made again. So nobody is told less than somebody was told before.
import { Context, Effect, Layer } from "effect"
import { HttpServerRequest } from "effect/http"
import { Caller } from "../../api/Caller.ts"
import { IsCached, Cacheable } from "../../api/Cacheable.ts"
import { CurrentDependencies, Dependencies } from "../../services/refresh/Dependencies.ts"
import * as Encodings from "./Encodings.ts"
import { CachedResponse, ResponseCache } from "./ResponseCache.ts"
import * as RequestState from "./RequestState.ts"
import { Representation } from "./Representation.ts"

/** Makes them, and keeps those of marked endpoints where there is a store. */
export const CacheableLayer: Layer.Layer<Cacheable> = Layer.effect(
  Cacheable,
  Effect.map(ResponseCache, (answers) => (handle, { endpoint }) => {
    const isKept = Context.get(endpoint.annotations, IsCached)

    return Effect.withFiber((fiber) => {
      const request = Context.getUnsafe(fiber.context, HttpServerRequest.HttpServerRequest)
      const { tier } = fiber.getRef(Caller)

      const once: typeof handle = Effect.suspend(() => {
        const reads = new Dependencies()
        return Effect.flatMap(Effect.provideService(handle, CurrentDependencies, reads), (response) => {
          if (response.status !== 200 || response.body._tag !== "Uint8Array") return Effect.succeed(response)
          const representation = new Representation(response.body, RequestState.of(request)?.headers)
          const answer = new CachedResponse(endpoint.path, representation, reads)
          const made = Effect.suspend(() => {
            // Each turn needs a refresh to have come in the middle of the one before: there is no end of them.
            if (!reads.isCurrent()) return once
            RequestState.add(request, { made: answer })
            if (isKept && !reads.isEmpty) answers.keep(tier, request.url, answer)
            return Effect.succeed(response)
          })
          const encoding = Encodings.chosenFor(request.headers["accept-encoding"])
          return representation.ready(encoding) === undefined
            ? Effect.andThen(representation.prepare(encoding), made)
            : made
        })
      })
      return once
    })
  })
).pipe(Layer.provide(ResponseCache.layer))
