// Histories of prices, P2P markets and fiat rates from the database, with the arithmetic of live answers.
import { type Config, Context, DateTime, Effect, Layer, Option } from "effect"
import { USDT } from "../../domain/CoinId.ts"
import { type Coverage, filled, gaps, type Reach, reachOfAll, reachOfAny } from "../../history/model/Coverage.ts"
import { foldFx, type FxPoint, fxHistory } from "../../history/model/fxHistory.ts"
import type { HistoryRange } from "../../history/model/HistoryRange.ts"
import { bucketOf, lengthOf } from "../../history/model/Interval.ts"
import { foldMarket, type MarketPoint, marketHistory } from "../../history/model/marketHistory.ts"
import { type Fold, inPeriods, lastDayOf, startOfPeriod } from "../../history/model/Period.ts"
import { foldPrices, inFiat, inMarket, type PricePoint, RATE_REACH } from "../../history/model/priceHistory.ts"
import { usualMarket } from "../../domain/P2pMarket.ts"
import { hasStreetRate } from "../../domain/StreetCurrencies.ts"
import { joinSources } from "../../domain/Snapshot.ts"
import type { Fixing } from "../../domain/Fixing.ts"
import type { Companion } from "../../history/store/HistoryReader.ts"
import * as SeriesName from "../../history/store/SeriesName.ts"
import { Coins, type UnknownCoin } from "../Coins.ts"
import { followedMarkets } from "../../sources/p2p/followedMarkets.ts"
import { Backfill } from "./Backfill.ts"
import { namedCoin } from "./namedCoin.ts"
import type { Unavailable } from "../refresh/Unavailable.ts"
import * as Patience from "../refresh/Patience.ts"
import * as HistoryAccess from "./HistoryAccess.ts"
import * as MarketFixings from "./MarketFixings.ts"

/** The buckets of a history. */
export interface HistoryRequest {
  readonly range: HistoryRange
  /** Whether a bucket without an observation repeats the one before. */
  readonly isFilled: boolean
}

type Stamped = Pick<PricePoint, "bucket" | "observedAt" | "source" | "revisedAt">

/** Points oldest first, and how far the series reaches. */
export interface HistoryOf<P> {
  readonly points: ReadonlyArray<P & { readonly isFinal: boolean }>
  readonly coverage: Coverage
  /** Of the points; empty without any. */
  readonly source: string
  /** The newest observation among the points; `none` if there are none. */
  readonly updated: Option.Option<DateTime.Utc>
}

interface Reading {
  readonly isFinal: (bucket: number) => boolean
  readonly spans: ReadonlyMap<string, Reach>
  /** Why some of the past may be missing. */
  readonly failure: Unavailable | undefined
}

export interface PriceHistory extends HistoryOf<PricePoint> {
  readonly id: string
  readonly symbol: string
}

/** The histories. All fail with `Unavailable` while the database cannot be read. */
export class Histories extends Context.Service<
  Histories,
  {
    /** Prices of a coin, by id in lower case, in a fiat, by code in upper case. */
    readonly prices: (
      id: string,
      fiat: string,
      request: HistoryRequest
    ) => Effect.Effect<PriceHistory, UnknownCoin | Unavailable>
    /** USDT against a fiat with a P2P market, by code in upper case, with the official rate. */
    readonly p2p: (fiat: string, request: HistoryRequest) => Effect.Effect<HistoryOf<MarketPoint>, Unavailable>
    /** Fiats by code in upper case, against USD, by days, weeks or months. */
    readonly fx: (
      quotes: ReadonlyArray<string>,
      request: HistoryRequest
    ) => Effect.Effect<HistoryOf<FxPoint>, Unavailable>
    /** The fixing of a P2P market, by code in upper case, on a day (its start in UTC), or the newest one. */
    readonly fixing: (fiat: string, on: number | undefined) => Effect.Effect<MarketFixings.DayFixing, Unavailable>
    /** The fixings of a P2P market on the days of a range. */
    readonly fixings: (
      fiat: string,
      range: HistoryRange
    ) => Effect.Effect<{ readonly fixings: ReadonlyArray<Fixing>; readonly coverage: Coverage }, Unavailable>
    /** The recorded closes of coins in USD by id, one per bucket of the range, `null` if missing. Calls no source. */
    readonly recorded: (
      ids: ReadonlyArray<string>,
      range: HistoryRange
    ) => Effect.Effect<Readonly<Record<string, ReadonlyArray<number | null>>>, Unavailable>
  }
>()("crypto-data-api/services/history/Histories") {
  static readonly layerNoDeps: Layer.Layer<Histories, Config.ConfigError, Backfill | Coins> = Layer.effect(
    Histories,
    Effect.gen(function* () {
      const coins = yield* Coins
      const backfill = yield* Backfill
      const access = yield* HistoryAccess.make
      const followed = new Set((yield* followedMarkets).map(({ fiat }) => fiat))

      const answer = Effect.fnUntraced(function* <P extends Stamped>(
        { isFilled, range }: HistoryRequest,
        { failure, isFinal }: Pick<Reading, "failure" | "isFinal">,
        all: ReadonlyArray<P>,
        reach: Reach | undefined,
        fold: Fold<P>
      ) {
        yield* HistoryAccess.betweenMany(all.length)
        const { first, last, period } = range
        const within = ({ bucket }: P) => bucket >= first && bucket <= last
        const inRange = all.filter(within)
        const known = period === undefined ? all : inPeriods(period, last, all, fold)
        const lastBucket = (bucket: number) => (period === undefined ? bucket : lastDayOf(period, bucket))
        const points = (isFilled ? filled(range, known) : known.filter(within)).map((point) => ({
          ...point,
          isFinal: isFinal(lastBucket(point.bucket))
        }))
        yield* HistoryAccess.betweenMany(points.length)
        // Without a point, a failed fetch would look like an empty range.
        if (points.length === 0 && failure !== undefined) return yield* failure
        const newest = Math.max(...points.map(({ observedAt }) => observedAt))
        return {
          points,
          coverage: { ...(reach ?? { first: null, last: null }), missing: gaps(range, inRange) },
          source: joinSources(new Set(points.map(({ source }) => source))),
          updated: points.length === 0 ? Option.none() : Option.some(DateTime.makeUnsafe(newest))
        } satisfies HistoryOf<P>
      })

      /**
       * The first bucket to read. Filling needs the last bucket before the range for which all parts are known. If none
       * is built yet, it reads the 7 days before the range.
       */
      const begin = ({ isFilled, range }: HistoryRequest, series: string, also: ReadonlyArray<Companion> = []) =>
        isFilled
          ? access
              .recorded(({ lastBucket }) => lastBucket(range.interval, series, range.first, also))
              .pipe(
                Effect.map((last = bucketOf(range.interval, range.first - RATE_REACH)) =>
                  range.period === undefined ? last : startOfPeriod(range.period, last)
                )
              )
          : Effect.succeed(range.first)

      /** Which buckets are final and how far some series reach, after fetching missing data of coins. */
      const reading = (
        { first, interval, last }: HistoryRange,
        names: ReadonlyArray<string>,
        ids: ReadonlyArray<string> = []
      ): Effect.Effect<Reading, Unavailable> =>
        HistoryAccess.fetching(
          Effect.all({ isFinal: access.noted(interval, last), spans: access.spans(interval, names) }),
          ({ spans }, now) =>
            ids.flatMap((id) => {
              const reach = spans.get(SeriesName.coin(id))
              // The bucket before the running one may not be published yet.
              const known = Math.min(last, now - 2 * lengthOf(interval)) - lengthOf(interval)
              const isHeld = reach !== undefined && reach.first <= first && reach.last >= known
              return isHeld ? [] : [backfill.coin(id, interval, first)]
            })
        ).pipe(Effect.map(({ failure, found }) => ({ ...found, failure })))

      const prices = Effect.fn("Histories.prices")(function* (id: string, fiat: string, request: HistoryRequest) {
        const { interval, last } = request.range
        const { symbol } = yield* namedCoin(coins, id)
        const isByMarket = fiat === usualMarket.fiat || (hasStreetRate(fiat) && followed.has(fiat))
        const market = isByMarket ? SeriesName.p2p(fiat) : undefined
        const [coin, usdt] = [SeriesName.coin(id), SeriesName.coin(USDT)]
        const [official, spot] = [SeriesName.fiat(fiat), SeriesName.spot(fiat)]
        const beside = market !== undefined ? [usdt, market] : fiat === "USD" ? [] : [spot]
        const names = [coin, ...beside]
        const also = beside.map((series): Companion =>
          series === spot ? { series: official, interval: "day", reach: RATE_REACH } : { series, interval, reach: 0 }
        )
        const read = yield* reading(request.range, names, market === undefined ? [id] : [id, USDT])
        const { spans } = read
        const from = yield* begin(request, coin, also)
        const points = yield* access.points({ interval, first: from, last }, names)
        const historyFrom = (all: ReadonlyArray<PricePoint>, reach: Reach | undefined) =>
          Effect.map(answer(request, read, all, reach, foldPrices), (history) => ({ id, symbol, ...history }))
        if (fiat === "USD") return yield* historyFrom(points(coin), spans.get(coin))
        if (market !== undefined) {
          const all = inMarket(id, points(coin), points(usdt), points(market))
          return yield* historyFrom(all, reachOfAll(names.map((name) => spans.get(name))))
        }
        const days = { interval: "day", first: bucketOf("day", from) - RATE_REACH, last } as const
        const rates = { official: (yield* access.points(days, [official]))(official), spot: points(spot) }
        const reach = (yield* access.spans("day", [official])).get(official)
        const reached = reach && { ...reach, last: bucketOf(interval, reach.last + RATE_REACH + lengthOf("day") - 1) }
        const ofRates = reachOfAny([reached, spans.get(spot)].filter((one) => one !== undefined))
        return yield* historyFrom(inFiat(interval, points(coin), rates), reachOfAll([spans.get(coin), ofRates]))
      }, Patience.shared)

      const p2p = Effect.fn("Histories.p2p")(function* (fiat: string, request: HistoryRequest) {
        const [series, officialSeries] = [SeriesName.p2p(fiat), SeriesName.fiat(fiat)]
        const { interval, first, last } = request.range
        const read = yield* reading(request.range, [series, officialSeries])
        const from = yield* begin(request, series)
        const points = yield* access.points({ interval, first: from, last }, [series])
        const day = bucketOf("day", from)
        const before = yield* access.recorded(({ lastBucket }) => lastBucket("day", officialSeries, day))
        const official = yield* access.points({ interval: "day", first: before ?? day, last }, [officialSeries])
        const isDaily = interval === "day" && request.range.period === undefined
        const fixings = isDaily ? yield* access.recorded(({ fixings }) => fixings(series, from, last)) : []
        const all = marketHistory(interval, points(series), official(officialSeries), Math.min(from, first), fixings)
        return yield* answer(request, read, all, reachOfAny(read.spans.values()), foldMarket)
      }, Patience.shared)

      const fx = Effect.fn("Histories.fx")(function* (quotes: ReadonlyArray<string>, request: HistoryRequest) {
        const names = quotes.map(SeriesName.fiat)
        const read = yield* reading(request.range, names)
        const befores = yield* Effect.forEach(names, (name) => begin(request, name))
        const { interval, last } = request.range
        const points = yield* access.points({ interval, first: Math.min(...befores), last }, names)
        const all = fxHistory(new Map(quotes.map((quote) => [quote, points(SeriesName.fiat(quote))])))
        return yield* answer(request, read, all, reachOfAny(read.spans.values()), foldFx)
      }, Patience.shared)

      const recorded = Effect.fn("Histories.recorded")(function* (ids: ReadonlyArray<string>, range: HistoryRange) {
        const { first, interval, last } = range
        yield* access.noted(interval, last)
        const points = yield* access.points(range, ids.map(SeriesName.coin))
        const buckets = Math.round((last - first) / lengthOf(interval)) + 1
        const closes = (id: string) => {
          const at = new Map(points(SeriesName.coin(id)).map(({ bucket, close }) => [bucket, close]))
          return Array.from({ length: buckets }, (_, n) => at.get(first + n * lengthOf(interval)) ?? null)
        }
        return Object.fromEntries(ids.map((id) => [id, closes(id)]))
      }, Patience.shared)

      return Histories.of({ prices, p2p, fx, recorded, ...MarketFixings.make(access) })
    })
  )

  static readonly layer = this.layerNoDeps.pipe(Layer.provide([Backfill.layer, Coins.layer]))

  static readonly layerTest = (service: Partial<Histories["Service"]>) => Layer.mock(Histories)(service)
}
