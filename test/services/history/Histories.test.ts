import { assert, describe, it } from "@effect/vitest"
import {
  ConfigProvider,
  BigDecimal,
  Clock,
  Context,
  DateTime,
  Effect,
  Fiber,
  Layer,
  Metric,
  Option,
  Random,
  Result
} from "effect"
import { Statement } from "effect/sql"
import { TestClock } from "effect/testing"
import * as CoinList from "../../../src/domain/CoinList.ts"
import { quotedFiats } from "../../../src/domain/QuotedFiat.ts"
import { type HistoryQuery, rangeOf } from "../../../src/history/model/HistoryRange.ts"
import { dayOf, type Interval, startOfDay, timeOf } from "../../../src/history/model/Interval.ts"
import type { VenueQuote } from "../../../src/domain/P2pRate.ts"
import { layerRecord, newestOf } from "../../history/layerRecord.ts"
import * as History from "../../../src/history/store/History.ts"
import * as HistoryMetrics from "../../../src/history/store/HistoryMetrics.ts"
import { closeAlone } from "../../../src/history/model/Close.ts"
import * as SnapshotRows from "../../../src/history/store/SnapshotRows.ts"
import * as SeriesName from "../../../src/history/store/SeriesName.ts"
import { Coins } from "../../../src/services/Coins.ts"
import { Conversions, parseAsset } from "../../../src/services/Conversions.ts"
import { ExchangeRates } from "../../../src/services/ExchangeRates.ts"
import { Backfill } from "../../../src/services/history/Backfill.ts"
import { Histories } from "../../../src/services/history/Histories.ts"
import { Past } from "../../../src/services/history/Past.ts"
import { Unavailable } from "../../../src/services/refresh/Unavailable.ts"
import * as Recording from "../../../src/services/history/Recording.ts"
import { Naira } from "../../../src/services/Naira.ts"
import { P2pMarkets } from "../../../src/services/P2pMarkets.ts"
import { OfficialRates } from "../../../src/services/OfficialRates.ts"
import { coin } from "../scripted.ts"
import { observed, told } from "../../history/records.ts"
import { rule, rulesOver } from "../../rulesOf.ts"

const START = startOfDay("2026-11-10")
const HOUR = 3_600_000
const DAY = 24 * HOUR

const utc = DateTime.makeUnsafe

/** Figures that a test replaces, as the services would give them now. */
const makeWorld = () => {
  let now = START + 21_000
  let hasCoins = false
  let figures = { bitcoin: 100_000, tether: 1, mid: 1500, euro: 0.9, official: 1400 }
  const stamp = <A>(value: A, source: string, observedAt = now - 7_000) => ({
    value,
    source,
    observedAt: utc(observedAt),
    retrievedAt: utc(now)
  })
  const made = () => {
    const coins = (hasCoins ? ["bitcoin", "tether"] : []).map((id) =>
      coin(id, { price: id === "tether" ? figures.tether : figures.bitcoin, updated: utc(now - 20_000) })
    )
    const venue: VenueQuote & { readonly updated: DateTime.Utc } = {
      venue: "Bybit P2P",
      kind: "p2p",
      buy: figures.mid + 5,
      sell: figures.mid - 5,
      mid: figures.mid,
      adsUsed: 12,
      adsRejected: { outlier: 3 },
      reason: null,
      updated: utc(now - 7_000)
    }
    const { buy, mid, sell } = venue
    const official = stamp({ rate: figures.official, date: dayOf(now) }, "CBN", startOfDay(dayOf(now)))
    const rates = Object.fromEntries(quotedFiats.map((fiat, n) => [fiat, fiat === "USD" ? 1 : figures.euro * (n + 1)]))
    return {
      coins: stamp(CoinList.make(coins), "CoinGecko"),
      fx: stamp(
        { rates, observed: Object.fromEntries(quotedFiats.map((fiat) => [fiat, dayOf(now)])) },
        "Frankfurter",
        startOfDay(dayOf(now))
      ),
      official,
      naira: stamp(
        {
          buy,
          sell,
          mid,
          spread: null,
          confidence: "high" as const,
          reason: null,
          used: ["Bybit P2P"],
          official: { _tag: "Published" as const, snapshot: official },
          premium: null,
          venues: [venue],
          method: "p2p/1"
        },
        "Bybit P2P + CBN"
      ),
      mid: { ...stamp(figures.mid, "Bybit P2P"), confidence: "high" } as const,
      sides: stamp({ buy: figures.mid + 5, sell: figures.mid - 5, confidence: "high" } as const, "Bybit P2P")
    }
  }
  let current = made()
  return {
    move: (time: number, changed: Partial<typeof figures>) => {
      now = time
      hasCoins = true
      figures = { ...figures, ...changed }
      current = made()
    },
    services: Layer.mergeAll(
      Coins.layerTest({
        list: Effect.sync(() => current.coins),
        coin: (id) =>
          Effect.sync(() => {
            const coin = current.coins.value.byId.get(id)
            return coin === undefined ? assert.fail(id) : { ...current.coins, value: coin, observedAt: coin.updated }
          }),
        fiats: Effect.succeed(new Map()),
        fiatChange: () => Effect.undefined,
        suggest: () => Effect.succeed([])
      }),
      Backfill.layerTest({ coin: () => Effect.succeed(false) }),
      ExchangeRates.layerTest({ current: Effect.sync(() => current.fx) }),
      P2pMarkets.layerTest().pipe(
        Layer.provide(
          Naira.layerTest({
            rate: Effect.sync(() => current.naira),
            mid: Effect.sync(() => current.mid),
            sides: Effect.sync(() => current.sides),
            change24h: () => Effect.succeedNone
          })
        )
      ),
      OfficialRates.layerTest({
        current: Effect.sync(() => ({ _tag: "Published" as const, snapshot: current.official }))
      })
    )
  }
}

type World = ReturnType<typeof makeWorld>

const recorded = (world: World) =>
  Layer.mergeAll(Histories.layerNoDeps, Past.layerNoDeps, Conversions.layerNoDeps).pipe(
    Layer.provide(world.services),
    Layer.provideMerge(History.layerSqlite(":memory:")),
    // Of this world's markets.
    Layer.provide(ConfigProvider.layer(ConfigProvider.fromUnknown({ P2P_MARKETS: "NGN" })))
  )

/** A world at the start of the test's time. */
const started = Effect.map(TestClock.setTime(START), makeWorld)

/** The world of a test that begins at the start of time, with a record of it. */
class Recorded extends Context.Service<Recorded, World>()("test/Recorded") {
  static readonly layer = Layer.unwrap(
    Effect.map(started, (world) => Layer.merge(recorded(world), Layer.succeed(Recorded, world)))
  )
}

/** Sets the time and the figures, and records them. What is recorded is looked for at once, and not again while time leaps. */
const moveTo = Effect.fnUntraced(function* (time: number, changed: Parameters<World["move"]>[1]) {
  const world = yield* Recorded
  yield* TestClock.setTime(time)
  world.move(time, changed)
  const recording = Layer.fresh(Recording.layerNoDeps.pipe(Layer.provide(world.services)))
  yield* Effect.scoped(Layer.build(recording))
  // The database is in real time: where a leap of the clock ended an attempt to write, the next one is due soon.
  const pass = Effect.andThen(TestClock.adjust("250 millis"), TestClock.withLive(Effect.sleep("5 millis")))
  // Observations are written before days, so both must have left the queue.
  const queued = Metric.value(HistoryMetrics.queued)
  yield* Effect.repeat(pass, { until: () => Effect.map(queued, ({ value }) => value === 0) })
  yield* Effect.repeat(pass, { times: 4 })
})

const request = (query: HistoryQuery, isFilled = false) =>
  Effect.map(Clock.currentTimeMillis, (now) => ({ range: Result.getOrThrow(rangeOf(query, now)), isFilled }))

const conversions = [
  ["NGN", "bitcoin"],
  ["EUR", "NGN"],
  ["bitcoin", "tether"],
  ["GBP", "JPY"],
  ["tether", "NGN"],
  ["EUR", "EUR"]
] as const

const recordedRule = rulesOver(Recorded.layer)

describe("rates at a moment in the past", () => {
  recordedRule("are what was answered live then, in every fiat, and at a day the close of its history", function* () {
    const live = yield* Conversions
    const past = yield* Past
    const histories = yield* Histories
    const answers: Array<() => Effect.Effect<void, unknown>> = []
    for (let step = 0; step < 8; step++) {
      const time = START + step * 9 * HOUR + 11 * 60_000 + (yield* Random.nextIntBetween(0, 240_000))
      yield* moveTo(time, {
        bitcoin: 100_000 * (1 + (yield* Random.next)),
        tether: 0.99 + (yield* Random.next) / 50,
        mid: 1500 + (yield* Random.nextIntBetween(-50, 50)),
        // Published once a day.
        ...(step % 3 === 0 && { euro: 0.9 + (yield* Random.next) / 10 })
      })
      const moment = { _tag: "Time", time: time + 1_000 } as const
      for (const fiat of quotedFiats) {
        for (const [id, basis] of [
          ["bitcoin", "mid"],
          ["tether", "mid"],
          ["bitcoin", "customer"]
        ] as const) {
          const { price, source, updated } = yield* live.price(id, fiat, basis)
          answers.push(() =>
            Effect.map(past.price(moment, id, fiat, basis), (then) =>
              assert.deepStrictEqual([then.price, then.source, then.updated], [price, source, updated], `${id} ${fiat}`)
            )
          )
        }
      }
      for (const [from, to] of conversions) {
        const ask = [parseAsset(from), parseAsset(to), BigDecimal.fromStringUnsafe("12.5")] as const
        const { result, source, updated } = yield* live.convert(...ask)
        answers.push(() =>
          Effect.map(past.convert(moment, ...ask), (then) =>
            assert.deepStrictEqual(
              [BigDecimal.format(then.result), then.source, then.updated],
              [BigDecimal.format(result), source, updated],
              `${from} ${to}`
            )
          )
        )
      }
    }
    for (const check of answers) yield* check()
    for (const fiat of quotedFiats) {
      const { points } = yield* histories.prices("bitcoin", fiat, yield* request({ interval: "day" }))
      assert.isAtLeast(points.length, 3)
      for (const { bucket, close } of points) {
        const then = yield* past.price({ _tag: "Day", day: bucket }, "bitcoin", fiat)
        assert.strictEqual(then.price, close, `${fiat} ${dayOf(bucket)}`)
      }
    }
  })

  recordedRule(
    "have each fiat's rate by its own source, and the dollar where only the lists of sources are known",
    function* () {
      const past = yield* Past
      const history = (yield* History.History) ?? assert.fail("no history")
      const day = START - 9 * DAY
      const rows = [told("fx/EUR", "Frankfurter", day, 0.9), told("fx/KES", "currency-api", day - DAY, 129)]
      const before = told("fx/CHF", "Frankfurter", day - 20 * DAY, 0.8)
      yield* history.ask(({ recordPiece }) => recordPiece("fx", START, [...rows, before]))
      const at = { _tag: "Day", day } as const
      const { value } = yield* past.fx(at)
      assert.deepStrictEqual(value.rates, { USD: 1, EUR: 0.9, KES: 129 })
      assert.deepStrictEqual(value.observed, { USD: "2026-11-01", EUR: "2026-11-01", KES: "2026-10-31" })
      const into = (to: string) => past.convert(at, parseAsset("USD"), parseAsset(to), BigDecimal.fromBigInt(1n))
      assert.strictEqual((yield* into("KES")).source, "currency-api")
      assert.strictEqual((yield* into("USD")).rate, 1)
      assert.deepInclude(yield* Effect.flip(into("CHF")), { _tag: "NoData", first: "2026-10-12", last: "2026-10-12" })
      assert.strictEqual((yield* Effect.flip(into("GHS")))._tag, "NoPrice", "never recorded")
    }
  )

  recordedRule("say no_data with the days that are known, further back than 7 days", function* () {
    const past = yield* Past
    yield* moveTo(START + HOUR, {})
    yield* moveTo(START + 30 * HOUR, {})
    const early = yield* Effect.flip(past.price({ _tag: "Time", time: START - 9 * 24 * HOUR }, "bitcoin", "USD"))
    assert.strictEqual(early._tag, "NoData")
    assert.deepInclude(early, { first: "2026-11-10", last: "2026-11-11" })
    yield* TestClock.setTime(START + 9 * 24 * HOUR)
    const weekLater = START + HOUR - 20_000 + 7 * 24 * HOUR
    const late = yield* past.price({ _tag: "Time", time: weekLater + 28 * HOUR }, "bitcoin", "USD")
    assert.strictEqual(late.price, 100_000)
    assert.strictEqual(
      (yield* Effect.flip(past.p2p({ _tag: "Time", time: weekLater + 40 * HOUR }, "NGN")))._tag,
      "NoData"
    )
  })

  rule("are answered without the venues where what is recorded of those cannot be read; it is counted", function* () {
    const world = yield* started
    world.move(START, {})
    const sides = { buy: 1505, sell: 1495, confidence: "high", kind: "p2p" } as const
    const observation = observed("naira", START, 1500, { ...sides, source: "Bybit P2P", venues: "torn" })
    const past = Past.layerNoDeps.pipe(
      Layer.provide(world.services),
      Layer.provide(
        layerRecord({
          newestAt: newestOf(() =>
            Effect.succeed({ observations: new Map([["naira", [observation]]]), hours: new Map(), days: new Map() })
          )
        })
      )
    )
    yield* Effect.gen(function* () {
      const { value } = yield* Effect.flatMap(Past, ({ p2p }) => p2p({ _tag: "Time", time: START + 1 }, "NGN"))
      assert.deepInclude(value, { mid: 1500, buy: 1505, venues: [] })
      const broken = (yield* Metric.snapshot).filter(({ id }) => id === "cda_history_broken_total")
      assert.deepStrictEqual(
        broken.map(({ attributes }) => attributes?.["series"]),
        ["naira"]
      )
    }).pipe(Effect.provide(past), Effect.provideService(Metric.MetricRegistry, new Map()))
  })

  rule("are of a coin whose days are fetched when they are asked for, once", function* () {
    const world = yield* started
    world.move(START, {})
    const asked: Array<string> = []
    const day = START - 30 * DAY
    const backfill = Layer.effect(
      Backfill,
      Effect.map(History.History, (history) => ({
        progress: Effect.undefined,
        coin: (id: string, interval: Interval, first: number) =>
          Effect.gen(function* () {
            asked.push(`${id} ${interval} ${dayOf(first)}`)
            if (id === "tether") return yield* new Unavailable({ question: "its past", retryAfter: 60 })
            if (history === undefined) return false
            const close = closeAlone(day, 61_000, day + DAY - 1)
            const at = yield* DateTime.now
            const found = { value: [close], source: "CoinGecko", observedAt: at, retrievedAt: at }
            yield* Effect.orDie(
              history.ask(({ recordPiece }) => recordPiece("a piece", START, SnapshotRows.ofCloses(id)(found), "day"))
            )
            return true
          })
      }))
    )
    const past = Past.layerNoDeps.pipe(
      Layer.provide(backfill),
      Layer.provide(world.services),
      Layer.provide(History.layerSqlite(":memory:"))
    )
    yield* Effect.gen(function* () {
      const { price } = yield* Past
      const at = { _tag: "Day", day } as const
      assert.strictEqual((yield* price(at, "bitcoin", "USD")).price, 61_000)
      assert.strictEqual((yield* price(at, "bitcoin", "USD")).price, 61_000)
      assert.deepStrictEqual(asked, [`bitcoin day ${dayOf(day)}`])
      assert.strictEqual((yield* Effect.flip(price(at, "tether", "USD")))._tag, "Unavailable", "it is not known")
    }).pipe(Effect.provide(past))
  })

  recordedRule("have the change against 24 hours before, and the naira's venues", function* () {
    const past = yield* Past
    yield* moveTo(START + HOUR, {})
    yield* moveTo(START + 25 * HOUR, { bitcoin: 110_000, mid: 1530 })
    const at = { _tag: "Time", time: START + 25 * HOUR + 60_000 } as const
    assert.closeTo((yield* past.price(at, "bitcoin", "USD")).change_24h ?? 0, 10, 1e-9)
    assert.closeTo((yield* past.price(at, "bitcoin", "NGN")).change_24h ?? 0, (1.1 * 1.02 - 1) * 100, 1e-6)
    const { value } = yield* past.p2p(at, "NGN")
    assert.deepInclude(value.venues[0], { venue: "Bybit P2P", adsUsed: 12, adsRejected: { outlier: 3 } })
    assert.strictEqual(value.mid, 1530)
    assert.strictEqual(value.official._tag, "Published")
  })
})

describe("rates of several coins at a moment in the past", () => {
  rule("take as many statements for 250 coins in all fiats as for one in one", function* () {
    yield* TestClock.setTime(START + 3 * DAY)
    const ids = Array.from({ length: 250 }, (_, n) => `coin-${n}`)
    const rate = (fiat: string) => told(SeriesName.fiat(fiat), "Frankfurter", START, 2)
    const held = (id: string) => {
      const updated = utc(START + 3 * DAY)
      return { value: coin(id, { price: 2, updated }), source: "A", observedAt: updated, retrievedAt: updated }
    }
    let statements = 0
    const layer = Past.layerNoDeps.pipe(
      Layer.provide([
        Coins.layerTest({
          coin: (id) => Effect.succeed(held(id)),
          many: (ids) => Effect.succeed(new Map(ids.map((id) => [id, Result.succeed(held(id))]))),
          suggest: () => Effect.succeed([])
        }),
        Backfill.layerTest({ coin: () => Effect.succeed(false) })
      ]),
      Layer.provideMerge(History.layerSqlite(":memory:"))
    )
    yield* Effect.gen(function* () {
      const past = yield* Past
      const history = (yield* History.History) ?? assert.fail("no history")
      yield* history.offer(
        [...ids, "tether"]
          .map((id) => observed(SeriesName.coin(id), START + 2 * DAY, 4))
          .concat(observed(SeriesName.p2p("NGN"), START + 2 * DAY, 1500, { buy: 1501, sell: 1499, kind: "p2p" }))
      )
      yield* history.ask(({ recordPiece }) => recordPiece("fiats", START, quotedFiats.map(rate)))
      yield* Effect.repeat(TestClock.withLive(Effect.sleep("5 millis")), {
        until: () => Effect.sync(() => history.pendingSince() === undefined)
      })
      const counted = Effect.fnUntraced(function* (ids: ReadonlyArray<string>, fiats: ReadonlyArray<string>) {
        statements = 0
        const found = yield* Effect.provideService(
          past.prices({ _tag: "Time", time: START + 2 * DAY + HOUR }, ids, fiats),
          Statement.CurrentTransformer,
          (statement) => Effect.sync(() => (statements++, statement))
        )
        assert.strictEqual(found.missing.length, 0)
        assert.isTrue(found.prices.every(({ cells }) => cells.every(([, price]) => price !== null)))
        return statements
      })
      const one = yield* counted(ids.slice(0, 1), quotedFiats.slice(0, 1))
      const all = yield* counted(ids, quotedFiats)
      assert.isAbove(one, 0)
      // Other fiats need the naira, USDT, the list of fiats and their rates.
      assert.isAtMost(all, one + 20)
      assert.strictEqual(yield* counted(ids.slice(0, 2), quotedFiats), all)
    }).pipe(Effect.provide(layer))
  })
})

describe("histories filled with the previous point", () => {
  rule("look back to the last bucket whose parts are all known, in every fiat and for the naira itself", function* () {
    const now = START + 40 * DAY + HOUR
    yield* TestClock.setTime(now)
    const world = makeWorld()
    world.move(now, {})
    const days = (series: string, origin: string, length: number) =>
      Array.from({ length }, (_, n) => {
        const end = START + (n + 1) * DAY
        return told(series, origin, end - DAY, n + 1, { observedAt: end - 1, recordedAt: end })
      })
    const layer = Histories.layerNoDeps.pipe(
      Layer.provide(world.services),
      Layer.provideMerge(History.layerSqlite(":memory:"))
    )
    yield* Effect.gen(function* () {
      const history = (yield* History.History) ?? assert.fail("no history")
      const { p2p, prices } = yield* Histories
      // The naira's record stops long before that of the coins, and the euro's in between.
      for (const [series, source, length] of [
        [SeriesName.coin("bitcoin"), "CoinGecko", 30],
        [SeriesName.coin("tether"), "CoinGecko", 30],
        [SeriesName.p2p("NGN"), "Quidax", 5],
        [SeriesName.OFFICIAL, "CBN", 2],
        [SeriesName.fiat("EUR"), "Frankfurter", 10]
      ] as const) {
        yield* history.ask(({ recordPiece }) => recordPiece(series, now, days(series, source, length)))
      }
      const asked = yield* request({ interval: "day", from: dayOf(START + 35 * DAY) }, true)
      const lastOf = (fiat: string) =>
        Effect.map(prices("bitcoin", fiat, asked), ({ points }) => [points.length, dayOf(points[0]?.observedAt ?? 0)])
      assert.deepStrictEqual(yield* lastOf("USD"), [6, dayOf(START + 29 * DAY)])
      assert.deepStrictEqual(yield* lastOf("NGN"), [6, dayOf(START + 4 * DAY)])
      assert.deepStrictEqual(yield* lastOf("EUR"), [6, dayOf(START + 9 * DAY)], "the oldest part's time")
      const euro = yield* prices("bitcoin", "EUR", asked)
      assert.strictEqual(euro.points[0]?.close, 17 * 10, "the rate stands in for 7 days")
      const naira = yield* p2p("NGN", asked)
      assert.deepStrictEqual(
        naira.points.map(({ market, official }) => [market?.close, official?.close]),
        Array.from({ length: 6 }, () => [5, 2])
      )
    }).pipe(Effect.provide(layer))
  })
})

rule("a history is filled from what was observed lately where no day is built yet", function* () {
  const world = yield* started
  // What builds days has not run: none is found as built.
  const unbuilt = Layer.effect(
    History.History,
    Effect.map(
      History.History,
      (history) =>
        history && {
          ...history,
          ask: (question, timeout) =>
            history.ask((stored) => question({ ...stored, lastBucket: () => Effect.undefined }), timeout)
        }
    )
  ).pipe(Layer.provide(History.layerSqlite(":memory:")))
  const layer = Layer.mergeAll(Histories.layerNoDeps, world.services, Layer.succeed(Recorded, world)).pipe(
    Layer.provide(world.services),
    Layer.provideMerge(unbuilt)
  )
  yield* Effect.gen(function* () {
    const histories = yield* Histories
    yield* moveTo(START + HOUR, { bitcoin: 100 })
    yield* TestClock.setTime(START + 3 * DAY)
    const later = { interval: "day", from: "2026-11-12", to: "2026-11-12" } as const
    const { points } = yield* histories.prices("bitcoin", "USD", yield* request(later, true))
    assert.deepStrictEqual(
      points.map(({ bucket, close }) => [dayOf(bucket), close]),
      [["2026-11-12", 100]]
    )
  }).pipe(Effect.provide(layer))
})

describe("histories", () => {
  recordedRule("have points with their own times, gaps, and whether they are final", function* () {
    const histories = yield* Histories
    yield* moveTo(START + HOUR, { bitcoin: 100 })
    yield* moveTo(START + 2 * HOUR, { bitcoin: 120 })
    yield* moveTo(START + 50 * HOUR, { bitcoin: 110 })
    const days = { interval: "day", from: "2026-11-09", to: "2026-11-12" } as const
    const { coverage, points, updated } = yield* histories.prices("bitcoin", "USD", yield* request(days))
    assert.deepStrictEqual(
      points.map(({ bucket, close, high, isFinal, low, open }) => [dayOf(bucket), isFinal, open, high, low, close]),
      [
        ["2026-11-10", true, null, null, null, 120],
        ["2026-11-12", false, null, null, null, 110]
      ]
    )
    assert.deepStrictEqual(
      coverage.missing.map(({ from, to }) => [dayOf(from), dayOf(to)]),
      [
        ["2026-11-09", "2026-11-09"],
        ["2026-11-11", "2026-11-11"]
      ]
    )
    assert.deepStrictEqual([coverage.first, coverage.last], [START, START + 48 * HOUR])
    assert.strictEqual(Option.getOrThrow(updated).epochMilliseconds, START + 50 * HOUR - 20_000)
    const all = yield* histories.prices("bitcoin", "USD", yield* request(days, true))
    assert.deepStrictEqual(
      all.points.map(({ bucket, close, observedAt }) => [dayOf(bucket), close, timeOf(observedAt)]),
      [
        ["2026-11-10", 120, timeOf(START + 2 * HOUR - 20_000)],
        ["2026-11-11", 120, timeOf(START + 2 * HOUR - 20_000)],
        ["2026-11-12", 110, timeOf(START + 50 * HOUR - 20_000)]
      ]
    )
    assert.deepStrictEqual(all.coverage, coverage, "filled points are gaps too")
    const later = yield* histories.prices(
      "bitcoin",
      "USD",
      yield* request({ interval: "day", from: "2026-11-11", to: "2026-11-11" }, true)
    )
    assert.deepStrictEqual(
      later.points.map(({ close }) => close),
      [120],
      "filled from before the range"
    )
    const hours = yield* histories.prices(
      "bitcoin",
      "NGN",
      yield* request({ interval: "hour", from: "2026-11-10", to: "2026-11-10" })
    )
    assert.deepStrictEqual(
      hours.points.map(({ bucket, close, open, source }) => [timeOf(bucket).slice(11, 16), open, close, source]),
      [
        ["00:00", null, 150_000, "CoinGecko + Bybit P2P"],
        ["01:00", null, 180_000, "CoinGecko + Bybit P2P"]
      ]
    )
  })

  it.effect.each([
    ["before", true],
    ["after", false]
  ] as const)(
    "have the official rate that was served on a day, whatever CBN's list of all days says %s",
    ([, isListedFirst]) =>
      Effect.gen(function* () {
        const history = (yield* History.History) ?? assert.fail("no history")
        const listed = (time: number) =>
          history.ask(({ recordPiece }) =>
            recordPiece(
              "official",
              time,
              SnapshotRows.ofDayRates(() => SeriesName.OFFICIAL)({
                value: ["2026-11-09", "2026-11-10"].map((date) => ({ code: "NGN", date, rate: 1372.3284 })),
                source: "CBN",
                observedAt: utc(time),
                retrievedAt: utc(time)
              })
            )
          )
        if (isListedFirst) yield* listed(START + HOUR)
        yield* moveTo(START + 2 * HOUR, { official: 1372.8284 })
        if (!isListedFirst) yield* listed(START + 3 * HOUR)
        // Once more after the day is final, when a difference would be a correction.
        yield* TestClock.setTime(START + 30 * HOUR)
        yield* listed(START + 30 * HOUR)

        const { p2p } = yield* Histories
        const { points } = yield* p2p("NGN", yield* request({ interval: "day", from: "2026-11-09", to: "2026-11-10" }))
        assert.deepStrictEqual(
          points.map(({ official, revisedAt }) => [dayOf(official?.bucket ?? 0), official?.close, revisedAt]),
          [
            ["2026-11-09", 1372.3284, null],
            ["2026-11-10", 1372.8284, null]
          ]
        )
        const stored =
          (yield* history.ask(({ points }) =>
            points({ interval: "day", first: START, last: START }, [SeriesName.OFFICIAL])
          )).get(SeriesName.OFFICIAL) ?? []
        assert.isTrue(stored.every(({ revision }) => revision === 0))
        const past = yield* Past
        const then = yield* past.p2p({ _tag: "Time", time: START + 20 * HOUR }, "NGN")
        assert.strictEqual(
          then.value.official._tag === "Published" ? then.value.official.snapshot.value.rate : null,
          1372.8284
        )
      }).pipe(Effect.provide(Recorded.layer))
  )

  rule("of thousands of points let other work go on in between", function* () {
    const world = yield* started
    world.move(START, {})
    const days = Array.from({ length: 3660 }, (_, n) => START - (3660 - n) * DAY)
    const points = new Map(
      ["coin/bitcoin", "coin/tether", "naira"].map((name) => [
        name,
        days.map((bucket) => told(name, "A", bucket, 2, { observedAt: bucket + DAY, recordedAt: START }))
      ])
    )
    yield* Effect.gen(function* () {
      const histories = yield* Histories
      let turns = 0
      const others = yield* Effect.forkChild(
        Effect.forever(
          Effect.andThen(
            Effect.sync(() => turns++),
            Effect.yieldNow
          )
        )
      )
      const query = { interval: "day", from: dayOf(days[0] ?? 0), to: dayOf(days.at(-1) ?? 0) } as const
      const { points } = yield* histories.prices("bitcoin", "NGN", yield* request(query))
      assert.strictEqual(points.length, 3660)
      // Between the three series, before the prices are computed, and before they are written.
      assert.isAtLeast(turns, 3)
      yield* Fiber.interrupt(others)
    }).pipe(
      Effect.provide(
        Histories.layerNoDeps.pipe(
          Layer.provide(world.services),
          Layer.provide(
            layerRecord({
              points: () => Effect.succeed(points),
              spans: (_, names) => Effect.succeed(new Map(names.map((name) => [name, { first: 0, last: START }])))
            })
          )
        )
      )
    )
  })
})
