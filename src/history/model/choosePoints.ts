// Which of several records of a bucket is the point: our own before those of sources, sources in their order, and of one
// source the newest correction.
import { finalAt, type Interval } from "./Interval.ts"
import type { Point, RecordedPoint } from "./Point.ts"

/** Whether a record goes before another. `origins` in order of preference; others come after them, by name. */
export const isPreferred = (origins: ReadonlyArray<string>) => {
  const rankOf = (origin: string) => {
    const rank = origins.indexOf(origin)
    return rank < 0 ? origins.length : rank
  }
  return (a: RecordedPoint, b: RecordedPoint): boolean => {
    if (a.origin === b.origin) return a.revision > b.revision
    const difference = rankOf(a.origin) - rankOf(b.origin)
    return difference === 0 ? a.origin < b.origin : difference < 0
  }
}

/** One point for each bucket, oldest first. `origins` as {@link isPreferred} takes them. */
export const choosePoints = (
  interval: Interval,
  recorded: Iterable<RecordedPoint>,
  origins: ReadonlyArray<string>
): ReadonlyArray<Point> => {
  const isBetter = isPreferred(origins)
  const best = new Map<number, RecordedPoint>()
  for (const point of recorded) {
    const before = best.get(point.bucket)
    if (before === undefined || isBetter(point, before)) best.set(point.bucket, point)
  }
  return [...best.values()].toSorted((a, b) => a.bucket - b.bucket).map((point) => toPoint(interval, point))
}

/** A change before the bucket was final is no correction. */
const toPoint = (interval: Interval, point: RecordedPoint): Point => {
  const { buy, close, confidence, bucket, high, kind, low, observedAt, open, recordedAt, revision, sell, source } =
    point
  const revisedAt = revision > 0 && recordedAt >= finalAt(interval, bucket) ? recordedAt : null
  // Member by member, because spreading the rest of an object is slower, and there are thousands.
  return { bucket, source, observedAt, open, high, low, close, buy, sell, confidence, kind, revisedAt }
}
