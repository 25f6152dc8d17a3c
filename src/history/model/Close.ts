// The close of an hour or of a UTC day as a source's own history has it.
import { bucketOfStamp, type Interval, lengthOf } from "./Interval.ts"
import type { Point } from "./Point.ts"

/** A finished bucket. `observedAt` is the stamp of its close. */
export type Close = Pick<Point, "bucket" | "open" | "high" | "low" | "close" | "volume" | "observedAt">

/** A close of a bucket of which nothing else is known. */
export const closeAlone = (bucket: number, close: number, observedAt: number): Close => {
  return { bucket, open: null, high: null, low: null, close, volume: null, observedAt }
}

/** A price stamped earlier than this before the end of its bucket is no close: of a day an hour, of an hour 5 minutes. */
const CLOSE_WITHIN: Readonly<Record<Interval, number>> = { day: 3_600_000, hour: 300_000 }

/**
 * The closes among the points of a chart, oldest first, one a bucket: the last point of the bucket's last part, or up to 60 s
 * after its end. The bucket that is running at `now` has none, so that a chart's last point, which is of now, is never a close.
 */
export const bucketCloses = (
  interval: Interval,
  points: Iterable<readonly [stamp: number, price: number]>,
  now: number
): ReadonlyArray<Close> => {
  const length = lengthOf(interval)
  const closes = new Map<number, Close>()
  for (const [stamp, close] of points) {
    const bucket = bucketOfStamp(interval, stamp)
    if (bucket + length > now || stamp < bucket + length - CLOSE_WITHIN[interval] || stamp > now) continue
    if (stamp <= (closes.get(bucket)?.observedAt ?? -Infinity)) continue
    closes.set(bucket, closeAlone(bucket, close, stamp))
  }
  return [...closes.values()].toSorted((a, b) => a.bucket - b.bucket)
}
