// The rows of the history: single observations, and points that summarise the observations of a bucket. All times are
// epoch milliseconds.
import { rememberEach } from "../../domain/rememberEach.ts"
import { joinSources } from "../../domain/Snapshot.ts"

/** Both sides of a P2P market at the time of an observation, and the quality of its rate. */
export interface Sides {
  /** What 1 USDT costs a customer. */
  readonly buy: number | null
  /** What a customer receives for 1 USDT. */
  readonly sell: number | null
  readonly confidence: "high" | "medium" | "low" | null
  /** Where the rate came from. */
  readonly kind: "p2p" | "order_book" | null
  /** The version of the method that estimated the rate; null for a rate from elsewhere, and for rows from before versions were recorded. */
  readonly method: string | null
}

/** For series that are not of P2P markets. */
export const noSides: Sides = { buy: null, sell: null, confidence: null, kind: null, method: null }

/** The source and the times of a value. */
interface Stamped extends Sides {
  /** A name of `SeriesName`. */
  readonly series: string
  readonly source: string
  readonly observedAt: number
  readonly recordedAt: number
}

/** One value of a series at one time. */
export interface Observation extends Stamped {
  readonly value: number
  /** The JSON of a market's venues. */
  readonly venues: string | null
}

/** A bucket of a series by one origin. `open`, `high` and `low` are null if only the close is known. */
export interface Point extends Stamped {
  /** The start of the bucket. */
  readonly bucket: number
  /** `record` for a bucket of our own observations, else the source whose history it is from. */
  readonly origin: string
  /** 0 for the first value from its origin, then one more with each correction. The writer sets it. */
  readonly revision: number
  readonly open: number | null
  readonly high: number | null
  readonly low: number | null
  readonly close: number
  /** Turnover of a coin in USD. */
  readonly volume: number | null
}

/** A row recorded from a snapshot: an observation, or a point that a source published. */
export type Row = Observation | Point

export const isObservation = (row: Row): row is Observation => "value" in row

/** The one point of a bucket, chosen among its origins and their corrections. */
export interface ChosenPoint extends Point {
  /** When it changed after the bucket was final, else null. */
  readonly revisedAt: number | null
}

/** The origin of buckets that were built from our own observations. */
export const OWN_RECORD = "record"

/** Joins names of sources. Cached: a history of thousands of points has only a few combinations. */
const joined = rememberEach(1000, (sources: string) => joinSources([sources]))

/** The stamp of a figure computed from some points: all their sources, the oldest observation, the newest revision. */
export const stampOf = (...points: ReadonlyArray<Pick<ChosenPoint, "source" | "observedAt" | "revisedAt">>) => {
  const revised = points.flatMap(({ revisedAt }) => revisedAt ?? [])
  return {
    source: joined(points.map(({ source }) => source).join(" + ")),
    observedAt: Math.min(...points.map(({ observedAt }) => observedAt)),
    revisedAt: revised.length === 0 ? null : Math.max(...revised)
  }
}
