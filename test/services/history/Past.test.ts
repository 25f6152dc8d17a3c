// Rates at a moment in the past are what was answered then.
import { assert, describe } from "@effect/vitest"
import { BigDecimal, Effect, Layer, Metric, Random, Result } from "effect"
import { Statement } from "effect/sql"
import { TestClock } from "effect/testing"
import { isoCurrencies } from "../../../src/domain/Fiat.ts"
import type { Basis } from "../../../src/domain/Conversion.ts"
import { quotedFiats } from "../../../src/domain/QuotedFiat.ts"
import { closeAlone } from "../../../src/history/model/Close.ts"
import { dayOf, type Interval } from "../../../src/history/model/Interval.ts"
import * as History from "../../../src/history/store/History.ts"
import * as SeriesName from "../../../src/history/store/SeriesName.ts"
import * as SnapshotRows from "../../../src/history/store/SnapshotRows.ts"
import { Coins } from "../../../src/services/Coins.ts"
import { Conversions, parseAsset } from "../../../src/services/Conversions.ts"
import { Backfill } from "../../../src/services/history/Backfill.ts"
import { Histories } from "../../../src/services/history/Histories.ts"
import { Past } from "../../../src/services/history/Past.ts"
import { ONLY_MIDDLE } from "../../../src/services/history/PastRates.ts"
import { Unavailable } from "../../../src/services/refresh/Unavailable.ts"
import { layerRecord, newestOf } from "../../history/layerRecord.ts"
import { observed, told } from "../../history/records.ts"
import { rule } from "../../rulesOf.ts"
import { coin } from "../scripted.ts"
import * as recordedAt from "./recordedAt.ts"
import { DAY, HOUR, moveTo, recordedRule, request, START, started, utc } from "./recordedWorld.ts"

const conversions = [
  ["NGN", "bitcoin"],
  ["EUR", "NGN"],
  ["bitcoin", "tether"],
  ["GBP", "JPY"],
  ["tether", "NGN"],
  ["EUR", "EUR"]
] as const

describe("rates at a moment in the past", () => {
  recordedRule("are what was answered live then, in every fiat, and at a day the close of its history", function* () {
    const live = yield* Conversions
    const past = yield* Past
    const histories = yield* Histories
    const answers: Array<() => Effect.Effect<void, unknown>> = []
    for (let step = 0; step < 5; step++) {
      const time = START + step * 14 * HOUR + 11 * 60_000 + (yield* Random.nextIntBetween(0, 240_000))
      yield* moveTo(time, {
        bitcoin: 100_000 * (1 + (yield* Random.next)),
        tether: 0.99 + (yield* Random.next) / 50,
        mid: 1500 + (yield* Random.nextIntBetween(-50, 50)),
        // Published once a day.
        ...(step % 2 === 0 && { euro: 0.9 + (yield* Random.next) / 10 })
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
      const day = START - 9 * DAY
      const rows = [told("fx/EUR", "Frankfurter", day, 0.9), told("fx/KES", "currency-api", day - DAY, 129)]
      const before = told("fx/CHF", "Frankfurter", day - 20 * DAY, 0.8)
      yield* recordedAt.recorded("fx", START, [...rows, before])
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

  recordedRule("say that only the middle was recorded where a customer's rate is asked for", function* () {
    const past = yield* Past
    const moment = { _tag: "Day", day: START - 9 * DAY } as const
    yield* moveTo(START, {})
    const rows = [told("naira", "Quidax", moment.day, 1500), told("coin/tether", "CoinGecko", moment.day, 1)]
    yield* recordedAt.recorded("naira", START, rows)
    const ask = (basis: Basis) =>
      past.convert(moment, parseAsset("tether"), parseAsset("NGN"), BigDecimal.fromBigInt(1n), basis)
    assert.deepInclude(yield* Effect.flip(ask("customer")), { _tag: "NoData", first: "2026-11-01", why: ONLY_MIDDLE })
    assert.strictEqual((yield* ask("mid")).rate, 1500)
  })

  rule("are of a coin whose days are fetched when they are asked for, once", function* () {
    const world = yield* started
    world.move(START, {})
    const asked: Array<string> = []
    const day = START - 30 * DAY
    const stored = yield* Layer.build(History.layerSqlite(":memory:"))
    const close = recordedAt.snapshot([closeAlone(day, 61_000, day + DAY - 1)], "CoinGecko", START)
    const backfill = Backfill.layerTest({
      coin: Effect.fnUntraced(function* (id: string, interval: Interval, first: number) {
        asked.push(`${id} ${interval} ${dayOf(first)}`)
        if (id === "tether") return yield* new Unavailable({ question: "its past", retryAfter: 60 })
        const fetched = recordedAt.recorded("a piece", START, SnapshotRows.ofCloses(id)(close), "day")
        yield* Effect.orDie(Effect.provideContext(fetched, stored))
        return true
      })
    })
    const past = Past.layerNoDeps.pipe(
      Layer.provide([backfill, Layer.succeedContext(stored)]),
      Layer.provide(world.services)
    )
    yield* Effect.gen(function* () {
      const { price } = yield* Past
      const at = { _tag: "Day", day } as const
      for (let n = 0; n < 2; n++) assert.strictEqual((yield* price(at, "bitcoin", "USD")).price, 61_000)
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
  rule(
    "take as many statements for 250 coins in all fiats as for one in one, and for 50 times as for one",
    function* () {
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
        const history = yield* recordedAt.record
        yield* history.offer(
          [...ids, "tether"]
            .map((id) => observed(SeriesName.coin(id), START + 2 * DAY, 4))
            .concat(observed(SeriesName.p2p("NGN"), START + 2 * DAY, 1500, { buy: 1501, sell: 1499, kind: "p2p" }))
        )
        const others = Array.from(isoCurrencies).slice(0, 60)
        yield* recordedAt.recorded("fiats", START, [...new Set([...quotedFiats, ...others])].map(rate))
        yield* Effect.repeat(TestClock.withLive(Effect.sleep("5 millis")), {
          until: () => Effect.sync(() => history.pendingSince() === undefined)
        })
        const countedOf = <A>(asked: Effect.Effect<A>) =>
          Effect.suspend(() => {
            statements = 0
            return Effect.provideService(asked, Statement.CurrentTransformer, (statement) =>
              Effect.sync(() => (statements++, statement))
            )
          })
        const counted = Effect.fnUntraced(function* (ids: ReadonlyArray<string>, fiats: ReadonlyArray<string>) {
          const moment = { _tag: "Time", time: START + 2 * DAY + HOUR } as const
          const found = yield* countedOf(past.prices(moment, ids, fiats))
          assert.strictEqual(found.missing.length, 0)
          assert.isTrue(found.prices.every(({ cells }) => cells.every(([, price]) => price !== null)))
          return statements
        })
        const one = yield* counted(ids.slice(0, 1), quotedFiats.slice(0, 1))
        const all = yield* counted(ids, quotedFiats)
        assert.isAbove(one, 0)
        // Other fiats need the naira, USDT and their rates.
        assert.isAtMost(all, one + 20)
        assert.strictEqual(yield* counted(ids.slice(0, 2), quotedFiats), all)

        const countedTimes = Effect.fnUntraced(function* (times: number) {
          const items = Array.from({ length: times }, (_, n) => ({
            id: "coin-1",
            moment: { _tag: "Time", time: START + 2 * DAY + HOUR + n } as const
          }))
          const found = yield* countedOf(past.pricesEach(items, quotedFiats))
          const cells = [...found.values()].flatMap((one) => ("cells" in one ? one.cells : []))
          assert.lengthOf(cells, times * quotedFiats.length)
          assert.isTrue(cells.every(([, price]) => price !== null))
          return statements
        })
        assert.strictEqual(yield* countedTimes(50), yield* countedTimes(1), "one statement has at most 1000 values")
      }).pipe(Effect.provide(layer))
    }
  )
})
