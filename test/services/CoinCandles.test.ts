// The past of coins by the candles of simulated exchanges: how far it goes, and that no fault of an exchange makes a wrong point.
import { assert, describe } from "@effect/vitest"
import { Context, DateTime, Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import { listed, listedInFiats } from "../../src/sandbox/ExchangeBooks.ts"
import { rateAt } from "../../src/sandbox/Fiats.ts"
import {
  type CandleExchange,
  type ExchangeCandle,
  exchangeCandles,
  former,
  listedSince
} from "../../src/sandbox/ExchangeCandles.ts"
import * as World from "../../src/sandbox/World.ts"
import { CoinCandles } from "../../src/services/CoinCandles.ts"
import type { FiatPair, Market } from "../../src/services/coinMarkets.ts"
import { FiatCandles } from "../../src/services/FiatCandles.ts"
import { SpotPrices } from "../../src/services/SpotPrices.ts"
import type { Candles } from "../../src/sources/exchange/candles.ts"
import type { SourceError } from "../../src/sources/client/SourceError.ts"
import { CoinGecko } from "../../src/sources/market/CoinGecko.ts"
import { lengthOf } from "../../src/history/model/Interval.ts"
import type { Point } from "../../src/history/model/Point.ts"
import { layerRecord } from "../history/layerRecord.ts"
import { told } from "../history/records.ts"
import { isWhole, shareOf } from "../isWhole.ts"
import { gecko, scripted, unreachable } from "./scripted.ts"
import { rule } from "../rulesOf.ts"
import { layerExchanges } from "./scriptedExchanges.ts"

const DAY = 86_400_000
const HOUR = 3_600_000
const NOON = Date.UTC(2026, 10, 20, 12)
const TODAY = NOON - 12 * HOUR
const world = World.make(1)

const names: Readonly<Record<string, CandleExchange>> = {
  Bitstamp: "bitstamp",
  Bitfinex: "bitfinex",
  Binance: "binance",
  KuCoin: "kucoin"
}

/** What an exchange makes of a candle; nothing where it has none. */
type Change = (candle: ExchangeCandle, exchange: string, id: string) => ExchangeCandle | undefined

/** One pair of each exchange that lists the coin, in dollars before USDT before USDC. */
const marketsOf = (id: string): ReadonlyArray<Market> =>
  Object.entries(names).flatMap(([exchange, name]) => {
    const pairs = listed(name).filter((pair) => pair.id === id)
    const pair = ["USD", "USDT", "USDC"].flatMap((quote) => pairs.find((one) => one.quote === quote) ?? [])[0]
    return pair === undefined ? [] : [{ exchange, market: `${id} ${pair.quote}`, quote: pair.quote, unit: 1 }]
  })

/** The pairs of a fiat at all exchanges, in the form of `marketsOf`. */
const fiatPairsOf = (code: string): ReadonlyArray<FiatPair> =>
  Object.entries(names).flatMap(([exchange, name]) =>
    listedInFiats(name).flatMap(({ base, id, quote }, n, all) =>
      quote === code && all.findIndex((one) => one.quote === code) === n
        ? [{ exchange, market: `${id} ${quote}`, other: base, isQuote: true }]
        : []
    )
  )

const make = Effect.fnUntraced(function* () {
  yield* TestClock.setTime(NOON)
  let change: Change = (candle) => candle
  let officials: ReadonlyMap<string, ReadonlyArray<Point>> = new Map()
  let failing: (exchange: string, calls: number) => SourceError | undefined = () => undefined
  const calls: Array<string> = []
  const { feed } = yield* scripted<never>("an exchange")
  const hourly =
    yield* scripted<ReadonlyArray<{ id: string; end: DateTime.Utc; prices: ReadonlyArray<number> }>>("CoinGecko")

  const candlesOf =
    (exchange: string): Candles =>
    ({ first, interval, last, market }) =>
      Effect.gen(function* () {
        calls.push(exchange)
        const failure = failing(exchange, calls.filter((one) => one === exchange).length)
        if (failure !== undefined) return yield* failure
        const [id = "", quote = "USD"] = market.split(" ")
        const [name, length] = [names[exchange] ?? "binance", lengthOf(interval)]
        const pair = { id, base: "", quote }
        const most = Math.max(0, Math.floor((last - Math.max(first, Date.UTC(2013, 0, 1))) / length) + 1)
        const all = exchangeCandles(world, name, pair, { at: NOON, last, length, most })
        const value = all.flatMap((one) => {
          const { close, high, isFinished, low, open, start, turnover } = change(one, exchange, id) ?? {
            ...one,
            isFinished: false
          }
          return isFinished && start >= first ? [{ bucket: start, open, high, low, close, volume: turnover }] : []
        })
        const now = yield* DateTime.now
        return { value, source: exchange, observedAt: now, retrievedAt: now }
      })
  const { service } = yield* gecko({ hourlyPrices: hourly.feed })
  const context = yield* Layer.build(
    FiatCandles.layerNoDeps.pipe(
      Layer.provideMerge(CoinCandles.layerNoDeps),
      Layer.provide([
        layerRecord({ points: () => Effect.succeed(officials) }),
        layerExchanges((name) => ({ ...feed, source: name }), candlesOf),
        CoinGecko.layerTest(service),
        SpotPrices.layerTest({
          fiatPairs: Effect.succeed(new Map(["EUR", "TRY", "GBP"].map((code) => [code, fiatPairsOf(code)]))),
          markets: Effect.succeed(new Map(["tether", "usd-coin", ...coins].map((id) => [id, marketsOf(id)])))
        })
      ]),
      Layer.fresh
    )
  )
  const prices = (id: string) =>
    Array.from({ length: 168 }, (_, n) => world.market.price(id, NOON - (167 - n) * HOUR) ?? 0)
  hourly.says(
    ["tether", "usd-coin", ...coins].map((id) => ({ id, end: DateTime.makeUnsafe(NOON), prices: prices(id) }))
  )
  const { of } = Context.get(context, CoinCandles)
  const fiats = Context.get(context, FiatCandles)
  return {
    calls,
    changes: (next: Change) => void (change = next),
    fiats,
    officially: (code: string, rate: number) => {
      const rows = [3, 1].map((days) => told(`fx/${code}`, "Frankfurter", TODAY - days * DAY, rate))
      officials = new Map([[`fx/${code}`, rows]])
    },
    fails: (next: typeof failing) => void (failing = next),
    days: (id: string, first = 0) =>
      of(id, { interval: "day", first, last: TODAY - DAY }, "backfill", Effect.fail(unreachable("CoinGecko"))),
    hours: (id: string) =>
      of(id, { interval: "hour", first: NOON - 2160 * HOUR, last: NOON - HOUR }, "backfill", Effect.succeed([]))
  }
})

/** Coins of which some are on all exchanges, and some on one or two. */
const coins = (() => {
  const all = [...new Set(Object.values(names).flatMap((name) => listed(name).map(({ id }) => id)))]
  const few = all.filter((id) => marketsOf(id).length <= 1)
  const many = all.filter((id) => id !== "tether" && id !== "usd-coin" && marketsOf(id).length > 2)
  return ["bitcoin", former.id, ...many.slice(1, 13), ...few.slice(0, 7)]
})()

const firstDay = (id: string): number =>
  Math.min(
    ...marketsOf(id).map(({ exchange }) => {
      const since = listedSince(world, names[exchange] ?? "binance", id)
      return exchange === "KuCoin" && id === former.id ? Math.max(since, former.until) : since
    })
  )

/** Every candle is what the world was on its day: the close within 0.2 %, highs and lows to nine digits, and no day of today. */
const assertTrue = (
  id: string,
  candles: ReadonlyArray<{ bucket: number; high: number; low: number; close: number }>
) => {
  for (const { bucket, close, high, low } of candles) {
    const truth = world.market.candle(id, bucket, DAY)
    assert.isAtMost(Math.abs(close / (truth?.close ?? 0) - 1), 0.002, `${id} ${new Date(bucket).toISOString()}`)
    assert.approximately(high, truth?.high ?? 0, high * 1e-9)
    assert.approximately(low, truth?.low ?? 0, low * 1e-9)
    assert.isAtMost(bucket, TODAY - DAY)
  }
}

describe("the past by exchanges", () => {
  rule("is every day of bitcoin since 2013, and of 20 others since the first exchange listed them", function* () {
    const { days } = yield* make()
    assert.isAtLeast(coins.length, 21)
    for (const id of ["bitcoin", ...shareOf(coins.slice(1), 1)]) {
      const { candles, failure } = yield* days(id, id === "bitcoin" ? 0 : firstDay(id) - 30 * DAY)
      assert.isUndefined(failure)
      assert.strictEqual(candles[0]?.bucket, id === "bitcoin" ? Date.UTC(2013, 0, 1) : firstDay(id), id)
      // Bitstamp leaves out days without a trade, and a coin of one exchange has no other for them.
      assert.isAtLeast(candles.length, ((TODAY - (candles[0]?.bucket ?? 0)) / DAY) * 0.98, id)
      if (id === "bitcoin") assert.lengthOf(candles, (TODAY - Date.UTC(2013, 0, 1)) / DAY)
      assertTrue(id, candles)
      assert.isTrue(candles.every(({ source, volume }) => source in names && (volume ?? 0) > 0))
    }
  })

  rule("has the hours of the last 90 days, up to the last that has ended", function* () {
    const { hours } = yield* make()
    const { candles } = yield* hours("bitcoin")
    assert.strictEqual(candles.length, 2160)
    assert.strictEqual(candles.at(-1)?.bucket, NOON - HOUR)
  })

  rule("turns USDT into dollars by its close of the day in dollar markets, never by 1", function* () {
    const { changes, days } = yield* make()
    const id = coins.find((one) => one !== former.id && marketsOf(one).every(({ quote }) => quote !== "USD")) ?? ""
    assert.notStrictEqual(id, "")
    const isDear = (start: number) => start % (2 * DAY) === 0
    const scaled = (one: ExchangeCandle, by: number): ExchangeCandle => {
      return { ...one, open: one.open * by, high: one.high * by, low: one.low * by, close: one.close * by }
    }
    changes((one, exchange, of) => (of === "tether" && isDear(one.start) ? scaled(one, 0.98) : one))
    const { candles } = yield* days(id, TODAY - 30 * DAY)
    assert.lengthOf(candles, 30)
    for (const { bucket, close } of candles) {
      const truth = world.market.candle(id, bucket, DAY)?.close ?? 0
      assert.approximately(close, truth * (isDear(bucket) ? 0.98 : 1), truth * 1e-6)
    }
    changes((one, _, of) => (of === "tether" && one.start < TODAY - 10 * DAY ? undefined : one))
    yield* TestClock.adjust("61 minutes")
    const later = yield* days(id, TODAY - 30 * DAY)
    assert.strictEqual(later.candles[0]?.bucket, TODAY - 10 * DAY, "a day without a close of USDT has no candle")
  })
})

describe("no wrong point of the past", () => {
  const some = coins.slice(0, isWhole ? 6 : 2)
  const untouched = Effect.fnUntraced(function* (fault: (made: Effect.Success<ReturnType<typeof make>>) => void) {
    const made = yield* make()
    fault(made)
    const failures: Array<SourceError> = []
    for (const id of some) {
      const { candles, failure } = yield* made.days(id, TODAY - 300 * DAY)
      if (failure !== undefined) failures.push(failure)
      assert.isAbove(candles.length, 100, id)
      assertTrue(id, candles)
    }
    return failures
  })

  rule("while one exchange fails, from the start or in the middle; its failure is told", function* () {
    for (const exchange of shareOf(Object.keys(names), 1)) {
      const failures = yield* untouched(({ fails }) =>
        fails((one) => (one === exchange ? unreachable(one) : undefined))
      )
      assert.isAbove(failures.length, 0, exchange)
    }
    yield* untouched(({ fails }) => fails((one, calls) => (calls > 2 ? unreachable(one) : undefined))).pipe(
      Effect.ignore
    )
  })

  rule("where an exchange has missing days, a pair of another coin, or one that was another coin's once", function* () {
    const scaled =
      (by: number, until = Infinity): Change =>
      (one, exchange, id) =>
        exchange === "Bitstamp" && id !== "tether" && one.start < until
          ? { ...one, open: one.open * by, high: one.high * Math.max(1, by), low: one.low * by, close: one.close * by }
          : one
    const missing: Change = (one) => ((one.start / DAY) % 7 === 3 ? undefined : one)
    for (const change of [missing, scaled(0.5), scaled(9, TODAY - 150 * DAY)]) {
      yield* untouched(({ changes }) => changes(change))
    }
  })

  rule("where all exchanges fail, or no aggregator knows the coin: there is none", function* () {
    const { days, fails } = yield* make()
    assert.deepStrictEqual((yield* days("usdx-not-in-the-list")).candles, [])
    fails(unreachable)
    assert.strictEqual((yield* Effect.flip(days("bitcoin")))._tag, "SourceError")
  })
})

describe("fiats by exchanges", () => {
  const truth = (code: string, bucket: number, length: number) => rateAt(world.seed, code, bucket + length) ?? 0
  const scaled = (one: ExchangeCandle, by: number) => ({
    ...one,
    close: one.close * by,
    high: one.high * Math.max(1, by)
  })

  rule("have the hours of 90 days, whatever one of four exchanges says of the euro alone", function* () {
    const { changes, fiats } = yield* make()
    assert.deepStrictEqual((yield* fiats.codes).toSorted(), ["EUR", "GBP", "TRY"])
    changes((one, exchange, id) => (exchange === "Binance" && id === "bitcoin" ? scaled(one, 1.04) : one))
    const { closes, failure } = yield* fiats.of("EUR", "hour", "backfill")
    assert.isUndefined(failure)
    assert.isAtLeast(closes.length, 2100)
    assert.strictEqual(closes.at(-1)?.bucket, NOON - HOUR)
    for (const { bucket, rate } of closes) assert.closeTo(rate / truth("EUR", bucket, HOUR), 1, 0.002)
    assert.strictEqual(closes[0]?.source, "Binance + Bitfinex + Bitstamp + KuCoin")
  })

  rule("of one exchange count on days on which the official rate is near", function* () {
    const { fiats, officially } = yield* make()
    assert.deepStrictEqual((yield* fiats.of("TRY", "day", "backfill")).closes, [])
    officially("TRY", truth("TRY", TODAY - DAY, DAY) * 1.01)
    const { closes } = yield* fiats.of("TRY", "day", "backfill")
    assert.isAtMost(closes.length, 3)
    assert.isAtLeast(closes.length, 1)
    assert.strictEqual(closes.at(-1)?.bucket, TODAY - DAY)
    officially("TRY", truth("TRY", TODAY - DAY, DAY) * 1.11)
    assert.deepStrictEqual((yield* fiats.of("TRY", "day", "backfill")).closes, [])
  })

  rule("have what the others say while one exchange fails, with its failure", function* () {
    const { fails, fiats } = yield* make()
    fails((exchange) => (exchange === "Bitfinex" ? unreachable(exchange) : undefined))
    const { closes, failure } = yield* fiats.of("EUR", "day", "backfill")
    assert.strictEqual(failure?.source, "Bitfinex")
    assert.strictEqual(closes.at(-1)?.source, "Binance + Bitstamp + KuCoin")
    fails(unreachable)
    assert.strictEqual((yield* Effect.flip(fiats.of("EUR", "day", "backfill")))._tag, "SourceError")
  })
})
