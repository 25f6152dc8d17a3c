// The rows of the history's tables, as nothing else writes them: decoding thousands by a schema would take longer than reading
// them. PostgreSQL gives 64-bit integers as `bigint`, SQLite as numbers.
import type { NairaSides, Observation, RecordedPoint } from "../model/Point.ts"

type Integer = number | bigint

/** A row of `history_points` with the name of its series. */
export interface PointRow extends Omit<RecordedPoint, "bucket" | "observedAt" | "recordedAt" | "revision"> {
  readonly name: string
  readonly bucket: Integer
  readonly revision: Integer
  readonly observed_at: Integer
  readonly recorded_at: Integer
}

/** A row of `history_observations` with the name of its series. */
export interface ObservationRow extends Omit<StoredObservation, "observedAt"> {
  readonly name: string
  readonly observed_at: Integer
}

const sidesOf = ({ buy, confidence, kind, sell }: NairaSides): NairaSides => ({ buy, sell, confidence, kind })

export const toRecordedPoint = (row: PointRow): RecordedPoint => ({
  bucket: Number(row.bucket),
  origin: row.origin,
  revision: Number(row.revision),
  source: row.source,
  open: row.open,
  high: row.high,
  low: row.low,
  close: row.close,
  ...sidesOf(row),
  observedAt: Number(row.observed_at),
  recordedAt: Number(row.recorded_at)
})

/** An observation as it is kept; `venues` is the JSON of the naira's venues. */
export interface StoredObservation extends Observation {
  readonly venues: string | null
}

export const toObservation = (row: ObservationRow): StoredObservation => ({
  source: row.source,
  observedAt: Number(row.observed_at),
  value: row.value,
  ...sidesOf(row),
  venues: row.venues
})

/** An observation to record. `recordedAt`: when it was accepted. */
export interface NewObservation extends StoredObservation {
  readonly series: string
  readonly recordedAt: number
}

/** A point that a source published, to record. */
export interface NewPoint extends Omit<RecordedPoint, "revision"> {
  readonly series: string
}
