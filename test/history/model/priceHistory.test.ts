import { assert, describe, it } from "@effect/vitest"
import { dayOf, startOfDay } from "../../../src/history/model/Interval.ts"
import { type ChosenPoint } from "../../../src/history/model/Point.ts"
import { inFiat, inMarket } from "../../../src/history/model/priceHistory.ts"
import { fxHistory } from "../../../src/history/model/fxHistory.ts"
import { marketHistory } from "../../../src/history/model/marketHistory.ts"
import { told } from "../records.ts"

const HOUR = 3_600_000

const point = (day: string, close: number, fields: Partial<ChosenPoint> = {}): ChosenPoint => ({
  ...told("a series", "CoinGecko", startOfDay(day), close, { observedAt: startOfDay(day) + 20 * HOUR, recordedAt: 0 }),
  revisedAt: null,
  ...fields
})

/** A rate of exchanges at the end of a day, from their own history. */
const spot = (day: string, close: number, fields: Partial<ChosenPoint> = {}) =>
  point(day, close, { source: "Kraken", observedAt: startOfDay(day) + 24 * HOUR - 1, confidence: "high", ...fields })

const rate = (day: string, close: number) => point(day, close, { source: "Frankfurter", observedAt: startOfDay(day) })

describe("prices in fiats", () => {
  it("multiply the close by the rate of the day, or the last one of the 7 days before", () => {
    const days = ["2026-01-01", "2026-01-02", "2026-01-05", "2026-01-09", "2026-01-10"]
    const coin = days.map((day) => point(day, 100, { high: 110, low: 90 }))
    const found = inFiat("day", coin, { official: [rate("2026-01-02", 0.5)], spot: [] })
    assert.deepStrictEqual(
      found.map(({ bucket, close, high, low, open }) => [bucket, open, high, low, close]),
      ["2026-01-02", "2026-01-05", "2026-01-09"].map((day) => [startOfDay(day), null, 55, 45, 50])
    )
    assert.strictEqual(found[0]?.source, "CoinGecko + Frankfurter")
    assert.strictEqual(found[2]?.observedAt, startOfDay("2026-01-02"), "the oldest part's time")
  })

  const DAY = "2026-01-02"
  const ratesOf = (...spots: ReadonlyArray<ChosenPoint>) =>
    inFiat("day", [point(DAY, 100, { high: 110 })], { official: [rate("2026-01-01", 0.5)], spot: spots })

  it("take the rate of the exchanges in the same bucket where it is credible beside the official one", () => {
    const closeBy = (close: number, fields: Partial<ChosenPoint> = {}) => ratesOf(spot(DAY, close, fields))[0]?.close
    assert.deepStrictEqual(
      ratesOf(spot(DAY, 0.54)).map(({ close, high, source }) => [close, high, source]),
      [[54, 59.4, "CoinGecko + Kraken"]]
    )
    assert.deepStrictEqual(ratesOf(spot("2026-01-01", 0.54))[0]?.close, 50, "of the day before")
    assert.deepStrictEqual([closeBy(0.549), closeBy(0.551)], [54.9, 50], "beyond 10 % of the official rate")
    assert.deepStrictEqual([closeBy(0.509, { confidence: "low" }), closeBy(0.511, { confidence: "low" })], [50.9, 50])
    assert.strictEqual(closeBy(0.511, { confidence: null }), 50, "from before the confidence was recorded")
    const at = startOfDay(DAY) + 20 * HOUR
    const closeAt = (observedAt: number) => closeBy(0.54, { observedAt })
    assert.deepStrictEqual([closeAt(at - HOUR), closeAt(at - HOUR - 1)], [54, 50], "the exchanges were silent since")
  })

  it("are revised when the rate of the exchanges became known after the day was final, and another price was known", () => {
    const final = startOfDay(DAY) + 25 * HOUR
    const revisedAt = (fields: Partial<ChosenPoint>) => ratesOf(spot(DAY, 0.54, fields))[0]?.revisedAt
    assert.deepStrictEqual(
      [{ recordedAt: final }, { recordedAt: final - 1 }, { recordedAt: final, origin: "record" }].map(revisedAt),
      [final, null, null]
    )
    const [late] = inFiat("day", [point(DAY, 100, { recordedAt: final + 1 })], {
      official: [rate("2026-01-01", 0.5)],
      spot: [spot(DAY, 0.54, { recordedAt: final })]
    })
    assert.strictEqual(late?.revisedAt, null, "there was no price before")
  })
})

describe("prices in naira", () => {
  const usdt = [point("2026-01-01", 0.5), point("2026-01-02", 1)]
  const naira = [
    point("2026-01-01", 1500, { source: "Quidax", kind: "order_book" }),
    point("2026-01-03", 1600, { source: "Bybit P2P", kind: "p2p" })
  ]

  it("are the coin's close over USDT's times the naira's, where all three are known", () => {
    const coin = ["2026-01-01", "2026-01-02", "2026-01-03"].map((day) => point(day, 100, { high: 120 }))
    const found = inMarket("bitcoin", coin, usdt, naira)
    assert.deepStrictEqual(
      found.map(({ bucket, close, high, source }) => [bucket, close, high, source]),
      [[startOfDay("2026-01-01"), 300_000, null, "CoinGecko + Quidax"]]
    )
  })

  it("of USDT itself are the naira's, whatever USDT costs in dollars", () => {
    const found = inMarket("tether", usdt, usdt, naira)
    assert.deepStrictEqual(
      found.map(({ close, source }) => [close, source]),
      [[1500, "Quidax"]]
    )
  })
})

describe("the naira's history", () => {
  const naira = [
    point("2026-01-02", 1500, { source: "Bybit P2P", buy: 1510, sell: 1490, kind: "p2p", confidence: "high" })
  ]
  const official = [
    point("2025-12-30", 1400, { source: "CBN" }),
    point("2026-01-01", 1450, { source: "CBN" }),
    point("2026-01-03", 1460, { source: "CBN" })
  ]

  it("joins the official rate of the day, else the last one before it, and has days of the official rate alone", () => {
    const found = marketHistory("day", naira, official, startOfDay("2026-01-01"))
    assert.deepStrictEqual(
      found.map(({ market, official }) => [market?.close, market?.kind, official?.close, dayOf(official?.bucket ?? 0)]),
      [
        [undefined, undefined, 1450, "2026-01-01"],
        [1500, "p2p", 1450, "2026-01-01"],
        [undefined, undefined, 1460, "2026-01-03"]
      ]
    )
    assert.closeTo(found[1]?.premium ?? 0, (50 / 1450) * 100, 1e-9)
    assert.strictEqual(found[1]?.source, "Bybit P2P + CBN")
  })

  it("has no official rate and no premium where the last one is more than 7 days old, as live", () => {
    const late = ["2026-01-10", "2026-01-11"].map((day) => point(day, 1500, { kind: "p2p" }))
    assert.deepStrictEqual(
      marketHistory("day", late, official, startOfDay("2026-01-10")).map(({ official }) => official?.close),
      [1460, undefined]
    )
  })

  it("has no hours of the official rate alone", () => {
    assert.strictEqual(marketHistory("hour", naira, official, 0).length, 1)
  })
})

describe("the history of fiat rates", () => {
  it("has a row for each day of a publication, and null for what was not published that day", () => {
    const found = fxHistory(
      new Map([
        ["EUR", [rate("2026-01-02", 0.9)]],
        ["NGN", [rate("2026-01-02", 1400), rate("2026-01-03", 1401)]]
      ])
    )
    assert.deepStrictEqual(
      found.map(({ observedAt, rates }) => [observedAt, rates]),
      [
        [startOfDay("2026-01-02"), { EUR: 0.9, NGN: 1400 }],
        [startOfDay("2026-01-03"), { EUR: null, NGN: 1401 }]
      ]
    )
  })
})
