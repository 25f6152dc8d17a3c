import { assert, describe } from "@effect/vitest"
import { Context, Duration, Effect, Exit, Layer, Logger, Scope } from "effect"
import { TestClock } from "effect/testing"
import { unreachable } from "../scripted.ts"
import { dayOf, startOfDay } from "../../../src/history/model/Interval.ts"
import { Backfill } from "../../../src/services/history/Backfill.ts"
import * as Budget from "../../../src/sources/client/Budget.ts"
import { catalog } from "../../../src/sources/catalog/SourceCatalog.ts"
import { DAY, HOUR, lives, makeWorld, overBudget, passingFor, rule, running, TODAY } from "./backfillWorld.ts"

describe("the backfill", () => {
  rule("asks for fiat days from the newest, the official rate, candles, then coins, USDT first", function* (world) {
    const progress = yield* lives(world, "3 minutes")
    assert.deepStrictEqual(progress, {
      done: 19,
      all: 19,
      failed: new Map(),
      hasCoins: true,
      isElsewhere: false,
      minutesLeft: 0
    })
    const order = world.calls.map(([call]) => call)
    assert.strictEqual(order.length, 19)
    assert.match(order[0] ?? "", /^Frankfurter 2026-\d\d-\d\d 2026-11-19$/)
    assert.strictEqual(world.asked("Frankfurter").length, 5)
    const quidax = "Quidax NGN,Quidax NGN hours,Quidax GHS,Quidax GHS hours"
    assert.strictEqual(order.slice(5, 10).join(), `CBN,${quidax}`)
    const coins = ["tether", "bitcoin", "ethereum"].map((id) => `exchanges ${id}`)
    const rest = ["", " hours", " 365"].flatMap((span) => coins.map((call) => call + span))
    assert.deepStrictEqual(world.asked("exchanges"), rest)
    assert.deepStrictEqual(world.asked("CoinGecko"), [], "its budget is for live data where there are candles")
    assert.deepStrictEqual(
      [...world.hourly].toSorted(),
      ["hours/bitcoin", "hours/ethereum", "hours/tether", "naira-hours", "p2p/GHS-hours"],
      "hours are recorded as hours, days as days"
    )
    const first = world.calls.find(([call]) => call.startsWith("exchanges"))
    assert.isAtLeast(first?.[1] ?? 0, 65_000, "until then no hourly prices tell which candles are a coin's")
    const recorded = [...new Set(world.points.map(({ series }) => series))].toSorted()
    assert.strictEqual(recorded.join(), "coin/bitcoin,coin/ethereum,coin/tether,fx/EUR,naira,official,p2p/GHS")
    assert.isTrue(
      world.points.every(
        ({ kind, series }) => kind === (series === "naira" || series === "p2p/GHS" ? "order_book" : null)
      ),
      "an order book is never called P2P"
    )
    assert.isTrue(
      world.points.every(({ bucket }) => bucket < TODAY),
      "today's rates are the judged ones that are served, not what a source says of today"
    )
  })

  rule("has the hours and days of fiats on exchanges as soon as those trade them", function* (world) {
    world.trades(["EUR"])
    const progress = yield* lives(world, "3 minutes")
    assert.strictEqual(progress?.all, 21)
    assert.deepStrictEqual(world.asked("exchanges").slice(0, 2), ["exchanges EUR hours", "exchanges EUR"])
    const euros = world.points.filter(({ series }) => series === "spot/EUR")
    const close = { bucket: TODAY - DAY, close: 0.86, high: null, volume: null, source: "Binance + Kraken (sandbox)" }
    assert.lengthOf(euros, 2)
    assert.deepInclude(euros[0], { ...close, observedAt: TODAY - DAY + HOUR - 1 })
    assert.deepInclude(euros[1], { ...close, observedAt: TODAY - 1 })
  })

  rule("asks CoinGecko, then CoinPaprika, for a coin that no exchange lists", function* (world) {
    world.lists((id) => id === "ethereum")
    world.fails((call) => (call === "CoinGecko ethereum" ? Effect.fail(unreachable("CoinGecko")) : Effect.void))
    yield* lives(world, "4 minutes")
    assert.deepStrictEqual(world.asked("CoinGecko").slice(0, 1), ["CoinGecko ethereum"])
    assert.isTrue(world.asked("CoinGecko").every((call) => call.startsWith("CoinGecko ethereum")))
    assert.strictEqual(world.asked("CoinPaprika")[0], "CoinPaprika ethereum 365-1")
    assert.isTrue(world.marks.has("coin/ethereum"))
  })

  rule("fills the days before a coin's first candle with an aggregator's closes", function* (world) {
    world.hasYoung((id) => id === "ethereum")
    yield* lives(world, "3 minutes")
    const days = world.points.filter(({ bucket, series }) => series === "coin/ethereum" && bucket % DAY === 0)
    const named = new Set(days.map(({ bucket, source }) => `${(TODAY - bucket) / DAY} ${source}`))
    assert.deepStrictEqual([...named].toSorted(), ["1 Kraken", "2 CoinGecko"])
    assert.isTrue(world.asked("CoinGecko").every((call) => call.startsWith("CoinGecko ethereum")))
  })

  rule("asks again within minutes for what a source answered with nothing, whichever source it is", function* (world) {
    const answered = new Set<string>()
    world.lists((id) => id === "bitcoin")
    world.hasNothing((call) => {
      const isFirst = !answered.has(call)
      answered.add(call)
      return isFirst
    })
    const { all, done } = yield* lives(world, "8 minutes")
    assert.strictEqual(done, all)
    assert.isTrue([...world.marks.values()].every(({ emptySince }) => emptySince === null))
    const spans = world.asked("Frankfurter")
    assert.isTrue(spans.every((call) => spans.filter((other) => other === call).length === 2))
  })

  rule("goes on after a bug of its own", function* (world) {
    let lists = 0
    world.fails((call) => (call === "list" && lists++ === 0 ? Effect.die("a bug") : Effect.void))
    const { all, done } = yield* lives(world, "5 minutes").pipe(Effect.provide(Logger.layer([])))
    assert.isAbove(all, 0)
    assert.strictEqual(done, all)
  })

  rule("records what the others said while one exchange fails, and asks again three times", function* (world) {
    world.isPartial((call) => (call === "exchanges bitcoin" ? unreachable("Binance") : undefined))
    const { passing } = yield* running(world)
    yield* passing("90 seconds")
    assert.isTrue(world.points.some(({ series }) => series === "coin/bitcoin"))
    assert.isFalse(world.marks.has("coin/bitcoin"))
    const { failed } = yield* passing("3 minutes")
    assert.deepStrictEqual([...failed.keys()], ["coin/bitcoin"])
    const { all, done } = yield* passing("10 minutes")
    assert.strictEqual(done, all)
    assert.strictEqual(world.asked("exchanges bitcoin").filter((call) => call === "exchanges bitcoin").length, 4)
  })

  rule("says how many minutes are left at the pace so far", function* () {
    const world = makeWorld(Array.from({ length: 40 }, (_, n) => `coin-${n}`))
    world.fails((call) => (call.startsWith("exchanges") ? Effect.sleep("12 seconds") : Effect.void))
    const { passing } = yield* running(world)
    assert.isNull((yield* passing("1 second")).minutesLeft)
    const { all, done, minutesLeft } = yield* passing("2 minutes")
    assert.isBelow(done, all)
    assert.isAtLeast(minutesLeft ?? 0, 1)
    const after = yield* passing(Duration.minutes((minutesLeft ?? 0) + 1))
    assert.strictEqual(after.minutesLeft, 0)
  })

  rule("has two years of fiat days after a minute, with the calls that Frankfurter's budget leaves", function* (world) {
    const taken = yield* Budget.make(catalog.FRANKFURTER.allowances)
    world.fails((call) =>
      call.startsWith("Frankfurter")
        ? Effect.flatMap(taken.take("backfill"), ({ wait }) =>
            wait > 0 ? Effect.fail(overBudget("Frankfurter", wait / 1000)) : Effect.void
          )
        : Effect.void
    )
    // The rates of now and the official rate.
    yield* Effect.andThen(taken.take("scheduled"), taken.take("scheduled"))
    yield* lives(world, "1 minute")
    const spans = world.points.filter(({ series }) => series === "fx/EUR").map(({ bucket }) => bucket)
    assert.isAtMost(Math.min(...spans), TODAY - 730 * DAY + DAY)
    const asked = world.asked("Frankfurter").map((call) => call.split(" "))
    for (const [n, [, , to]] of asked.entries()) {
      if (n > 0) assert.strictEqual(to, dayOf(startOfDay(asked[n - 1]?.[1] ?? "") - DAY), "no day is left out")
    }
  })

  rule("goes on after a restart where it stopped, and asks nothing twice", function* (world) {
    for (let run = 0; run < 3; run++) yield* lives(world, "2500 millis")
    const { all, done } = yield* lives(world, "3 minutes")
    assert.strictEqual(done, all)
    const calls = world.calls.map(([call]) => call)
    assert.deepStrictEqual(calls.length, new Set(calls).size)
  })

  rule("leaves a source alone for as long as its calls are withheld, and asks the others meanwhile", function* (world) {
    world.fails((call) =>
      call.startsWith("Frankfurter") && world.asked("Frankfurter").length % 3 === 0
        ? Effect.fail(overBudget("Frankfurter", 20))
        : Effect.void
    )
    yield* lives(world, "15 seconds")
    assert.strictEqual(world.asked("Frankfurter").length, 3)
    assert.strictEqual(world.asked("CBN").length, 1)
    const { all, done } = yield* lives(world, "10 minutes")
    assert.strictEqual(done, all)
  })

  rule("asks what stands in for a source that fails, and the source itself again later", function* (world) {
    world.fails((call) =>
      ["CBN", "Frankfurter", "exchanges"].some((source) => call.startsWith(source))
        ? Effect.fail(unreachable("a source"))
        : Effect.void
    )
    const { passing } = yield* running(world)
    const { done, failed } = yield* passing("7 minutes")
    assert.strictEqual(done, 4)
    assert.strictEqual(failed.size, 15)
    assert.isTrue(failed.has("official"))
    assert.deepStrictEqual(world.asked("CoinGecko"), [], "exchanges that fail are waited for")
    assert.deepStrictEqual(world.asked("copy"), ["copy of CBN 2001-12-10 2026-11-19"])
    assert.strictEqual(world.asked("currency-api")[0], "currency-api 2026-11-19")
    assert.isAbove(world.asked("currency-api").length, 700)
    world.fails(() => Effect.void)
    const all = yield* passing("9 minutes")
    assert.strictEqual(all.done, all.all)
    const official = world.points.filter(({ series }) => series === "official").map(({ origin }) => origin)
    assert.deepStrictEqual(official, ["CBN via Frankfurter", "CBN"])
  })

  rule("is done by one process at a time; another goes on when that one stops", function* (world) {
    const scope = yield* Scope.make()
    const first = yield* Layer.buildWithScope(world.layer, scope)
    const { passing } = yield* running(world)
    const { isElsewhere } = yield* passing("2 seconds")
    assert.isTrue(isElsewhere)
    assert.isAbove(world.calls.length, 0)
    assert.strictEqual(new Set(world.claimed).size, world.claimed.length, "the other one tries no piece")
    yield* Scope.close(scope, Exit.void)
    const { all, done } = yield* passing("4 minutes")
    assert.strictEqual(done, all)
    assert.strictEqual(new Set(world.calls.map(([call]) => call)).size, world.calls.length)
    assert.isFalse((yield* passingFor(Context.get(first, Backfill))("1 second")).isElsewhere)
  })

  rule("goes on with the others when a piece has a bug", function* (world) {
    world.fails((call) => (call === "CBN" ? Effect.die("a bug") : Effect.void))
    const { all, done, failed } = yield* lives(world, "4 minutes").pipe(Effect.provide(Logger.layer([])))
    assert.strictEqual(done, all - 1)
    assert.deepStrictEqual([...failed.keys()], ["official"])
  })

  rule("asks again, later and rarer, for what a source answered with nothing, after restarts too", function* (world) {
    let hasOlder = false
    const isOlder = (call: string) => call === "CoinGecko bitcoin hours"
    world.lists((id) => id === "bitcoin")
    world.hasNothing((call) => !hasOlder && isOlder(call))
    const times = () => world.calls.filter(([call]) => isOlder(call)).map(([, at]) => at / HOUR)
    const live = (hours: number) =>
      Effect.scoped(
        Effect.gen(function* () {
          const { passing } = yield* running(world)
          const { all, done } = yield* passing("3 minutes")
          assert.isAtLeast(done, all - 1, "nothing is an answer too")
          for (let hour = 0; hour < hours; hour++) yield* TestClock.adjust("1 hour")
        })
      )
    yield* live(12)
    yield* live(60)
    const pauses = times().map((at, n) => at - (times()[n - 1] ?? 0))
    assert.isAtLeast(pauses.length, 6, times().join(" "))
    for (const [n, pause] of pauses.entries()) if (n > 1) assert.isAtLeast(pause + 0.1, pauses[n - 1] ?? 0)
    assert.isAbove(pauses.at(-1) ?? 0, 20)
    hasOlder = true
    // Without a process the clock leaps: an hour of one takes as long as days without.
    yield* Effect.andThen(TestClock.adjust("72 hours"), live(0))
    const asked = times().length
    assert.isNull(world.marks.get("hours/bitcoin")?.emptySince)
    yield* Effect.andThen(TestClock.adjust("48 hours"), live(0))
    assert.strictEqual(times().length, asked, "what is there is not asked for again")
  })
})
