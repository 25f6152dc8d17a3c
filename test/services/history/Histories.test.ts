import { assert, describe } from "@effect/vitest"
import { Effect, Fiber, Layer, Option } from "effect"
import { TestClock } from "effect/testing"
import { dayOf, timeOf } from "../../../src/history/model/Interval.ts"
import * as History from "../../../src/history/store/History.ts"
import * as SeriesName from "../../../src/history/store/SeriesName.ts"
import { Histories } from "../../../src/services/history/Histories.ts"
import { layerRecord } from "../../history/layerRecord.ts"
import { told } from "../../history/records.ts"
import { rule } from "../../rulesOf.ts"
import { recorded } from "./recordedAt.ts"
import { DAY, HOUR, makeWorld, moveTo, Recorded, recordedRule, request, START, started } from "./recordedWorld.ts"

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
      const { p2p, prices } = yield* Histories
      // The naira's record stops long before that of the coins, and the euro's in between.
      for (const [series, source, length] of [
        [SeriesName.coin("bitcoin"), "CoinGecko", 30],
        [SeriesName.coin("tether"), "CoinGecko", 30],
        [SeriesName.p2p("NGN"), "Quidax", 5],
        [SeriesName.OFFICIAL, "CBN", 2],
        [SeriesName.fiat("EUR"), "Frankfurter", 10]
      ] as const) {
        yield* recorded(series, now, days(series, source, length))
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
