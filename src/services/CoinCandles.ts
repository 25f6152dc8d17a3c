// Candles of coins from the exchanges where they are traded, by days and hours, in USD. A pair is a coin's if its
// prices match an aggregator's.
import { Array as Arr, Cache, type Config, Context, DateTime, Effect, Exit, Layer, Option, type Result } from "effect"
import { inDollars } from "../domain/Candle.ts"
import { chooseCandles, type KnownClose, type NamedCandle } from "../domain/CandleSeries.ts"
import { USDC, USDT } from "../domain/CoinId.ts"
import { closesIn } from "../domain/PriceHistory.ts"
import { bucketOf, type Interval, lengthOf } from "../history/model/Interval.ts"
import type { Urgency } from "../sources/client/Budget.ts"
import type { SourceError } from "../sources/client/SourceError.ts"
import type { Candles } from "../sources/exchange/candles.ts"
import { CoinGecko } from "../sources/market/CoinGecko.ts"
import { layerWith, sourcesWith, type SourcesWith } from "../sources/Sources.ts"
import type { Market } from "./coinMarkets.ts"
import { SpotPrices } from "./SpotPrices.ts"

/** A range of candles: the buckets from `first` to `last`, epoch milliseconds. */
export interface Span {
  readonly interval: Interval
  readonly first: number
  readonly last: number
}

/** The candles that exchanges returned, and one failure if an exchange failed. */
export interface Found {
  readonly candles: ReadonlyArray<NamedCandle>
  readonly failure: SourceError | undefined
}

/** Closes of the coin at an aggregator, for a coin that is not in its list of hourly prices. */
export type KnownCloses = Effect.Effect<ReadonlyArray<KnownClose>, SourceError>

/** Hourly candles of the stablecoins go back this many hours; daily ones to the first day. */
const HOURS = 91 * 24

/** The candles of each exchange that has them, by its name in stamps. */
export const candlesByExchange = Effect.map(
  sourcesWith("tickers"),
  (sources) =>
    new Map(
      sources.flatMap(({ candles, dataSets: { tickers } }) =>
        candles === undefined || tickers === undefined ? [] : [[tickers.source, candles] as const]
      )
    )
)

/** The closes of a coin in USD by bucket. */
type DollarCloses = (id: string, interval: Interval) => Effect.Effect<ReadonlyMap<number, number>, SourceError>

/** Caches the closes of what pairs are quoted in, by `candlesOf`. */
export const dollarCloses = (
  candlesOf: (id: string, interval: Interval) => Effect.Effect<Found, SourceError>
): Effect.Effect<DollarCloses> =>
  Cache.makeWith(
    (key: string) => {
      const [id = "", interval] = key.split(" ")
      return Effect.map(
        candlesOf(id, interval === "day" ? "day" : "hour"),
        ({ candles }): ReadonlyMap<number, number> => new Map(candles.map(({ bucket, close }) => [bucket, close]))
      )
    },
    { capacity: 8, timeToLive: (exit) => (Exit.isSuccess(exit) && exit.value.size > 0 ? "1 hour" : "30 seconds") }
  ).pipe(Effect.map((cache) => (id, interval) => Cache.get(cache, `${id} ${interval}`)))

/** The successes, and one failure. Fails if there are failures alone. A source that is switched off does not count. */
export const foundIn = <A>(
  results: ReadonlyArray<Result.Result<A, SourceError>>
): Effect.Effect<{ readonly found: Array<A>; readonly failure: SourceError | undefined }, SourceError> => {
  const [found, failures] = [Arr.getSuccesses(results), Arr.getFailures(results)]
  const failure = failures.find(({ reason }) => reason._tag !== "Disabled")
  return found.length === 0 && failure !== undefined ? Effect.fail(failure) : Effect.succeed({ found, failure })
}

/** Candles of coins in USD from exchanges. */
export class CoinCandles extends Context.Service<
  CoinCandles,
  {
    /**
     * The candles of a coin, one per bucket, oldest first; empty if no exchange lists it. Fails if all exchanges that
     * list it fail, or if no aggregator has closes to identify its pairs.
     */
    readonly of: (id: string, span: Span, urgency: Urgency, known: KnownCloses) => Effect.Effect<Found, SourceError>
  }
>()("crypto-data-api/services/CoinCandles") {
  static readonly layerNoDeps: Layer.Layer<CoinCandles, never, CoinGecko | SpotPrices | SourcesWith<"tickers">> =
    Layer.effect(
      CoinCandles,
      Effect.gen(function* () {
        const gecko = yield* CoinGecko
        const spot = yield* SpotPrices
        const exchanges = yield* candlesByExchange

        /** A week of closes from the list of hourly prices, one call for 250 coins; else `known`. */
        const closesOf = Effect.fnUntraced(function* (id: string, interval: Interval, known: KnownCloses) {
          const weeks = yield* Effect.option(gecko.hourlyPrices.get)
          const own = Option.flatMapNullishOr(weeks, ({ value }) => value.find((one) => one.id === id))
          return Option.isNone(own) ? yield* known : closesIn(own.value, lengthOf(interval))
        })

        /** The candles of a market in USD. Buckets in which its quote currency has no close are left out. */
        const ofMarket = Effect.fnUntraced(function* (
          { exchange, market, quote, unit }: Market,
          candlesOf: Candles,
          span: Span,
          urgency: Urgency
        ) {
          const { value } = yield* candlesOf({ market, ...span, urgency })
          const rates = quote === "USD" ? undefined : yield* dollars(quote === "USDT" ? USDT : USDC, span.interval)
          const candles = value.flatMap((candle) => {
            const rate = rates === undefined ? 1 : rates.get(candle.bucket)
            return rate === undefined ? [] : inDollars(candle, rate, unit)
          })
          return { source: exchange, isInDollars: quote === "USD", candles }
        })

        const chosen = Effect.fnUntraced(function* (
          markets: ReadonlyArray<Market>,
          span: Span,
          urgency: Urgency,
          known: ReadonlyArray<KnownClose>
        ) {
          const asked = markets.flatMap((market) => {
            const candlesOf = exchanges.get(market.exchange)
            return candlesOf === undefined ? [] : [Effect.result(ofMarket(market, candlesOf, span, urgency))]
          })
          const { failure, found } = yield* foundIn(yield* Effect.all(asked, { concurrency: "unbounded" }))
          return { candles: chooseCandles(found, known), failure }
        })

        /** The closes of USDT and USDC in USD by bucket, from dollar markets only. */
        const dollars: DollarCloses = yield* dollarCloses(
          Effect.fnUntraced(function* (id: string, interval: Interval): Effect.fn.Return<Found, SourceError> {
            const now = (yield* DateTime.now).epochMilliseconds
            const last = bucketOf(interval, now) - lengthOf(interval)
            const known = Effect.map(gecko.closes(id, interval, "on_demand"), ({ value }) => value)
            const span = { interval, first: interval === "day" ? 0 : last - HOURS * lengthOf(interval), last }
            const markets = ((yield* spot.markets).get(id) ?? []).filter(({ quote }) => quote === "USD")
            return yield* chosen(markets, span, "on_demand", yield* closesOf(id, interval, known))
          })
        )

        return CoinCandles.of({
          of: Effect.fn("CoinCandles.of")(function* (id, span, urgency, known) {
            const markets = (yield* spot.markets).get(id) ?? []
            if (markets.length === 0) return { candles: [], failure: undefined }
            return yield* chosen(markets, span, urgency, yield* closesOf(id, span.interval, known))
          })
        })
      })
    )

  static readonly layer: Layer.Layer<CoinCandles, Config.ConfigError> = this.layerNoDeps.pipe(
    Layer.provide([CoinGecko.layer, SpotPrices.layer, layerWith("tickers")])
  )

  static readonly layerTest = (service: CoinCandles["Service"]) => Layer.succeed(CoinCandles, service)
}
