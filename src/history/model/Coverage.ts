// How far a series reaches, where it has gaps, and how a gap can be filled for programs that need a value in every bucket.
import { bucketsBetween, lengthOf } from "./Interval.ts"
import type { HistoryRange } from "./HistoryRange.ts"

/** The first and last bucket known at all, and the gaps within what was asked, from first to last missing bucket. */
export interface Coverage {
  readonly first: number | null
  readonly last: number | null
  readonly missing: ReadonlyArray<{ readonly from: number; readonly to: number }>
}

/** The first and the last bucket of a series. */
export interface Reach {
  readonly first: number
  readonly last: number
}

/** From the first to the last bucket of any of some series; `undefined` where there are none. */
export const reachOfAny = (reaches: Iterable<Reach>): Reach | undefined => {
  const all = [...reaches]
  return all.length === 0
    ? undefined
    : { first: Math.min(...all.map(({ first }) => first)), last: Math.max(...all.map(({ last }) => last)) }
}

interface InBucket {
  readonly bucket: number
}

/** The runs of buckets of a range that have no point. */
export const gaps = (range: HistoryRange, points: Iterable<InBucket>): Coverage["missing"] => {
  const known = new Set(Array.from(points, ({ bucket }) => bucket))
  const found: Array<{ from: number; to: number }> = []
  for (const bucket of bucketsBetween(range.interval, range.first, range.last)) {
    if (known.has(bucket)) continue
    const before = found.at(-1)
    if (before !== undefined && before.to === bucket - lengthOf(range.interval)) before.to = bucket
    else found.push({ from: bucket, to: bucket })
  }
  return found
}

/**
 * One point for each bucket of a range, where a bucket without one repeats the point before it, times of observation
 * included. Points before the range are only used to fill; buckets before the first point stay out.
 */
export const filled = <A extends InBucket>(range: HistoryRange, points: ReadonlyArray<A>): ReadonlyArray<A> => {
  const byBucket = new Map(points.map((point) => [point.bucket, point]))
  let last = points.findLast(({ bucket }) => bucket < range.first)
  return bucketsBetween(range.interval, range.first, range.last).flatMap((bucket) => {
    last = byBucket.get(bucket) ?? last
    return last === undefined ? [] : [{ ...last, bucket }]
  })
}

/**
 * Looks up the last of some values at or before a time. The values are in order of their times, and so must the times be
 * that are asked for. A value older than `reach` milliseconds does not count.
 */
export const latest = <A>(values: Iterable<A>, timeOf: (value: A) => number, reach: number = Infinity) => {
  const iterator = values[Symbol.iterator]()
  let next = iterator.next()
  let last: A | undefined
  return (time: number): A | undefined => {
    while (next.done !== true && timeOf(next.value) <= time) {
      last = next.value
      next = iterator.next()
    }
    return last === undefined || time - timeOf(last) > reach ? undefined : last
  }
}
