// Observations and points of which a test says no more than it is about.
import { noSides, type Observation, type Point } from "../../src/history/model/Point.ts"

/** A value that is recorded when it is observed. */
export const observed = (
  series: string,
  at: number,
  value: number,
  fields: Partial<Observation> = {}
): Observation => ({ series, source: "A", observedAt: at, recordedAt: at, value, ...noSides, venues: null, ...fields })

/** A close that its source tells at the start of the bucket, and that is recorded then. */
export const told = (
  series: string,
  source: string,
  bucket: number,
  close: number,
  fields: Partial<Point> = {}
): Point => ({
  series,
  bucket,
  origin: source,
  revision: 0,
  source,
  open: null,
  high: null,
  low: null,
  close,
  volume: null,
  ...noSides,
  observedAt: bucket,
  recordedAt: bucket,
  ...fields
})
