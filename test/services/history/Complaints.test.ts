// What users of other histories complain about, from what a source sends to what is answered: each complaint is a test.
import * as CoinList from "../../../src/domain/CoinList.ts"
import { assert, describe } from "@effect/vitest"
import { Clock, DateTime, Effect, Result } from "effect"
import { TestClock } from "effect/testing"
import { coin } from "../scripted.ts"
import { bucketCloses } from "../../../src/history/model/Close.ts"
import { type HistoryQuery, rangeOf } from "../../../src/history/model/HistoryRange.ts"
import { dayOf, startOfDay } from "../../../src/history/model/Interval.ts"
import * as SnapshotRows from "../../../src/history/store/SnapshotRows.ts"
import * as SeriesName from "../../../src/history/store/SeriesName.ts"
import { Histories } from "../../../src/services/history/Histories.ts"
import * as recordedAt from "./recordedAt.ts"

const DAY = 86_400_000
const TODAY = startOfDay("2026-11-20")
const NOW = TODAY + DAY / 2

const snapshot = <A>(value: A, source: string, at = NOW) => recordedAt.snapshot(value, source, at)

const { record, recorded } = recordedAt

/** A chart of one source, as it is sent: stamps and prices. */
const charted = (source: string, chart: ReadonlyArray<readonly [stamp: number, price: number]>) =>
  recorded(source, NOW, SnapshotRows.ofCloses("bitcoin")(snapshot(bucketCloses("day", chart, NOW), source)))

/** Prices at some days' ends, so many days back. `off`: how far from midnight each is stamped. */
const midnights = (from: number, to: number, off: (day: number) => number = () => 0) =>
  Array.from({ length: from - to + 1 }, (_, n): readonly [number, number] => {
    const back = from - n
    return [TODAY - (back - 1) * DAY + off(back), 1000 + back]
  })

const published = (rates: Readonly<Record<string, number>>, at = NOW) =>
  recorded(
    `fx ${at}`,
    at,
    SnapshotRows.ofDayRates(SeriesName.fiat)(
      snapshot(
        Object.entries(rates).map(([date, rate]) => ({ code: "EUR", date, rate })),
        "Frankfurter",
        at
      )
    )
  )

const request = (query: Omit<HistoryQuery, "interval">, isFilled = false) =>
  Effect.map(Clock.currentTimeMillis, (now) => ({
    range: Result.getOrThrow(rangeOf({ interval: "day", ...query }, now)),
    isFilled
  }))

const bitcoin = (from: string, to: string) =>
  Effect.gen(function* () {
    const histories = yield* Histories
    return yield* histories.prices("bitcoin", "USD", yield* request({ from, to }))
  })

const euro = (from: string, to: string, isFilled = false) =>
  Effect.gen(function* () {
    const histories = yield* Histories
    return yield* histories.fx(["EUR"], yield* request({ from, to }, isFilled))
  })

const daysOf = (points: ReadonlyArray<{ readonly bucket: number }>) => points.map(({ bucket }) => dayOf(bucket))
const missingOf = ({ missing }: { readonly missing: ReadonlyArray<{ readonly from: number; readonly to: number }> }) =>
  missing.map(({ from, to }) => [dayOf(from), dayOf(to)])

const rule = recordedAt.ruleAt(NOW)

describe("no complaint about", () => {
  rule("a cliff after 365 days: an older source goes on where the first ends", function* () {
    yield* charted("CoinGecko", midnights(365, 1))
    yield* charted("Kraken", midnights(730, 366))
    const { coverage, points } = yield* bitcoin("2024-11-20", "2026-11-19")
    assert.strictEqual(points.length, 730)
    assert.deepStrictEqual(coverage.missing, [])
    assert.deepStrictEqual([points[364]?.source, points[365]?.source], ["Kraken", "CoinGecko"])
  })

  rule("a granularity that changes by itself: a day is the same point in whatever range", function* () {
    yield* charted("CoinGecko", midnights(365, 1))
    const { points: year } = yield* bitcoin("2025-11-20", "2026-11-19")
    for (const days of [1, 2, 30, 90, 91, 200]) {
      const { points } = yield* bitcoin(dayOf(TODAY - days * DAY), "2026-11-19")
      assert.deepStrictEqual(points, year.slice(-days), `${days} days`)
    }
  })

  rule("a last point that is of now, nor two points of one day", function* () {
    yield* charted("CoinGecko", [...midnights(3, 1), [NOW - 5_000, 7], [NOW, 8]])
    const { points } = yield* bitcoin("2026-11-16", "2026-11-20")
    assert.deepStrictEqual(daysOf(points), ["2026-11-17", "2026-11-18", "2026-11-19"])
    assert.deepStrictEqual(
      points.map(({ close }) => close),
      [1003, 1002, 1001]
    )
  })

  rule("stamps that jitter around midnight: no day is skipped or doubled", function* () {
    yield* charted(
      "CoinGecko",
      midnights(300, 1, (day) => ((day * 7919) % 120_001) - 60_000)
    )
    const { coverage, points } = yield* bitcoin(dayOf(TODAY - 300 * DAY), "2026-11-19")
    assert.deepStrictEqual(
      points.map(({ bucket, close }) => [bucket, close]),
      Array.from({ length: 300 }, (_, n) => [TODAY - (300 - n) * DAY, 1300 - n])
    )
    assert.deepStrictEqual(coverage.missing, [])
  })

  rule("what close means: the last observation of the UTC day, with the time at which it was made", function* () {
    const { offer, version } = yield* record
    const observed = (time: number, price: number) =>
      SnapshotRows.ofCoins(
        snapshot(
          CoinList.make([{ ...coin("bitcoin"), price, updated: DateTime.makeUnsafe(time) }]),
          "CoinGecko",
          time + 1000
        )
      )
    const midnight = TODAY - DAY
    yield* offer([
      ...observed(midnight - DAY / 2, 10),
      ...observed(midnight - 10_000, 20),
      ...observed(midnight + 10_000, 30)
    ])
    yield* Effect.repeat(Effect.andThen(TestClock.adjust("1 second"), TestClock.withLive(Effect.sleep("5 millis"))), {
      until: () => Effect.sync(() => version() > 0)
    })
    const { points } = yield* bitcoin("2026-11-18", "2026-11-19")
    assert.deepStrictEqual(
      points.map(({ bucket, close, observedAt }) => [dayOf(bucket), close, observedAt]),
      [
        ["2026-11-18", 20, midnight - 10_000],
        ["2026-11-19", 30, midnight + 10_000]
      ]
    )
  })

  rule("a source that corrects itself: the day takes the correction and says when, no other day changes", function* () {
    yield* published({ "2026-11-10": 0.9, "2026-11-11": 0.91, "2026-11-12": 0.92 }, TODAY - 5 * DAY)
    const before = yield* euro("2026-11-10", "2026-11-12")
    yield* published({ "2026-11-10": 0.9, "2026-11-11": 0.95, "2026-11-12": 0.92 }, NOW)
    const { points } = yield* euro("2026-11-10", "2026-11-12")
    assert.deepStrictEqual(
      points.map(({ rates, revisedAt }) => [rates["EUR"], revisedAt]),
      [
        [0.9, null],
        [0.95, NOW],
        [0.92, null]
      ]
    )
    assert.deepStrictEqual([points[0], points[2]], [before.points[0], before.points[2]])
    assert.deepStrictEqual(daysOf(points), daysOf(before.points))
  })

  rule("days that are missing without a word: each gap is listed, also before the first day known", function* () {
    yield* charted("CoinGecko", [...midnights(9, 7), ...midnights(4, 1)])
    const { coverage, points } = yield* bitcoin("2026-11-08", "2026-11-20")
    assert.strictEqual(points.length, 7)
    assert.deepStrictEqual(missingOf(coverage), [
      ["2026-11-08", "2026-11-10"],
      ["2026-11-14", "2026-11-15"],
      ["2026-11-20", "2026-11-20"]
    ])
    assert.deepStrictEqual([dayOf(coverage.first ?? 0), dayOf(coverage.last ?? 0)], ["2026-11-11", "2026-11-19"])
  })
})
