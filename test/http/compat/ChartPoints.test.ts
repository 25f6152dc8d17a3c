import { assert, describe, it } from "@effect/vitest"
import { Result, Schema } from "effect"
import { lengthOf } from "../../../src/history/model/Interval.ts"
import type { PricePoint } from "../../../src/history/model/priceHistory.ts"
import {
  candlesIn,
  candleSize,
  candleSpan,
  inOtherCoin,
  pointsIn,
  volumesOf
} from "../../../src/http/compat/ChartPoints.ts"
import { between, lastDays, rangeOf, type Span, startOfDate } from "../../../src/http/compat/Spans.ts"

const HOUR = lengthOf("hour")
const DAY = lengthOf("day")

/** A midnight, UTC. */
const MIDNIGHT = Date.UTC(2026, 10, 20)
const NOW = MIDNIGHT + 12 * HOUR + 1000

const point = (bucket: number, close: number, more: Partial<PricePoint> = {}): PricePoint => ({
  bucket,
  open: close,
  high: close,
  low: close,
  close,
  volume: null,
  source: "a source",
  kind: null,
  observedAt: bucket + HOUR - 1000,
  revisedAt: null,
  ...more
})

const Price = Schema.Finite.check(Schema.isBetween({ minimum: 1e-6, maximum: 1e6 }))

/** Up to twelve hours, each with its open and its close. */
const Prices = Schema.Array(Schema.Tuple([Price, Price])).check(Schema.isMaxLength(12))

const spanOf = (result: Result.Result<Span, unknown>): Span =>
  Result.getOrThrowWith(result, () => new Error("not a span"))

describe("volumes", () => {
  it("are in the currency of the prices, and unknown where a part is", () => {
    const at = (bucket: number, close: number, volume: number | null) => ({
      stamp: bucket,
      point: point(bucket, close, { volume })
    })
    const inEuros = [at(0, 90, 1000), at(HOUR, 90, null), at(2 * HOUR, 90, 1000)]
    const inUsd = [point(0, 100), point(HOUR, 100)]
    assert.deepStrictEqual(volumesOf(inEuros, inUsd), [
      [0, 900],
      [HOUR, null],
      [2 * HOUR, null]
    ])
  })
})

describe("candles of closes alone", () => {
  it("never span a P2P mid and an order book's", () => {
    const hours = (["order_book", "order_book", "p2p", "p2p"] as const).map((kind, n) =>
      point(MIDNIGHT + n * HOUR, n < 2 ? 100 : 130, { open: null, high: null, low: null, kind })
    )
    const span: Span = { from: MIDNIGHT, to: MIDNIGHT + 4 * HOUR, interval: "hour" }
    const figures = (size: number) => candlesIn(span, hours, size, NOW).map(([, ...candle]) => candle)
    assert.deepStrictEqual(figures(1), [
      [100, 100, 100, 100],
      [100, 100, 100, 100],
      [130, 130, 130, 130],
      [130, 130, 130, 130]
    ])
    assert.deepStrictEqual(figures(4), [])
  })
})

describe("a span", () => {
  it("is by hours for up to 90 days and by days above, unless days are asked for", () => {
    assert.strictEqual(spanOf(lastDays("90", undefined, NOW)).interval, "hour")
    assert.strictEqual(spanOf(lastDays("91", undefined, NOW)).interval, "day")
    assert.strictEqual(spanOf(lastDays("7", "daily", NOW)).interval, "day")
    assert.isTrue(Result.isFailure(lastDays("91", "hourly", NOW)))
  })

  it("is of 3,660 days at most, and never of the future", () => {
    for (const days of ["max", "99999"]) {
      assert.strictEqual(spanOf(lastDays(days, undefined, NOW)).from, NOW - 3660 * DAY)
    }
    assert.strictEqual(spanOf(between({ from: "0", to: "99999999999" }, undefined, NOW)).to, NOW)
  })

  it("takes seconds, days and times with or without a zone, which is UTC", () => {
    const edges = ["1795132800", "2026-11-20", "2026-11-20T00:00", "2026-11-20T01:00:00+01:00"]
    for (const from of edges) {
      assert.strictEqual(spanOf(between({ from, to: "2026-11-21" }, undefined, NOW)).from, MIDNIGHT, from)
    }
  })

  it("has the start of a date in either form, of the calendar and not of the future", () => {
    for (const date of ["20-11-2026", "2026-11-20"]) {
      assert.deepStrictEqual(startOfDate(date, NOW), Result.succeed(MIDNIGHT))
    }
    for (const [short, date] of [
      ["1-11-2026", "01-11-2026"],
      ["2026-11-1", "2026-11-01"]
    ] as const) {
      assert.deepStrictEqual(startOfDate(short, NOW), startOfDate(date, NOW))
    }
    for (const date of ["31-02-2026", "2026-13-01", "21-11-2026"]) {
      assert.isTrue(Result.isFailure(startOfDate(date, NOW)), date)
    }
  })

  it("reads every bucket whose end is in it", () => {
    const span = { from: MIDNIGHT - 2 * DAY, to: NOW, interval: "day" } as const
    assert.deepStrictEqual(rangeOf(span), { interval: "day", first: MIDNIGHT - 3 * DAY, last: MIDNIGHT })
  })
})

describe("points", () => {
  const span = { from: NOW - 2 * DAY, to: NOW, interval: "hour" } as const

  it("are stamped with the end of their hour, the running one with its own time, or with now where it is older", () => {
    const running = MIDNIGHT + 12 * HOUR
    const stamps = (observedAt: number) =>
      pointsIn(span, [point(MIDNIGHT, 1), point(running, 2, { observedAt })], [], NOW).map(({ stamp }) => stamp)
    assert.deepStrictEqual(stamps(running + 500), [MIDNIGHT + HOUR, running + 500])
    assert.deepStrictEqual(stamps(MIDNIGHT - DAY), [MIDNIGHT + HOUR, NOW])
    // A rate of the running day as a whole is of its midnight, where the hour before ends.
    assert.deepStrictEqual(stamps(running), [MIDNIGHT + HOUR, NOW])
  })

  it("have the close of a day for days without a recorded hour, and for no other", () => {
    const days = [point(MIDNIGHT - 2 * DAY, 1), point(MIDNIGHT - DAY, 2), point(MIDNIGHT, 3)]
    const hours = [point(MIDNIGHT + HOUR, 4)]
    const found = pointsIn(span, hours, days, NOW).map(({ point, stamp }) => [stamp, point.close])
    assert.deepStrictEqual(found, [
      [MIDNIGHT - DAY, 1],
      [MIDNIGHT, 2],
      [MIDNIGHT + 2 * HOUR, 4]
    ])
  })
})

describe("candles", () => {
  it("are of an hour for up to 2 days, 4 hours for up to 30, 4 days above, or as asked", () => {
    const shape = (days: string, asked?: "daily" | "hourly") => {
      const span = candleSpan(spanOf(lastDays(days, asked, NOW)), asked)
      return [span.interval, candleSize(span, asked)]
    }
    assert.deepStrictEqual(
      [shape("2"), shape("3"), shape("30"), shape("31"), shape("365"), shape("365", "daily"), shape("7", "hourly")],
      [
        ["hour", 1],
        ["hour", 4],
        ["hour", 4],
        ["day", 4],
        ["day", 4],
        ["day", 1],
        ["hour", 1]
      ]
    )
  })

  it.prop(
    "have the first open, the last close, the highest and the lowest of their points, and end where their time ends",
    { prices: Prices },
    ({ prices }) => {
      const points = prices.map(([open, close], n) =>
        point(MIDNIGHT + n * HOUR, close, { open, high: Math.max(open, close), low: Math.min(open, close) })
      )
      const span = { from: MIDNIGHT, to: NOW, interval: "hour" } as const
      const candles = candlesIn(span, points, 4, NOW)
      assert.lengthOf(candles, Math.ceil(prices.length / 4))
      for (const [n, [stamp, open, high, low, close]] of candles.entries()) {
        const own = prices.slice(n * 4, n * 4 + 4)
        assert.strictEqual(stamp, MIDNIGHT + (n + 1) * 4 * HOUR)
        assert.strictEqual(open, own[0]?.[0])
        assert.strictEqual(close, own.at(-1)?.[1])
        assert.strictEqual(high, Math.max(...own.flat()))
        assert.strictEqual(low, Math.min(...own.flat()))
      }
    }
  )

  const closed = { open: null, high: null, low: null }

  it("are made of closes where an hour has no more: the close before it and its own", () => {
    const span = { from: MIDNIGHT - DAY, to: NOW, interval: "hour" } as const
    const points = [3, 5, 2].map((close, n) => point(MIDNIGHT + n * HOUR, close, closed))
    assert.deepStrictEqual(candlesIn(span, points, 1, NOW), [
      [MIDNIGHT + HOUR, 3, 3, 3, 3],
      [MIDNIGHT + 2 * HOUR, 3, 5, 3, 5],
      [MIDNIGHT + 3 * HOUR, 5, 5, 2, 2]
    ])
    assert.deepStrictEqual(candlesIn(span, points, 4, NOW), [[MIDNIGHT + 4 * HOUR, 3, 5, 2, 2]])
    const apart = [point(MIDNIGHT, 3, closed), point(MIDNIGHT + 2 * HOUR, 5, closed)]
    assert.deepStrictEqual(candlesIn(span, apart, 1, NOW).at(-1), [MIDNIGHT + 3 * HOUR, 5, 5, 5, 5])
  })

  it("are left out where one of their days has a close only", () => {
    const span = { from: MIDNIGHT - 9 * DAY, to: NOW, interval: "day" } as const
    const start = MIDNIGHT - 8 * DAY - ((MIDNIGHT - 8 * DAY) % (4 * DAY))
    const points = [0, 1, 2, 3, 4].map((n) => point(start + n * DAY, n + 1, n === 2 ? closed : {}))
    assert.deepStrictEqual(
      candlesIn(span, points, 4, NOW).map(([stamp]) => stamp),
      [start + 8 * DAY]
    )
  })
})

describe("prices in another coin", () => {
  it("are the ratio of the closes of one bucket, as old as the older of both", () => {
    const coin = [point(MIDNIGHT, 2500), point(MIDNIGHT + HOUR, 2600)]
    const bitcoin = [point(MIDNIGHT, 100_000, { observedAt: MIDNIGHT + 1 })]
    const none = { open: null, high: null, low: null }
    assert.deepStrictEqual(inOtherCoin(coin, bitcoin, false), [
      point(MIDNIGHT, 0.025, { ...none, observedAt: MIDNIGHT + 1 })
    ])
    assert.deepStrictEqual(
      inOtherCoin(coin, coin, true).map(({ close }) => close),
      [1, 1]
    )
  })
})
