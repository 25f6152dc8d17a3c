// Weeks and months are what anyone computes from the days.
import { assert, describe } from "@effect/vitest"
import { Effect, Random, Result } from "effect"
import type { Close } from "../../../src/history/model/Close.ts"
import { rangeOf } from "../../../src/history/model/HistoryRange.ts"
import { dayOf, startOfDay } from "../../../src/history/model/Interval.ts"
import type { Period } from "../../../src/history/model/Period.ts"
import * as SnapshotRows from "../../../src/history/store/SnapshotRows.ts"
import * as SeriesName from "../../../src/history/store/SeriesName.ts"
import { Histories } from "../../../src/services/history/Histories.ts"
import { told } from "../../history/records.ts"
import * as recordedAt from "./recordedAt.ts"

const DAY = 86_400_000
// A Friday in a month of a leap year's end, so that there is a 29 February, and a running week and month.
const TODAY = startOfDay("2028-12-15")
const NOW = TODAY + DAY / 2
const FIRST = startOfDay("2027-11-24")

const snapshot = <A>(value: A, source: string) => recordedAt.snapshot(value, source, NOW)

const { recorded } = recordedAt
const rule = recordedAt.ruleAt(NOW)

const request = (interval: Period | "day", from = dayOf(FIRST), isFilled = false) => ({
  range: Result.getOrThrow(rangeOf({ interval, from }, NOW)),
  isFilled
})

/** The ISO week or the month of a day, as a calendar names it. */
const named: Readonly<Record<Period, (day: string) => string>> = {
  month: (day) => day.slice(0, 7),
  week: (day) => {
    // The week of a year's first Thursday is its first.
    const date = new Date(`${day}T00:00:00Z`)
    date.setUTCDate(date.getUTCDate() + 4 - (date.getUTCDay() || 7))
    const ofYear = (date.getTime() - Date.UTC(date.getUTCFullYear(), 0, 1)) / DAY
    return `${date.getUTCFullYear()}-W${Math.floor(ofYear / 7) + 1}`
  }
}

/** The number of days of each week or month up to today. */
const lengths = (period: Period) => {
  const counts = new Map<string, number>()
  // From the beginning of the first week and month.
  for (let day = startOfDay("2027-11-01"); day <= TODAY; day += DAY) {
    const name = named[period](dayOf(day))
    counts.set(name, (counts.get(name) ?? 0) + 1)
  }
  return counts
}

const close = (actual: number | null | undefined, expected: number, what: string) =>
  assert.closeTo(actual ?? NaN, expected, Math.abs(expected) * 1e-11, what)

/** Candles of all days but some; every fifth has its close alone. */
const candles = Effect.gen(function* () {
  const found: Array<Close> = []
  for (let bucket = FIRST; bucket < TODAY; bucket += DAY) {
    const price = 1000 + (yield* Random.next) * 100
    const isWhole = (yield* Random.next) > 0.01
    const [open, high, low] = isWhole ? [price - 3.3, price + 9.1, price - 7.7] : [null, null, null]
    const row = {
      bucket,
      open,
      high,
      low,
      close: price,
      volume: isWhole ? price * 10 : null,
      observedAt: bucket + DAY - 1
    }
    if ((yield* Random.next) > 0.01) found.push(row)
  }
  return found
})

describe("weeks and months", () => {
  rule("of prices equal those computed from the days", function* () {
    yield* recorded("candles", NOW, SnapshotRows.ofCloses("bitcoin")(snapshot(yield* candles, "Kraken")))
    const { prices } = yield* Histories
    const days = yield* prices("bitcoin", "USD", request("day"))
    for (const period of ["week", "month"] as const) {
      const { coverage, points } = yield* prices("bitcoin", "USD", request(period))
      const groups = [...Map.groupBy(days.points, ({ bucket }) => named[period](dayOf(bucket)))]
      assert.deepStrictEqual(
        points.map(({ bucket }) => named[period](dayOf(bucket))),
        groups.map(([name]) => name)
      )
      const length = lengths(period)
      let whole = 0
      for (const [n, [name, group]] of groups.entries()) {
        const point = points[n] ?? assert.fail(name)
        assert.strictEqual(point.close, group.at(-1)?.close, name)
        assert.strictEqual(point.observedAt, group.at(-1)?.observedAt, name)
        assert.strictEqual(point.days, group.length, name)
        close(point.average, group.reduce((sum, { close }) => sum + close, 0) / group.length, name)
        const isWhole = group.length === length.get(name) && group.every(({ high }) => high !== null)
        whole += Number(isWhole)
        assert.deepStrictEqual(
          [point.open, point.high, point.low],
          isWhole
            ? [
                group[0]?.open,
                Math.max(...group.map(({ high }) => high ?? 0)),
                Math.min(...group.map(({ low }) => low ?? 0))
              ]
            : [group.length === length.get(name) ? group[0]?.open : null, null, null],
          name
        )
        if (isWhole)
          close(
            point.volume,
            group.reduce((sum, { volume }) => sum + (volume ?? 0), 0),
            name
          )
        else assert.isNull(point.volume, name)
        assert.strictEqual(point.isFinal, n < groups.length - 1, name)
      }
      assert.isAbove(whole, 0)
      assert.deepStrictEqual(coverage.missing.at(-1), { from: TODAY, to: TODAY })
    }
  })

  rule(
    "are whole, whichever of their days is asked for, and fill what is missing without counting it twice",
    function* () {
      const row = (day: string, close: number): Close => {
        const bucket = startOfDay(day)
        return { bucket, open: close, high: close, low: close, close, volume: 1, observedAt: bucket + DAY - 1 }
      }
      const rows = [row("2028-02-28", 10), row("2028-02-29", 20), row("2028-03-01", 30), row("2028-03-22", 40)]
      yield* recorded("candles", NOW, SnapshotRows.ofCloses("bitcoin")(snapshot(rows, "Kraken")))
      const { prices } = yield* Histories
      const asked = (interval: Period, from: string, to: string, isFilled = false) =>
        Effect.map(
          prices("bitcoin", "USD", { range: Result.getOrThrow(rangeOf({ interval, from, to }, NOW)), isFilled }),
          ({ points }) => points.map(({ average, bucket, close, days }) => [dayOf(bucket), close, average, days])
        )
      assert.deepStrictEqual(yield* asked("week", "2028-03-02", "2028-03-02"), [["2028-02-28", 30, 20, 3]])
      assert.deepStrictEqual(yield* asked("month", "2028-02-10", "2028-02-11"), [["2028-02-01", 20, 15, 2]])
      assert.deepStrictEqual(yield* asked("week", "2028-03-08", "2028-03-22", true), [
        ["2028-03-06", 30, 20, 0],
        ["2028-03-13", 30, 20, 0],
        ["2028-03-20", 40, 40, 1]
      ])
    }
  )

  rule("of a market average the days of the last one's kind, and keep the official rate of that day", function* () {
    const sides = { buy: 1, sell: 1, confidence: "high" } as const
    const mid = (day: string, mid: number, kind: "p2p" | "order_book") =>
      told(SeriesName.p2p("NGN"), kind, startOfDay(day), mid, {
        ...sides,
        kind,
        high: mid + 1,
        low: mid - 1,
        open: mid
      })
    yield* recorded("market", NOW, [
      mid("2028-11-06", 100, "order_book"),
      mid("2028-11-07", 1400, "p2p"),
      mid("2028-11-08", 1500, "p2p")
    ])
    yield* recorded("official", NOW, [
      told(SeriesName.OFFICIAL, "CBN", startOfDay("2028-11-08"), 1200),
      told(SeriesName.OFFICIAL, "CBN", startOfDay("2028-11-10"), 1300)
    ])
    const { p2p } = yield* Histories
    const { points } = yield* p2p("NGN", request("week", "2028-11-06"))
    const [week] = points
    assert.deepInclude(week, { average: 1450, days: 2, premium: 25 })
    assert.deepInclude(week?.market, { close: 1500, high: null, kind: "p2p", open: null })
    assert.strictEqual(week?.official?.close, 1200)
  })

  rule("of fiats have the last rate and the average of each, and count the days of publication", function* () {
    const rate = (code: string, day: string, value: number) =>
      told(SeriesName.fiat(code), "Frankfurter", startOfDay(day), value)
    yield* recorded("fx", NOW, [
      rate("EUR", "2028-11-06", 0.8),
      rate("EUR", "2028-11-07", 0.9),
      rate("KES", "2028-11-06", 129)
    ])
    const { fx } = yield* Histories
    const { points } = yield* fx(["EUR", "KES", "GHS"], request("month", "2028-11-01"))
    assert.lengthOf(points, 1)
    assert.deepInclude(points[0], {
      rates: { EUR: 0.9, KES: 129, GHS: null },
      average: { EUR: 0.85, KES: 129, GHS: null },
      days: 2
    })
  })
})
