// A network that swallows what is sent to Redis, while new connections would pass: the connection is left, whoever writes.
import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Layer, Redacted, Schedule } from "effect"
import * as RedisClient from "../../src/node/RedisClient.ts"
import { RedisLink } from "../../src/persistence/RedisLink.ts"
import * as RedisProcess from "../persistence/RedisProcess.ts"
import * as SwallowingProxy from "../persistence/SwallowingProxy.ts"
import { isWhole } from "../isWhole.ts"
import { capturedLog } from "../resources.ts"

const soon = <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.retry(effect, Schedule.spaced("50 millis"))

describe("a connection whose answers do not come", () => {
  it.live.skipIf(!RedisProcess.isInstalled)("to Redis is closed after 5 s, and a new one is used", () =>
    Effect.gen(function* () {
      const redis = yield* RedisProcess.make
      yield* redis.start
      yield* Effect.forEach(
        SwallowingProxy.swallows,
        Effect.fnUntraced(function* (what) {
          const proxy = yield* SwallowingProxy.make(Number(new URL(redis.url).port))
          const client = RedisClient.layer(Redacted.make(`redis://127.0.0.1:${proxy.port}`))
          const context = yield* Layer.build(Layer.fresh(RedisLink.layer(client)))
          const link = Context.get(context, RedisLink)
          yield* soon(link.send("SET", what, "before"))
          proxy.swallow(what)
          assert.strictEqual(
            (yield* Effect.flip(Effect.repeat(link.send("GET", what), Schedule.spaced("5 millis"))))._tag,
            "RedisError"
          )
          // While it is silent the link writes probes into it.
          assert.strictEqual(yield* soon(link.send<string>("GET", what)), "before", what)
          assert.isAtLeast(proxy.connections(), 2, what)
        }),
        { concurrency: "unbounded" }
      )
    }).pipe(Effect.provide(capturedLog().layer), Effect.scoped)
  )

  it.live.skipIf(!RedisProcess.isInstalled || !isWhole)(
    "to Redis is made again, however many before it are swallowed",
    () =>
      Effect.gen(function* () {
        const redis = yield* RedisProcess.make
        yield* redis.start
        yield* Effect.forEach(
          [true, false],
          Effect.fnUntraced(function* (isCutAtStart) {
            const proxy = yield* SwallowingProxy.make(Number(new URL(redis.url).port))
            proxy.cut(isCutAtStart)
            const client = RedisClient.layer(Redacted.make(`redis://127.0.0.1:${proxy.port}`))
            const context = yield* Layer.build(Layer.fresh(RedisLink.layer(client)))
            const link = Context.get(context, RedisLink)
            if (!isCutAtStart) yield* soon(link.send("PING"))
            proxy.cut(true)
            yield* Effect.ignore(link.send("PING"))
            const made = proxy.connections()
            yield* Effect.repeat(Effect.sleep("50 millis"), { until: () => proxy.connections() >= made + 3 })
            proxy.cut(false)
            yield* soon(link.send("PING"))
          }),
          { concurrency: "unbounded" }
        )
      }).pipe(Effect.provide(capturedLog().layer), Effect.scoped)
  )
})
