// What is recorded of the snapshots that the service believes. Sums, changes and prices in other fiats are computed when
// they are read.
import { type DateTime, Effect, Schema } from "effect"
import type { Coin } from "../../domain/Coin.ts"
import type { FxRates } from "../../domain/FxRates.ts"
import type { Close } from "../model/Close.ts"
import type { DayRate } from "../model/DayRate.ts"
import { startOfDay } from "../model/Interval.ts"
import { noSides, type Observation, OWN_RECORD, type Point, type Sides } from "../model/Point.ts"
import type { P2pEstimate, VenueQuote } from "../../domain/P2pRate.ts"
import type { OfficialRate } from "../../domain/OfficialRate.ts"
import * as Snapshot from "../../domain/Snapshot.ts"
import * as SeriesName from "./SeriesName.ts"

/** A venue's part in the rate of a P2P market, and when it was observed. */
export interface RecordedVenue extends VenueQuote {
  readonly updated: DateTime.Utc | null
}

/** The rate of a P2P market with the venues that were asked. */
export interface RecordedMarket extends Omit<P2pEstimate, "reason"> {
  readonly venues: ReadonlyArray<RecordedVenue>
}

const Price = Schema.NullOr(Schema.Finite)

// Arrays instead of structs: most of what a year of history takes are venues.
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

const toTuple = ({ adsRejected, adsUsed, buy, kind, mid, reason, sell, updated, venue }: RecordedVenue) =>
  [venue, kind, buy, sell, mid, adsUsed, adsRejected, reason, updated] as const

const fromTuple = (tuple: typeof VenueTuple.Type): RecordedVenue => {
  const [venue, kind, buy, sell, mid, adsUsed, adsRejected, reason, updated] = tuple
  return { venue, kind, buy, sell, mid, adsUsed, adsRejected, reason, updated }
}

export const venuesOf = (text: string): Effect.Effect<ReadonlyArray<RecordedVenue>, Schema.SchemaError> =>
  Effect.map(decodeVenues(text), (venues) => venues.map(fromTuple))

/** The coins of a list that have a price. */
export const ofCoins = (list: Snapshot.Snapshot<ReadonlyArray<Coin>>): ReadonlyArray<Observation> =>
  list.value.flatMap(({ id, price, updated }) =>
    // PostgreSQL has no text with U+0000.
    price === null || id.includes("\0")
      ? []
      : {
          series: SeriesName.coin(id),
          source: list.source,
          observedAt: Math.min(updated.epochMilliseconds, list.retrievedAt.epochMilliseconds),
          recordedAt: list.retrievedAt.epochMilliseconds,
          value: price,
          ...noSides,
          venues: null
        }
  )

/** A market, where there is a number, stamped by the venues that made its mid: a cross-check that is silent delays nothing. */
export const ofP2p = (fiat: string, market: Snapshot.Snapshot<RecordedMarket>): ReadonlyArray<Observation> => {
  const { buy, confidence, mid, sell, used, venues } = market.value
  if (mid === null) return []
  const makers = venues.filter(({ venue }) => used.includes(venue))
  const observedAt = Math.min(...makers.map(({ updated }) => (updated ?? market.observedAt).epochMilliseconds))
  return [
    {
      series: SeriesName.p2p(fiat),
      source: Snapshot.joinSources(used),
      observedAt,
      // The snapshot was retrieved when the oldest of all books was.
      recordedAt: Math.max(market.retrievedAt.epochMilliseconds, observedAt),
      value: mid,
      buy,
      sell,
      confidence,
      kind: makers.some(({ kind }) => kind === "p2p") ? "p2p" : "order_book",
      venues: encodeVenues(venues.map(toTuple))
    }
  ]
}

/** What a simulated source says has the rank of that source. */
const originOf = (source: string): string => source.replace(/ \(sandbox\)$/, "")

const published = (
  series: string,
  day: string,
  close: number,
  { observedAt, retrievedAt, source }: Snapshot.Snapshot<unknown>
): Point => ({
  series,
  bucket: startOfDay(day),
  origin: originOf(source),
  revision: 0,
  source,
  open: null,
  high: null,
  low: null,
  close,
  ...noSides,
  observedAt: observedAt.epochMilliseconds,
  recordedAt: retrievedAt.epochMilliseconds
})

/** The point as observed at the start of its day. */
const atStart = (point: Point): Point => ({ ...point, observedAt: Math.min(point.bucket, point.recordedAt) })

/** Each rate on the day for which it was published, observed at the start of that day. */
export const ofFx = (snapshot: Snapshot.Snapshot<FxRates>): ReadonlyArray<Point> =>
  Object.entries(snapshot.value.rates).flatMap(([code, rate]) => {
    const day = snapshot.value.observed[code]
    return day === undefined ? [] : [atStart(published(SeriesName.fiat(code), day, rate, snapshot))]
  })

/**
 * The official rate as it was served, on the day for which it was published. The average of CBN's window is our own record; a
 * central rate has the origin of its source, as in the lists of all days: neither is a correction of the other.
 */
export const ofOfficial = (snapshot: Snapshot.Snapshot<OfficialRate>): ReadonlyArray<Point> => {
  const { date, isCentral = false, rate } = snapshot.value
  const point = published(SeriesName.OFFICIAL, date, rate, snapshot)
  return [isCentral ? point : { ...point, origin: OWN_RECORD }]
}

const closesOf = (
  series: string,
  sides: Sides,
  { retrievedAt, source, value }: Snapshot.Snapshot<ReadonlyArray<Close>>
): ReadonlyArray<Point> =>
  value.map((day) => ({
    series,
    origin: originOf(source),
    revision: 0,
    source,
    ...day,
    ...sides,
    recordedAt: retrievedAt.epochMilliseconds
  }))

/** The closes of a coin by a source's own history. */
export const ofCloses = (id: string, snapshot: Snapshot.Snapshot<ReadonlyArray<Close>>): ReadonlyArray<Point> =>
  closesOf(SeriesName.coin(id), noSides, snapshot)

/** The closes of USDT/NGN on an order book. */
export const ofCandles = (snapshot: Snapshot.Snapshot<ReadonlyArray<Close>>): ReadonlyArray<Point> =>
  closesOf(SeriesName.NAIRA, { ...noSides, kind: "order_book" }, snapshot)

/** Rates as they were published for days, in the series that a code has; each observed at the start of its day. */
export const ofDayRates = (
  seriesOf: (code: string) => string,
  snapshot: Snapshot.Snapshot<ReadonlyArray<DayRate>>
): ReadonlyArray<Point> =>
  snapshot.value.map(({ code, date, rate }) => atStart(published(seriesOf(code), date, rate, snapshot)))
