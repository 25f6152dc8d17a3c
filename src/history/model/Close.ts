// Closing prices of hours and UTC days, from a source's own history.
import { bucketOfStamp, type Interval, lengthOf } from "./Interval.ts"
import type { Point } from "./Point.ts"

/** A finished bucket. `observedAt` is the stamp of its close. */
export type Close = Pick<Point, "bucket" | "open" | "high" | "low" | "close" | "volume" | "observedAt">

/** The close of a bucket without open, high, low and volume. */
export const closeAlone = (bucket: number, close: number, observedAt: number): Close => {
  return { bucket, open: null, high: null, low: null, close, volume: null, observedAt }
}

/** A price counts as the close of a bucket if it is stamped at most this long before the bucket's end, ms. */
const CLOSE_WITHIN: Readonly<Record<Interval, number>> = { day: 3_600_000, hour: 300_000 }

/**
 * The closes among the points of a chart, oldest first, one per bucket: the last point within `CLOSE_WITHIN` of the bucket's end or up to
 * 60 s after it. The bucket still open at `now` has none, so a chart's current price is never a close.
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
