// A network that swallows what is sent to Redis, while new connections would pass: the connection is left, whoever writes.
import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Layer, Redacted, Schedule } from "effect"
import type * as Net from "node:net"
import * as RedisClient from "../../src/node/RedisClient.ts"
import { RedisLink } from "../../src/persistence/RedisLink.ts"
import { proxyTo } from "../LoopbackProxy.ts"
import * as RedisProcess from "../persistence/RedisProcess.ts"
import { isWhole } from "../isWhole.ts"
import { capturedLog } from "../resources.ts"

const soon = <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.retry(effect, Schedule.spaced("50 millis"))

/** A link to a Redis of its own, through a network of which `isLost` tells what is swallowed. */
const linked = Effect.fnUntraced(function* (isLost: (isRequest: boolean, client: Net.Socket) => boolean) {
  const redis = yield* RedisProcess.make
  yield* redis.start
  const proxy = yield* proxyTo({ port: Number(new URL(redis.url).port) }, ({ client, isRequest, pass }) => {
    if (!isLost(isRequest, client)) pass()
  })
  const client = RedisClient.layer(Redacted.make(`redis://127.0.0.1:${proxy.port}`))
  const context = yield* Layer.build(Layer.fresh(RedisLink.layer(client)))
  return { link: Context.get(context, RedisLink), proxy }
})

const rule = (
  name: string,
  test: Effect.Effect<void, unknown, Effect.Services<ReturnType<typeof linked>>>,
  runs = true
) =>
  it.live.skipIf(!RedisProcess.isInstalled || !runs)(name, () =>
    test.pipe(Effect.provide(capturedLog().layer), Effect.scoped)
  )

describe.concurrent("a connection to Redis whose answers do not come", () => {
  for (const [what, loses] of [
    ["requests", [true]],
    ["replies", [false]],
    ["both directions", [true, false]]
  ] as const) {
    rule(
      `is closed after 5 s, and a new one is used: ${what} are swallowed`,
      Effect.gen(function* () {
        const lost = new Set<Net.Socket>()
        const { link, proxy } = yield* linked(
          (isRequest, client) => lost.has(client) && loses.some((one) => one === isRequest)
        )
        yield* soon(link.send("SET", what, "before"))
        for (const client of proxy.open()) lost.add(client)
        const asking = Effect.repeat(link.send("GET", what), Schedule.spaced("100 millis"))
        assert.strictEqual((yield* Effect.flip(asking))._tag, "RedisError")
        // While it is silent the link writes probes into it.
        assert.strictEqual(yield* soon(link.send<string>("GET", what)), "before")
        assert.isAtLeast(proxy.connections(), 2)
      })
    )
  }

  for (const isCutAtStart of [true, false]) {
    rule(
      `is made again, however many before it are swallowed, ${isCutAtStart ? "at the start" : "later"}`,
      Effect.gen(function* () {
        let isCut = isCutAtStart
        const { link, proxy } = yield* linked(() => isCut)
        if (!isCutAtStart) yield* soon(link.send("PING"))
        isCut = true
        yield* Effect.ignore(link.send("PING"))
        const made = proxy.connections()
        yield* Effect.repeat(Effect.sleep("50 millis"), { until: () => proxy.connections() >= made + 3 })
        isCut = false
        yield* soon(link.send("PING"))
      }),
      isWhole
    )
  }
})
