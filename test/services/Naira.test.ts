import { assert, describe, it } from "@effect/vitest"
import { Context, DateTime, Effect, Layer, Option } from "effect"
import { KeyValueStore } from "effect/persistence"
import { TestClock } from "effect/testing"
import type { OrderBookTop } from "../../src/domain/OrderBook.ts"
import type { P2pAd } from "../../src/domain/P2pAd.ts"
import * as Judgements from "../../src/services/judge/Judgements.ts"
import { Naira } from "../../src/services/Naira.ts"
import { type Official, OfficialRates } from "../../src/services/OfficialRates.ts"
import { BitgetP2p } from "../../src/sources/p2p/BitgetP2p.ts"
import { BybitP2p } from "../../src/sources/p2p/BybitP2p.ts"
import { BinanceP2p } from "../../src/sources/p2p/BinanceP2p.ts"
import type { DataSet } from "../../src/sources/dataset/DataSet.ts"
import { Valr } from "../../src/sources/p2p/Valr.ts"
import { Luno } from "../../src/sources/p2p/Luno.ts"
import { Quidax } from "../../src/sources/p2p/Quidax.ts"
import { type FindNewest, layerRecord, newestOf } from "../history/layerRecord.ts"
import type { Sides } from "../../src/history/model/Point.ts"
import { observed } from "../history/records.ts"
import { goodAd } from "../domain/syntheticBooks.ts"
import { atNoon, instant, NOW, scripted } from "./scripted.ts"
import { rule, rulesOf } from "../rulesOf.ts"

/** Twenty good ads, half a percent behind and before a mid. */
const book = (mid: number): ReadonlyArray<P2pAd> =>
  Array.from({ length: 10 }, (_, n) => [
    goodAd({ side: "ask", price: mid * (1.005 + n / 10_000), merchant: `a${n}` }),
    goodAd({ side: "bid", price: mid * (0.995 - n / 10_000), merchant: `b${n}` })
  ]).flat()

const top = (mid: number): OrderBookTop => ({ bid: mid * 0.998, ask: mid * 1.002 })

const published: Official = {
  _tag: "Published",
  snapshot: {
    value: { rate: 1363.33, date: "2026-11-19" },
    source: "CBN",
    observedAt: DateTime.makeUnsafe("2026-11-19T00:00:00Z"),
    retrievedAt: instant(NOW)
  }
}

/** The naira over four scripted venues and an official rate, all around 1,400. */
const setup = Effect.fnUntraced(function* () {
  yield* atNoon
  const bybit = yield* scripted<ReadonlyArray<P2pAd>>("Bybit P2P")
  const bitget = yield* scripted<ReadonlyArray<P2pAd>>("Bitget P2P")
  const quidax = yield* scripted<OrderBookTop>("Quidax")
  const luno = yield* scripted<OrderBookTop>("Luno")
  const configuration =
    yield* scripted<(typeof BybitP2p.Service)["p2p_configuration"] extends DataSet<infer A> ? A : never>("Bybit P2P")
  let official: Official = published
  bybit.says(book(1400), 2000)
  bitget.says(book(1402), 1000)
  quidax.says(top(1399), 3000)
  luno.says(top(1401), 4000)
  const start = Effect.gen(function* () {
    const context = yield* Layer.build(
      Naira.layerNoDeps.pipe(
        Layer.provide([
          BybitP2p.layerTest({ p2p: new Map([["NGN", bybit.feed]]), p2p_configuration: configuration.feed }),
          BitgetP2p.layerTest({ p2p: new Map([["NGN", bitget.feed]]) }),
          BinanceP2p.layerTest({ p2p: new Map() }),
          Quidax.layerTest({ order_book: new Map([["NGN", quidax.feed]]) }),
          Luno.layerTest({ order_book: new Map([["NGN", luno.feed]]) }),
          Valr.layerTest({ order_book: new Map() }),
          OfficialRates.layerTest({ current: Effect.sync(() => official) })
        ])
      )
    )
    yield* TestClock.adjust(1)
    const naira = Context.get(context, Naira)
    const change24h = Effect.map(Effect.option(Effect.flatMap(naira.mid, naira.change24h)), Option.flatten)
    return { ...naira, change24h }
  })
  return { bybit, bitget, quidax, luno, start, publish: (next: Official) => void (official = next) }
})

/** One more refresh of all venues. */
const nextRefresh = TestClock.adjust("75 seconds")

const ruleWith = rulesOf(it, setup())

describe("the naira rate", () => {
  ruleWith("is made by the P2P venues, checked by the order books, and names who made it", function* ({ start }) {
    const { rate } = yield* start
    const { source, value } = yield* rate
    assert.closeTo(value.mid ?? 0, 1401, 1)
    assert.strictEqual(source, "Bybit P2P + Bitget P2P + CBN")
    assert.deepStrictEqual([value.confidence, value.reason], ["high", null])
    assert.isAbove(value.buy ?? 0, value.sell ?? 0)
    assert.closeTo(value.premium ?? 0, ((value.mid ?? 0) / 1363.33 - 1) * 100, 1e-9)
    assert.deepStrictEqual(
      value.venues.map(({ kind, venue }) => [venue, kind]),
      [
        ["Bybit P2P", "p2p"],
        ["Bitget P2P", "p2p"],
        ["Quidax", "order_book"],
        ["Luno", "order_book"]
      ]
    )
  })

  ruleWith("of two venues that come to contradict each other is that of the one near the last mid", function* (given) {
    for (const venue of [given.quidax, given.luno]) venue.fails()
    const { mid, rate } = yield* given.start
    given.bitget.says(book(1600))
    for (let n = 0; n < 3; n++) {
      yield* nextRefresh
      assert.closeTo((yield* mid).value, 1400, 1)
      const { source, value } = yield* rate
      assert.deepStrictEqual([source, value.confidence], ["Bybit P2P + CBN", "low"])
    }
  })

  ruleWith("is none with a reason while two venues contradict each other from the start", function* (given) {
    for (const venue of [given.quidax, given.luno]) venue.fails()
    given.bitget.says(book(1600))
    const { mid, rate } = yield* given.start
    const { value } = yield* rate
    assert.deepStrictEqual([value.mid, value.reason, value.confidence], [null, "venues_disagree", "low"])
    assert.strictEqual((yield* Effect.flip(mid))._tag, "Unavailable")
  })

  ruleWith(
    "of two venues that contradict each other after a start is that of the one near the own record",
    function* (given) {
      for (const venue of [given.quidax, given.luno]) venue.fails()
      given.bitget.says(book(1600))
      const mids = new Map([["naira", [observed("naira", NOW - 60_000, 1602, { kind: "p2p" })]]])
      const newest = () => Effect.succeed({ observations: mids, hours: new Map(), days: new Map() })
      const { mid } = yield* Effect.provide(given.start, layerRecord({ newestAt: newestOf(newest) }))
      assert.closeTo((yield* mid).value, 1600, 1)
    }
  )

  rule("of two venues that contradict each other after a start is that of the one near the saved mid", function* () {
    const store = yield* Layer.build(KeyValueStore.layerMemory)
    const kept = Layer.provide(Layer.fresh(Judgements.layer), Layer.succeedContext(store))
    const before = yield* setup()
    const first = Effect.gen(function* () {
      const { mid } = yield* before.start
      yield* TestClock.adjust("15 seconds")
      return yield* mid
    })
    assert.closeTo((yield* Effect.scoped(Effect.provide(first, kept))).value, 1401, 1)
    const after = yield* setup()
    for (const venue of [after.quidax, after.luno]) venue.fails()
    after.bitget.says(book(1600))
    const { mid } = yield* Effect.provide(after.start, kept)
    assert.closeTo((yield* mid).value, 1400, 1)
  })

  ruleWith("is as old as its oldest part, and each venue has its own time", function* ({ start }) {
    const naira = yield* start
    const { observedAt, value } = yield* naira.rate
    assert.strictEqual(observedAt.epochMilliseconds, NOW - 4000)
    assert.deepStrictEqual(
      value.venues.map(({ updated }) => updated?.epochMilliseconds),
      [NOW - 2000, NOW - 1000, NOW - 3000, NOW - 4000]
    )
    // The mid alone is as old as the venues that made it.
    assert.strictEqual((yield* naira.mid).observedAt.epochMilliseconds, NOW - 2000)
    assert.strictEqual((yield* naira.mid).source, "Bybit P2P + Bitget P2P")
  })

  ruleWith("is made without a venue that is silent for 15 min, which has its last time", function* ({ bybit, start }) {
    const { mid, rate } = yield* start
    bybit.fails()
    yield* TestClock.adjust("14 minutes")
    assert.include((yield* rate).source, "Bybit P2P")
    yield* TestClock.adjust("2 minutes")
    const { observedAt, source, value } = yield* rate
    assert.strictEqual(source, "Bitget P2P + Luno + CBN", "the mid of three is Luno's")
    assert.include((yield* mid).source, "Bitget P2P + Luno")
    const [silent] = value.venues
    assert.deepInclude(silent, { venue: "Bybit P2P", buy: null, sell: null, mid: null, reason: "stale" })
    assert.strictEqual(silent?.updated?.epochMilliseconds, NOW - 2000)
    assert.isAbove(observedAt.epochMilliseconds, NOW + 600_000, "a venue without a part makes the rate no older")
  })

  ruleWith("a cross-check that is silent makes the mid no older", function* ({ luno, start }) {
    const naira = yield* start
    luno.fails()
    for (const minutes of [5, 10]) {
      yield* TestClock.adjust("5 minutes")
      const { observedAt } = yield* naira.mid
      assert.isAtLeast(observedAt.epochMilliseconds, NOW + (minutes - 2) * 60_000)
      assert.isAtMost((yield* naira.rate).observedAt.epochMilliseconds, NOW, "the whole rate has Luno in it")
    }
  })

  ruleWith("a venue that never answered says so, without a time", function* ({ bitget, start }) {
    bitget.fails()
    const { rate } = yield* start
    assert.deepInclude((yield* rate).value.venues[1], { reason: "no_answer", updated: null, mid: null })
  })

  ruleWith("of one venue that jumps many-fold is held back until newer books repeat it", function* (venues) {
    for (const venue of [venues.bitget, venues.quidax, venues.luno]) venue.fails()
    const { mid } = yield* venues.start
    venues.bybit.says(book(8400))
    const mids: Array<number> = []
    for (let n = 0; n < 3; n++) mids.push(Math.round((yield* Effect.andThen(nextRefresh, mid)).value))
    assert.deepStrictEqual(mids, [1400, 1400, 8400])
  })

  ruleWith("is unavailable when no venue answered lately", function* ({ bitget, bybit, luno, quidax, start }) {
    const { mid, rate } = yield* start
    for (const venue of [bybit, bitget, quidax, luno]) venue.fails()
    yield* TestClock.adjust("14 minutes")
    yield* rate
    yield* TestClock.adjust("2 minutes")
    assert.deepInclude(yield* Effect.flip(rate), { _tag: "Unavailable", retryAfter: 30 })
    assert.strictEqual((yield* Effect.flip(mid))._tag, "Unavailable")
    luno.says(top(1400))
    yield* TestClock.adjust("15 seconds")
    assert.strictEqual((yield* rate).source, "Luno + CBN")
  })

  ruleWith("has no premium and no official source when that rate is gone or too old", function* ({ publish, start }) {
    const { rate } = yield* start
    for (const reason of ["official_rate_missing", "official_rate_too_old"] as const) {
      publish({ _tag: "Missing", reason })
      const { source, value } = yield* rate
      assert.isNull(value.premium)
      assert.deepStrictEqual(value.official, { _tag: "Missing", reason })
      assert.strictEqual(source, "Bybit P2P + Bitget P2P")
      assert.isNotNull(value.mid)
    }
  })
})

ruleWith("a premium far beyond the usual one is served, with less confidence", function* ({ publish, start }) {
  publish({ ...published, snapshot: { ...published.snapshot, value: { rate: 875, date: "2026-11-19" } } })
  const { rate } = yield* start
  const { confidence, premium } = (yield* rate).value
  assert.closeTo(premium ?? 0, 60, 1)
  assert.strictEqual(confidence, "medium")
})

describe("the mid's change over 24 hours", () => {
  const DAY = 86_400_000
  const MINUTE = 60_000

  /** The change where one mid is recorded, so long after it was observed. */
  const changeAfter = (milliseconds: number, isAway = false, kind: Sides["kind"] = "p2p") =>
    Effect.gen(function* () {
      const { bitget, bybit, start } = yield* setup()
      bybit.says(book(1428))
      bitget.says(book(1430.04))
      const at = NOW - milliseconds
      const newest: FindNewest = (times) => {
        const found = [...times].flatMap(([name, time]) =>
          at <= time ? [[name, [observed(name, at, 1400.5, { kind })]] as const] : []
        )
        return Effect.succeed({ observations: new Map(found), hours: new Map(), days: new Map() })
      }
      const record = layerRecord({ newestAt: newestOf((...asked) => (isAway ? Effect.die("away") : newest(...asked))) })
      const { change24h } = yield* Effect.provide(start, record)
      yield* TestClock.adjust("10 seconds")
      return Option.getOrUndefined(yield* change24h)
    }).pipe(Effect.scoped)

  rule("is that since the recorded mid of a day before, known a moment after the start", function* () {
    for (const after of [DAY, DAY + 59 * MINUTE]) assert.closeTo((yield* changeAfter(after)) ?? 0, 2, 0.1)
  })

  rule("is unknown where the newest mid is of another time, and while the record is away", function* () {
    for (const after of [DAY - 2 * MINUTE, DAY + 62 * MINUTE]) assert.isUndefined(yield* changeAfter(after))
    assert.isUndefined(yield* changeAfter(DAY, true))
  })

  rule("is unknown where the mid of a day before is an order book's", function* () {
    assert.isUndefined(yield* changeAfter(DAY, false, "order_book"))
  })

  ruleWith("is unknown without a record", function* ({ start }) {
    const { change24h } = yield* start
    assert.isTrue(Option.isNone(yield* change24h))
  })

  rule("is read each minute, and a mid that is recorded meanwhile counts", function* () {
    const { start } = yield* setup()
    let found: Effect.Success<ReturnType<FindNewest>> = {
      observations: new Map(),
      hours: new Map(),
      days: new Map()
    }
    const { change24h } = yield* Effect.provide(
      start,
      layerRecord({ newestAt: newestOf(() => Effect.sync(() => found)) })
    )
    assert.isTrue(Option.isNone(yield* change24h))
    found = { ...found, observations: new Map([["naira", [observed("naira", NOW - DAY, 700.25, { kind: "p2p" })]]]) }
    yield* TestClock.adjust("2 minutes")
    assert.closeTo(Option.getOrThrow(yield* change24h), 100, 0.1)
  })
})
