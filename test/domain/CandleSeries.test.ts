// The past of a coin from several exchanges, as rules over made-up candles.
import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import type { Candle } from "../../src/domain/Candle.ts"
import { inDollars } from "../../src/domain/Candle.ts"
import {
  chooseCandles,
  isOfCoin,
  type MarketCandles,
  type NamedCandle,
  volumeRatio
} from "../../src/domain/CandleSeries.ts"

const DAY = 86_400_000

/** A day that opens where the one before closed. */
const day = (n: number, close: number, open = close): Candle => ({
  bucket: n * DAY,
  open,
  high: Math.max(open, close) * 1.02,
  low: Math.min(open, close) * 0.98,
  close,
  volume: 1000
})

/** Days from one to another, both included, at a price by day. */
const days = (first: number, last: number, priceOf: (n: number) => number = () => 100): ReadonlyArray<Candle> =>
  Array.from({ length: last - first + 1 }, (_, n) => day(first + n, priceOf(first + n), priceOf(first + n - 1)))

const market = (source: string, candles: ReadonlyArray<Candle>, isInDollars = false): MarketCandles => {
  return { source, candles, isInDollars }
}

const known = (...closes: ReadonlyArray<readonly [day: number, close: number]>) =>
  closes.map(([n, close]) => ({ bucket: n * DAY, close }))

const sourcesOf = (candles: ReadonlyArray<NamedCandle>) =>
  candles.map(({ bucket, source }) => `${bucket / DAY} ${source}`)

const between = (minimum: number, maximum: number) => Schema.Finite.check(Schema.isBetween({ minimum, maximum }))
const whole = (minimum: number, maximum: number) => Schema.Int.check(Schema.isBetween({ minimum, maximum }))

describe("candles are a coin's", () => {
  it("where the newest close that both know is within 3 %, and not by another one", () => {
    const candles = market("A", days(1, 10))
    assert.isTrue(isOfCoin(candles, known([5, 300], [10, 102.9])))
    assert.isFalse(isOfCoin(candles, known([5, 100], [10, 103.1])))
    assert.isTrue(isOfCoin(candles, known([9, 100], [11, 300])), "the tenth and the eleventh are not known to both")
    assert.isFalse(isOfCoin(candles, known([11, 100])))
    assert.isFalse(isOfCoin(candles, []))
  })

  it("since the last break alone: what is before a jump of more than 60 % may be of a former coin", () => {
    for (const factor of [1 / 3, 0.5, 2, 40]) {
      const former = days(1, 9, () => 100 * factor)
      const chosen = chooseCandles([market("A", [...former, ...days(10, 20)])], known([20, 100]))
      assert.deepStrictEqual(sourcesOf(chosen)[0], "10 A", `${factor}`)
      assert.lengthOf(chosen, 11)
    }
  })

  it("before a halt too, where the price afterwards is near", () => {
    const chosen = chooseCandles([market("A", [...days(1, 9), ...days(60, 70, () => 120)])], known([70, 120]))
    assert.lengthOf(chosen, 20)
  })

  it("before a crash that other closes went through, and not before one that they had not", () => {
    const crashed = (n: number) => (n < 10 ? 100 : 20)
    const halted = days(1, 20, crashed).map((candle) => ({ ...candle, open: candle.close, high: candle.close }))
    const traded = days(5, 20, (n) => crashed(n) * 1.01)
    const price = known([20, 20])
    assert.lengthOf(chooseCandles([market("A", halted), market("B", traded)], price), 20)
    assert.lengthOf(chooseCandles([market("A", halted)], known([9, 100], [10, 20], [20, 20])), 20, "an aggregator's")
    const calm = market(
      "B",
      days(5, 20, () => 20)
    )
    const chosen = chooseCandles([market("A", halted), calm], price)
    assert.deepStrictEqual(sourcesOf(chosen).slice(0, 2), ["5 B", "6 B"])
    assert.isTrue(
      chosen.every(({ close }) => close === 20),
      "no day of what A was before"
    )
  })

  it("since a relisting that all exchanges show: they do not confirm each other", () => {
    const relisted = [...days(1, 9, () => 80), ...days(25, 40, () => 6).with(0, day(25, 6))]
    const chosen = chooseCandles([market("A", relisted), market("B", relisted), market("C", relisted)], known([40, 6]))
    assert.strictEqual(sourcesOf(chosen)[0], "25 A")
    assert.isTrue(chosen.every(({ close }) => close === 6))
  })

  const Former = Schema.Struct({
    now: between(1e-6, 1e6),
    factor: between(1.7, 1e4),
    isDearer: Schema.Boolean,
    end: whole(2, 30)
  })

  it.prop("with any former coin at another level: no point of it is ever chosen", { former: Former }, ({ former }) => {
    const { end, factor, isDearer, now } = former
    const before = days(1, end, () => (isDearer ? now * factor : now / factor))
    const own = days(end + 1, end + 20, () => now).with(0, day(end + 1, now))
    const chosen = chooseCandles([market("A", [...before, ...own]), market("B", own)], known([end + 20, now]))
    assert.isTrue(chosen.every(({ close }) => close === now))
    assert.lengthOf(chosen, 20)
  })
})

describe("the exchange of a bucket", () => {
  it("is in dollars before another one, then the one with the most candles; each day is of one exchange as a whole", () => {
    const markets = [
      market(
        "Binance",
        days(1, 30, () => 101)
      ),
      market("Kraken", days(21, 30), true),
      market("Bitstamp", [...days(11, 24), ...days(26, 30)], true)
    ]
    const chosen = chooseCandles(markets, known([30, 100]))
    const expected = [
      ...Array.from({ length: 10 }, (_, n) => `${n + 1} Binance`),
      ...Array.from({ length: 14 }, (_, n) => `${n + 11} Bitstamp`),
      "25 Kraken",
      ...Array.from({ length: 5 }, (_, n) => `${n + 26} Bitstamp`)
    ]
    assert.deepStrictEqual(sourcesOf(chosen), expected)
    for (const { source, ...candle } of chosen) {
      const own = markets.find((one) => one.source === source)?.candles ?? []
      assert.deepStrictEqual(
        own.find(({ bucket }) => bucket === candle.bucket),
        candle
      )
    }
  })

  it("is not one that differs by more than 10 % from two others that agree; an aggregator's close is one of them", () => {
    const dear = market(
      "A",
      days(1, 30, (n) => (n < 30 ? 150 : 100)),
      true
    )
    const [b, c] = [market("B", days(5, 30)), market("C", days(10, 30))]
    const expected = Array.from({ length: 30 }, (_, n) => `${n + 1} ${n + 1 < 5 || n + 1 === 30 ? "A" : "B"}`)
    const chosen = sourcesOf(chooseCandles([dear, b, c], known([30, 100])))
    assert.deepStrictEqual(chosen, expected.with(4, "5 A").with(5, "6 A").with(6, "7 A").with(7, "8 A").with(8, "9 A"))
    const aggregated = known(...Array.from({ length: 30 }, (_, n) => [n + 1, 100] as const))
    assert.deepStrictEqual(sourcesOf(chooseCandles([dear, b], aggregated)), expected)
  })

  const Markets = Schema.Array(
    Schema.Struct({ isInDollars: Schema.Boolean, first: whole(1, 20), close: between(90, 110), place: whole(0, 1000) })
  ).check(Schema.isMaxLength(5))

  it.prop(
    "is the same in whatever order the markets come, one a bucket, oldest first",
    { made: Markets },
    ({ made }) => {
      const markets = made.map(({ close, first, isInDollars, place }, n) => {
        return {
          place,
          one: market(
            `market ${n}`,
            days(first, 30, () => close),
            isInDollars
          )
        }
      })
      const inOrder = chooseCandles(
        markets.map(({ one }) => one),
        known([30, 100])
      )
      const shuffled = markets.toSorted((a, b) => a.place - b.place).map(({ one }) => one)
      assert.deepStrictEqual(chooseCandles(shuffled, known([30, 100])), inOrder)
      const buckets = inOrder.map(({ bucket }) => bucket)
      assert.deepStrictEqual(
        buckets,
        [...new Set(buckets)].toSorted((a, b) => a - b)
      )
      assert.isTrue(inOrder.every(({ close }) => Math.abs(close / 100 - 1) <= 0.03 + 1e-9))
    }
  )
})

describe("a candle in dollars", () => {
  it("has every price times the rate, by the coins of a unit; its turnover is of the market, not of a coin", () => {
    const candle = { bucket: 0, open: 1, high: 4, low: 0.5, close: 2, volume: 1000 }
    assert.deepStrictEqual(inDollars(candle, 0.99, 1000), {
      bucket: 0,
      open: 0.000_99,
      high: 0.003_96,
      low: 0.000_495,
      close: 0.001_98,
      volume: 990
    })
    const digits = { ...candle, open: 1.234_567_890_123_456 }
    assert.strictEqual(inDollars(digits, 1, 1).open, digits.open)
  })
})

describe("the ratio of volumes", () => {
  const HOUR = 3_600_000
  const hours = (source: string, volumeOf: (ago: number) => number | null): ReadonlyArray<NamedCandle> =>
    Array.from({ length: 200 }, (_, n) => ({ ...day(0, 1), source, bucket: n * HOUR, volume: volumeOf(199 - n) }))

  it("is that of a day over a seventh of the week, of one exchange", () => {
    assert.strictEqual(
      volumeRatio(
        hours("A", () => 5),
        199 * HOUR
      ),
      1
    )
    assert.closeTo(
      volumeRatio(
        hours("A", (ago) => (ago < 24 ? 300 : 100)),
        199 * HOUR
      ) ?? 0,
      2.333,
      0.001
    )
    const mixed = [...hours("A", () => 5), ...hours("B", () => 5000).slice(-20)]
    assert.strictEqual(volumeRatio(mixed, 199 * HOUR), 1)
  })

  it("is not known where no exchange has the week, or nothing was traded", () => {
    assert.isNull(volumeRatio(hours("A", () => 5).slice(60), 199 * HOUR))
    assert.isNull(
      volumeRatio(
        hours("A", () => null),
        199 * HOUR
      )
    )
    assert.isNull(
      volumeRatio(
        hours("A", () => 0),
        199 * HOUR
      )
    )
    assert.isNull(volumeRatio([], 199 * HOUR))
  })
})
