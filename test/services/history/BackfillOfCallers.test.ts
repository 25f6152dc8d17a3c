// What callers ask the backfill for.
import { assert, describe } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { unreachable } from "../scripted.ts"
import * as Patience from "../../../src/services/refresh/Patience.ts"
import { DAY, rule, running, TODAY } from "./backfillWorld.ts"

describe("the backfill for callers", () => {
  rule("asks once for what callers of several processes ask for, and again where the first fails", function* (world) {
    const processes = [yield* running(world), yield* running(world), yield* running(world)]
    yield* processes[0]?.passing("4 minutes") ?? Effect.void
    const before = world.calls.length
    const coins = Array.from({ length: 10 }, (_, n) => `asked-${n}`)
    const failing = new Set<string>()
    world.fails((call) => {
      const isFirst = call.startsWith("exchanges asked-3") && !failing.has(call)
      failing.add(call)
      return Effect.andThen(Effect.sleep(300), isFirst ? unreachable("CoinGecko") : Effect.void)
    })
    const asking = coins.flatMap((id) => processes.map(({ coin }) => Effect.exit(coin(id, "day", TODAY - 30 * DAY))))
    const asked = yield* Effect.forkChild(Effect.all(asking, { concurrency: "unbounded" }))
    for (let n = 0; n < 20; n++) yield* TestClock.adjust(250)
    yield* Fiber.join(asked)
    const calls = world.calls.slice(before).map(([call]) => call)
    for (const id of coins.filter((id) => id !== "asked-3")) {
      assert.deepStrictEqual(
        calls.filter((call) => call.includes(`${id}`)),
        [`exchanges ${id} 365`]
      )
    }
    assert.include(calls, "exchanges asked-3 365")
  })

  rule("fetches a coin that callers ask for at once, and once; none waits longer than 5 s", function* (world) {
    world.fails((call) => (call.startsWith("exchanges slow") ? Effect.never : Effect.void))
    const { coin } = yield* running(world)
    const callers = yield* Effect.forkChild(
      Effect.all([coin("dogecoin", "day", TODAY - 30 * DAY), coin("dogecoin", "day", TODAY - 30 * DAY)], {
        concurrency: "unbounded"
      })
    )
    yield* TestClock.adjust(10)
    assert.deepStrictEqual(yield* Fiber.join(callers), [true, true])
    assert.isFalse(yield* coin("dogecoin", "day", TODAY - 30 * DAY))
    assert.deepStrictEqual(world.asked("exchanges dogecoin"), ["exchanges dogecoin 365"])
    assert.isTrue(yield* coin("dogecoin", "hour", TODAY - 30 * DAY))
    assert.isFalse(yield* coin("dogecoin", "hour", TODAY - 30 * DAY))
    assert.deepStrictEqual(world.asked("exchanges dogecoin h"), ["exchanges dogecoin hours"])
    const slow = yield* Effect.forkChild(coin("slow", "day", TODAY - 30 * DAY))
    yield* TestClock.adjust("4999 millis")
    assert.isUndefined(slow.pollUnsafe())
    yield* TestClock.adjust(1)
    assert.strictEqual((yield* Effect.flip(Fiber.join(slow)))._tag, "Unavailable")
  })

  rule("lets an answer that needs several coins wait 5 s in all", function* (world) {
    world.fails((call) => (call.startsWith("exchanges") ? Effect.never : Effect.void))
    const { coin } = yield* running(world)
    const one = (id: string) => Effect.result(coin(id, "day", TODAY - 30 * DAY))
    const answer = yield* Effect.forkChild(Patience.shared(Effect.forEach(["slow", "slower", "slowest"], one)))
    yield* TestClock.adjust("5 seconds")
    assert.isDefined(answer.pollUnsafe())
  })

  rule("fetches all days of a coin only for callers whose range begins before the last year", function* (world) {
    const { coin } = yield* running(world)
    yield* coin("dogecoin", "day", TODAY - 365 * DAY)
    assert.deepStrictEqual(world.asked("exchanges dogecoin"), ["exchanges dogecoin 365"])
    assert.isTrue(yield* coin("dogecoin", "day", TODAY - 366 * DAY))
    assert.deepStrictEqual(world.asked("exchanges dogecoin")[1], "exchanges dogecoin")
    assert.isFalse(yield* coin("dogecoin", "day", TODAY - 3000 * DAY))
  })

  rule("asks an aggregator for a caller while all exchanges of a coin fail", function* (world) {
    const { coin } = yield* running(world)
    world.lists((id) => id === "dogecoin")
    world.isPartial(() => unreachable("Binance"))
    yield* Effect.ignore(coin("dogecoin", "day", TODAY - 30 * DAY))
    assert.deepStrictEqual(world.asked("CoinGecko dogecoin"), ["CoinGecko dogecoin"])
    assert.isTrue(world.points.some(({ origin, series }) => series === "coin/dogecoin" && origin === "CoinGecko"))
  })

  rule("says which coins are callers', and fetches again what was dropped of them", function* (world) {
    const { coin, passing } = yield* running(world)
    yield* passing("1 minute")
    yield* coin("dogecoin", "day", TODAY - 30 * DAY)
    yield* coin("bitcoin", "day", TODAY - 30 * DAY)
    assert.deepStrictEqual(world.callers, ["dogecoin"], "a coin of the list is not a caller's")
    assert.isFalse(yield* coin("dogecoin", "day", TODAY - 30 * DAY))
    world.drops("recent/dogecoin")
    yield* coin("other", "day", TODAY - 30 * DAY)
    yield* coin("dogecoin", "day", TODAY - 30 * DAY)
    assert.strictEqual(world.asked("exchanges dogecoin").length, 2, "what was dropped is fetched again")
  })
})
