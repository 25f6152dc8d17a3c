// Converts accepted snapshots to rows. Sums, changes and prices in other fiats are computed when they are read.
import { type DateTime, Effect, Schema } from "effect"
import type { NamedCandle } from "../../domain/CandleSeries.ts"
import type { CoinList } from "../../domain/CoinList.ts"
import { derived } from "../../domain/Decimal.ts"
import type { FiatRate } from "../../domain/FiatMarket.ts"
import type { DayRate, FxRates } from "../../domain/FxRates.ts"
import { type Close, closeAlone } from "../model/Close.ts"
import { type Interval, lengthOf, startOfDay } from "../model/Interval.ts"
import { noSides, type Observation, OWN_RECORD, type Point, type Sides } from "../model/Point.ts"
import { kindOf, type P2pEstimate, type Venue } from "../../domain/P2pRate.ts"
import { OFFICIAL_FIAT, type OfficialRate } from "../../domain/OfficialRate.ts"
import * as Snapshot from "../../domain/Snapshot.ts"
import * as SeriesName from "./SeriesName.ts"

const Price = Schema.NullOr(Schema.Finite)

// Arrays instead of structs, because venues take most of the space of a year's history.
const VenueTuple = Schema.Tuple([
  Schema.String,
  Schema.Literals(["p2p", "order_book"]),
  Price,
  Price,
  Price,
  Price,
  Schema.Record(Schema.String, Schema.Finite),
  Schema.NullOr(Schema.String),
  Schema.NullOr(Schema.DateTimeUtcFromMillis)
])

const Venues = Schema.fromJsonString(Schema.Array(VenueTuple))
const encodeVenues = Schema.encodeSync(Venues)
const decodeVenues = Schema.decodeUnknownEffect(Venues)

const toTuple = ({ adsRejected, adsUsed, buy, kind, mid, reason, sell, updated, venue }: Venue) =>
  [venue, kind, buy, sell, mid, adsUsed, adsRejected, reason, updated] as const

type Tuple = typeof VenueTuple.Type
const fromTuple = ([venue, kind, buy, sell, mid, adsUsed, adsRejected, reason, updated]: Tuple): Venue => {
  return { venue, kind, buy, sell, mid, adsUsed, adsRejected, reason, updated }
}

export const venuesOf = (text: string): Effect.Effect<ReadonlyArray<Venue>, Schema.SchemaError> =>
  Effect.map(decodeVenues(text), (venues) => venues.map(fromTuple))

/** The coins of a list that have a price. */
export const ofCoins = (list: Snapshot.Snapshot<CoinList>): ReadonlyArray<Observation> =>
  list.value.coins.flatMap(({ id, price, updated }) =>
    // PostgreSQL cannot store U+0000 in a text.
    price === null || id.includes("\0")
      ? []
      : {
          series: SeriesName.coin(id),
          // Exchanges are listed by weight, which changes all the time. Sorted, a group of them has one name.
          source: Snapshot.sortSources(list.value.sources?.get(id) ?? list.source),
          observedAt: updated.epochMilliseconds,
          // Another source's row may be newer than the list.
          recordedAt: Math.max(list.retrievedAt.epochMilliseconds, updated.epochMilliseconds),
          value: price,
          ...noSides,
          venues: null
        }
  )

/** A market with a mid, observed when the oldest venue behind the mid was. An old cross-check does not make it older. */
export const ofP2p = (
  fiat: string,
  market: Snapshot.Snapshot<
    Omit<P2pEstimate, "reason"> & { readonly venues: ReadonlyArray<Venue>; readonly method: string | null }
  >
): ReadonlyArray<Observation> => {
  const { buy, confidence, method, mid, sell, used, venues } = market.value
  if (mid === null) return []
  const makers = venues.filter(({ venue }) => used.includes(venue))
  const observedAt = Math.min(...makers.map(({ updated }) => (updated ?? market.observedAt).epochMilliseconds))
  return [
    {
      series: SeriesName.p2p(fiat),
      source: Snapshot.joinSources(used),
      observedAt,
      // `retrievedAt` of the snapshot is that of its oldest book.
      recordedAt: Math.max(market.retrievedAt.epochMilliseconds, observedAt),
      value: mid,
      buy,
      sell,
      confidence,
      kind: kindOf(makers),
      method,
      venues: encodeVenues(venues.map(toTuple))
    }
  ]
}

/** The rates of fiats on the exchanges, by code. */
export const ofSpotFiats = (fiats: ReadonlyMap<string, Snapshot.Snapshot<FiatRate>>): ReadonlyArray<Observation> =>
  Array.from(fiats, ([code, { observedAt, retrievedAt, source, value }]) => ({
    series: SeriesName.spot(code),
    source: Snapshot.sortSources(source),
    observedAt: observedAt.epochMilliseconds,
    recordedAt: retrievedAt.epochMilliseconds,
    value: derived(value.rate),
    ...noSides,
    confidence: value.confidence,
    venues: null
  }))

/** A point that a source published. A simulated source has the origin of the real one. */
const published = (
  series: string,
  close: Close,
  { retrievedAt, source }: Pick<Snapshot.Snapshot<unknown>, "retrievedAt" | "source">,
  sides: Sides = noSides
): Point => ({
  series,
  origin: source.replace(/ \(sandbox\)$/, ""),
  revision: 0,
  source,
  ...close,
  ...sides,
  recordedAt: retrievedAt.epochMilliseconds
})

/** Closes of a coin from a source's own history. */
export const ofCloses =
  (id: string) =>
  (snapshot: Snapshot.Snapshot<ReadonlyArray<Close>>): ReadonlyArray<Point> =>
    snapshot.value.map((close) => published(SeriesName.coin(id), close, snapshot))

/** Candles of a coin, each from its own exchange, observed in the last millisecond of its bucket. */
export const ofCoinCandles = (
  id: string,
  interval: Interval,
  candles: ReadonlyArray<NamedCandle>,
  retrievedAt: DateTime.Utc
): ReadonlyArray<Point> =>
  candles.map(({ source, ...candle }) =>
    published(
      SeriesName.coin(id),
      { ...candle, observedAt: candle.bucket + lengthOf(interval) - 1 },
      { retrievedAt, source }
    )
  )

/** Closes of a fiat on the exchanges. */
export const ofSpotCloses = (
  code: string,
  interval: Interval,
  closes: ReadonlyArray<FiatRate & { readonly bucket: number; readonly source: string }>,
  retrievedAt: DateTime.Utc
): ReadonlyArray<Point> =>
  closes.map(({ bucket, confidence, rate, source }) =>
    published(
      SeriesName.spot(code),
      closeAlone(bucket, rate, bucket + lengthOf(interval) - 1),
      { retrievedAt, source },
      { ...noSides, confidence }
    )
  )

/** Closes of USDT in a P2P market's fiat, from an order book. */
export const ofCandles =
  (fiat: string) =>
  (snapshot: Snapshot.Snapshot<ReadonlyArray<Close>>): ReadonlyArray<Point> =>
    snapshot.value.map((close) => published(SeriesName.p2p(fiat), close, snapshot, { ...noSides, kind: "order_book" }))

/** Rates published for days, each observed at the start of its day. `seriesOf` names the series of a code. */
export const ofDayRates =
  (seriesOf: (code: string) => string) =>
  (snapshot: Snapshot.Snapshot<ReadonlyArray<DayRate>>): ReadonlyArray<Point> =>
    snapshot.value.map(({ code, date, rate }) => {
      const day = startOfDay(date)
      const observedAt = Math.min(day, snapshot.retrievedAt.epochMilliseconds)
      return published(seriesOf(code), closeAlone(day, rate, observedAt), snapshot)
    })

/** Daily rates of fiats, except the naira: its official rate has sources of its own. */
export const ofFiatDays = (snapshot: Snapshot.Snapshot<ReadonlyArray<DayRate>>): ReadonlyArray<Point> =>
  ofDayRates(SeriesName.fiat)(Snapshot.map(snapshot, (days) => days.filter(({ code }) => code !== OFFICIAL_FIAT)))

/** Each rate on the day it was published for, from its own source. */
export const ofFx = (snapshot: Snapshot.Snapshot<FxRates>): ReadonlyArray<Point> => {
  const { observed, rates, sources } = snapshot.value
  return Object.entries(observed).flatMap(([code, date]) => {
    const rate = rates[code]
    const source = sources?.[code] ?? snapshot.source
    return rate === undefined ? [] : ofFiatDays({ ...snapshot, source, value: [{ code, date, rate }] })
  })
}

/**
 * The official rate as it was served, on the day it was published for. The average of CBN's window counts as our own record. A central
 * rate has the origin of its source, as in lists of all days. So neither is a correction of the other.
 */
export const ofOfficial = (snapshot: Snapshot.Snapshot<OfficialRate>): ReadonlyArray<Point> => {
  const { date, isCentral = false, rate } = snapshot.value
  const close = closeAlone(startOfDay(date), rate, snapshot.observedAt.epochMilliseconds)
  const point = published(SeriesName.OFFICIAL, close, snapshot)
  return [isCentral ? point : { ...point, origin: OWN_RECORD }]
}
