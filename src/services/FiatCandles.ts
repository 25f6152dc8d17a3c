// What fiats cost on the exchanges in the past, by the candles of their pairs: the same consensus as now, over the closes of each day or
// hour. What is on the other side of a pair costs what its own candles say.
import { Array as Arr, type Config, Context, DateTime, Effect, Layer } from "effect"
import type { Candle } from "../domain/Candle.ts"
import type { Voice } from "../domain/Consensus.ts"
import { derived } from "../domain/Decimal.ts"
import { fiatMeasures } from "../domain/SpotMarket.ts"
import { type FiatRate, fiatMarketOf, isCredible } from "../domain/FiatMarket.ts"
import { LEAST_TURNOVER } from "../domain/Pair.ts"
import { joinSources, sortSources } from "../domain/Snapshot.ts"
import { type Interval, bucketOf, lengthOf } from "../history/model/Interval.ts"
import * as SeriesName from "../history/store/SeriesName.ts"
import type { Urgency } from "../sources/client/Budget.ts"
import type { SourceError } from "../sources/client/SourceError.ts"
import { CoinGecko } from "../sources/market/CoinGecko.ts"
import { layerWith, type SourcesWith } from "../sources/Sources.ts"
import { candlesByExchange, CoinCandles, dollarCloses, foundIn, type Span } from "./CoinCandles.ts"
import type { FiatPair } from "./coinMarkets.ts"
import * as HistoryAccess from "./history/HistoryAccess.ts"
import { SpotPrices } from "./SpotPrices.ts"

/** The rate of a fiat at the end of a day or hour. */
export interface FiatClose extends FiatRate {
  readonly bucket: number
  /** The exchanges. */
  readonly source: string
}

/** The closes, oldest first, and one failure if an exchange failed. */
export interface FoundCloses {
  readonly closes: ReadonlyArray<FiatClose>
  readonly failure: SourceError | undefined
}

/** How far back fiats go, in ms: days as far as official rates, by which they are checked, and hours as long as they are kept. */
const REACH: Readonly<Record<Interval, number>> = { day: 2 * 365 * lengthOf("day"), hour: SeriesName.HOURS_KEPT }

/** An official rate is young for so long. */
const OFFICIAL_FOR = 7 * lengthOf("day")

/** Buckets per step. */
const AT_ONCE = 200

const counterparts: ReadonlyMap<string, string> = new Map(fiatMeasures)

/** Past rates of fiats on exchanges. */
export class FiatCandles extends Context.Service<
  FiatCandles,
  {
    /** The fiats that exchanges with candles trade now. */
    readonly codes: Effect.Effect<ReadonlyArray<string>>
    /** The credible closes of a fiat. Fails if all its exchanges do. */
    readonly of: (code: string, interval: Interval, urgency: Urgency) => Effect.Effect<FoundCloses, SourceError>
  }
>()("crypto-data-api/services/FiatCandles") {
  static readonly layerNoDeps: Layer.Layer<
    FiatCandles,
    never,
    CoinCandles | CoinGecko | SpotPrices | SourcesWith<"tickers">
  > = Layer.effect(
    FiatCandles,
    Effect.gen(function* () {
      const coins = yield* CoinCandles
      const gecko = yield* CoinGecko
      const spot = yield* SpotPrices
      const access = yield* HistoryAccess.make
      const exchanges = yield* candlesByExchange

      const spanOf = (interval: Interval) =>
        Effect.map(DateTime.now, ({ epochMilliseconds: now }): Span => {
          const last = bucketOf(interval, now) - lengthOf(interval)
          return { interval, first: bucketOf(interval, last - REACH[interval]), last }
        })

      /** The closes in USD of what is on the other side of pairs. */
      const dollars = yield* dollarCloses((id, interval) => {
        const known = Effect.map(gecko.closes(id, interval, "backfill"), ({ value }) => value)
        return Effect.flatMap(spanOf(interval), (span) => coins.of(id, span, "backfill", known))
      })

      const voicesOf = Effect.fnUntraced(function* (pair: FiatPair, span: Span, urgency: Urgency) {
        const { exchange, isQuote, market, other } = pair
        const candlesOf = exchanges.get(exchange)
        if (candlesOf === undefined) return []
        const id = counterparts.get(other)
        const inUsd = id === undefined ? undefined : yield* dollars(id, span.interval)
        const { value } = yield* candlesOf({ market, ...span, urgency })
        return value.flatMap(({ bucket, close, volume }: Candle): ReadonlyArray<Voice> => {
          const dollar = inUsd === undefined ? 1 : inUsd.get(bucket)
          if (dollar === undefined || volume === null) return []
          const price = isQuote ? dollar / close : dollar * close
          const weight = volume * (isQuote ? price : dollar)
          const least = (LEAST_TURNOVER * lengthOf(span.interval)) / lengthOf("day")
          return weight >= least ? [{ exchange, market, price, weight, observedAt: bucket }] : []
        })
      })

      /** The recorded official rate that is young at a time. */
      const officialOf = Effect.fnUntraced(function* (code: string, { first, last }: Span) {
        const [series, day] = [SeriesName.fiat(code), "day" as const]
        const range = { interval: day, first: bucketOf(day, first) - OFFICIAL_FOR, last: bucketOf(day, last) }
        const found = (yield* Effect.orElseSucceed(access.points(range, [series]), () => () => []))(series)
        return (at: number) => {
          const newest = found.findLast(({ bucket }) => bucket <= at)
          return newest !== undefined && at - newest.bucket <= OFFICIAL_FOR ? newest.close : undefined
        }
      })

      return FiatCandles.of({
        codes: Effect.map(spot.fiatPairs, (all) =>
          Array.from(all).flatMap(([code, pairs]) =>
            pairs.some(({ exchange }) => exchanges.has(exchange)) ? [code] : []
          )
        ),
        of: Effect.fn("FiatCandles.of")(function* (code, interval, urgency) {
          const span = yield* spanOf(interval)
          const pairs = (yield* spot.fiatPairs).get(code) ?? []
          const asked = pairs.map((pair) => Effect.result(voicesOf(pair, span, urgency)))
          const { failure, found } = yield* foundIn(yield* Effect.all(asked, { concurrency: "unbounded" }))
          const official = yield* officialOf(code, span)
          const buckets = Map.groupBy(found.flat(), ({ observedAt }) => observedAt)
          const closes: Array<FiatClose> = []
          for (const some of Arr.chunksOf(
            [...buckets].toSorted(([a], [b]) => a - b),
            AT_ONCE
          )) {
            for (const [bucket, voices] of some) {
              const found = fiatMarketOf(voices)
              if (found === undefined || !isCredible(found, official(bucket))) continue
              const { confidence, exchanges, rate } = found
              const source = sortSources(joinSources(exchanges.map(({ exchange }) => exchange)))
              closes.push({ bucket, rate: derived(rate), confidence, source })
            }
            yield* Effect.yieldNow
          }
          return { closes, failure }
        })
      })
    })
  )

  static readonly layer: Layer.Layer<FiatCandles, Config.ConfigError> = this.layerNoDeps.pipe(
    Layer.provide([CoinCandles.layer, CoinGecko.layer, SpotPrices.layer, layerWith("tickers")])
  )

  static readonly layerTest = (service: FiatCandles["Service"]) => Layer.succeed(FiatCandles, service)
}
