// How far a series reaches, where it has gaps, and how a gap can be filled for programs that need a value in every bucket.
import { bucketsBetween, lengthOf } from "./Interval.ts"
import { bucketsIn, type HistoryRange } from "./HistoryRange.ts"

/** The first and last recorded bucket, and the gaps within the requested range, each from its first to its last missing bucket. */
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

/** The union of some reaches, including gaps between them; `undefined` if there are none. */
export const reachOfAny = (reaches: Iterable<Reach>): Reach | undefined => {
  const all = [...reaches]
  const reach = { first: Math.min(...all.map(({ first }) => first)), last: Math.max(...all.map(({ last }) => last)) }
  return all.length === 0 ? undefined : reach
}

/** The overlap of some reaches; `undefined` if one is missing or they have no bucket in common. */
export const reachOfAll = (reaches: ReadonlyArray<Reach | undefined>): Reach | undefined => {
  const first = Math.max(...reaches.map((one) => one?.first ?? Infinity))
  const last = Math.min(...reaches.map((one) => one?.last ?? -Infinity))
  return first > last ? undefined : { first, last }
}

interface InBucket {
  readonly bucket: number
  readonly volume?: number | null
  readonly days?: number
}

/** The runs of buckets without a point in a range; runs of days for weeks and months. */
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
 * One point for each bucket of a range. A bucket without one repeats the point before it, including its observation
 * time. Points before the range are only used to fill. Buckets before the first point are left out.
 */
export const filled = <A extends InBucket>(range: HistoryRange, points: ReadonlyArray<A>): ReadonlyArray<A> => {
  const lastOf = latest(points)
  return bucketsIn(range).flatMap((bucket) => {
    const last = lastOf(bucket)
    if (last === undefined || last.bucket === bucket) return last ?? []
    // The volume and the days must not count twice.
    const counts = { ...(last.volume !== undefined && { volume: null }), ...(last.days !== undefined && { days: 0 }) }
    return [{ ...last, ...counts, bucket }]
  })
}

/**
 * Looks up the last point in a bucket or before it, at most `reach` ms before. The points must be in ascending order,
 * and so must the buckets of successive calls.
 */
export const latest = <A extends InBucket>(points: ReadonlyArray<A>, reach: number = Infinity) => {
  let next = 0
  return (bucket: number): A | undefined => {
    while ((points[next]?.bucket ?? Infinity) <= bucket) next++
    const last = points[next - 1]
    return last === undefined || bucket - last.bucket > reach ? undefined : last
  }
}
