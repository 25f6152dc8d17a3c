// A network that swallows what is sent to Redis or PostgreSQL, while new connections would pass: the connection is left, whoever writes.
import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Layer, Redacted, Schedule } from "effect"
import * as History from "../../src/history/store/History.ts"
import * as RedisClient from "../../src/node/RedisClient.ts"
import { RedisLink } from "../../src/persistence/RedisLink.ts"
import { observed } from "../history/records.ts"
import { hasPostgres, newDatabase } from "../history/store/Databases.ts"
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

  it.live.skipIf(!hasPostgres || !isWhole)("to PostgreSQL is closed, and a new one is used", () =>
    Effect.gen(function* () {
      yield* Effect.forEach(
        SwallowingProxy.swallows,
        Effect.fnUntraced(function* (what) {
          const url = new URL(yield* newDatabase)
          const proxy = yield* SwallowingProxy.make(Number(url.port === "" ? 5432 : url.port))
          url.host = `127.0.0.1:${proxy.port}`
          const context = yield* Layer.build(Layer.fresh(History.layerPostgres(Redacted.make(url.href))))
          const history = Context.get(context, History.History)
          if (history === undefined) return assert.fail("nothing is recorded")
          const names = history.ask(({ names }) => names(""))
          yield* history.offer([observed("kept", Date.UTC(2026, 0, 1), 1)])
          yield* Effect.repeat(names, { until: ([name]) => name === "kept", schedule: Schedule.spaced("50 millis") })
          proxy.swallow(what)
          const made = proxy.connections()
          assert.deepStrictEqual(yield* soon(names), ["kept"], what)
          assert.isAbove(proxy.connections(), made, what)
        }),
        { concurrency: "unbounded" }
      )
    }).pipe(Effect.provide(capturedLog().layer), Effect.scoped)
  )
})
