// Handlers that the gate may run without the router. The router, the middleware of the contract and its schemas take most of
// the time of an answer that is computed from snapshots in memory. An endpoint with thousands of URLs, each computed again
// with every snapshot, also offers its handler here. What the handler does not answer at once is left to the router.
import { Context, Effect, Layer } from "effect"
import { HttpBody } from "effect/http"
import type { PlanName } from "../../access/Plan.ts"
import { Caller } from "../../api/Caller.ts"
import { CurrentDependencies, Dependencies, sharing } from "../../services/refresh/Dependencies.ts"
import { CachedResponse } from "./CachedResponse.ts"
import { Representation } from "./Representation.ts"
import { ResponseCache } from "./ResponseCache.ts"

/** Computes the JSON body for a URL, path and query as they were sent; `undefined` for URLs that only the router answers. */
export type SyncHandler = (url: string) => Effect.Effect<string, unknown> | undefined

/** Computes the answer for a plan and caches it; `undefined` where it cannot be computed at once, or is a failure. */
export type Compute = (plan: PlanName) => CachedResponse | undefined

export class SyncHandlers extends Context.Service<
  SyncHandlers,
  {
    /** Offers the handler of a route, such as `/v1/price/:id/:fiat`. */
    readonly offer: (route: string, handler: SyncHandler) => Effect.Effect<void>
    /** How the answer to a URL is computed, where a handler takes the URL. Nothing is computed yet. */
    readonly find: (url: string) => Compute | undefined
  }
>()("crypto-data-api/http/response/SyncHandlers") {
  static readonly layer: Layer.Layer<SyncHandlers> = Layer.effect(
    SyncHandlers,
    Effect.gen(function* () {
      const cache = yield* ResponseCache
      const context = yield* Effect.context()
      const shared = sharing()
      const handlers = new Map<string, SyncHandler>()

      const compute = (route: string, url: string, body: Effect.Effect<string, unknown>, plan: PlanName) => {
        const dependencies = new Dependencies()
        const asked = context.pipe(Context.add(CurrentDependencies, dependencies), Context.add(Caller, { tier: plan }))
        const fiber = Effect.runForkWith(asked)(body)
        const exit = fiber.pollUnsafe()
        // It waits for something. The router runs the handler again and waits as long as the contract says.
        if (exit === undefined) fiber.interruptUnsafe()
        if (exit?._tag !== "Success" || dependencies.isEmpty) return undefined
        const representation = new Representation(HttpBody.text(exit.value, "application/json"))
        const answer = new CachedResponse(route, representation, shared(dependencies))
        cache.keep(plan, url, answer)
        return answer
      }

      return SyncHandlers.of({
        offer: (route, handler) => Effect.sync(() => void handlers.set(route, handler)),
        find: (url) => {
          for (const [route, handler] of handlers) {
            const body = handler(url)
            if (body !== undefined) return (plan) => compute(route, url, body, plan)
          }
          return undefined
        }
      })
    })
  ).pipe(Layer.provide(ResponseCache.layer))
}
