// The naira's points with the official rate and the premium of each bucket.
import { premium } from "../../domain/P2pRate.ts"
import { latest } from "./Coverage.ts"
import { bucketOf, dayOf, type Interval } from "./Interval.ts"
import { type ChosenPoint, stampOf } from "./Point.ts"

/** USDT/NGN over a bucket, NGN per USDT, unrounded. On a day of which only the official rate is known the rest is null. */
export interface NairaPoint extends Omit<
  ChosenPoint,
  "series" | "origin" | "revision" | "recordedAt" | "open" | "close"
> {
  readonly mid: number | null
  /** NGN per USD, and the day it was published for. */
  readonly official: number | null
  readonly officialDate: string | null
  /** Percent of the official rate. */
  readonly premium: number | null
}

/**
 * Joins the naira with the official rate of each bucket's day, else with the last one before it. `official` are days, and
 * may begin before the range. With days, one of which only the official rate is known is a point too.
 */
export const nairaHistory = (
  interval: Interval,
  naira: ReadonlyArray<ChosenPoint>,
  official: ReadonlyArray<ChosenPoint>,
  first: number
): ReadonlyArray<NairaPoint> => {
  const officialOf = latest(official, ({ bucket }) => bucket)
  const known = new Map(naira.map((point) => [point.bucket, point]))
  const alone = interval === "day" ? official.filter(({ bucket }) => bucket >= first && !known.has(bucket)) : []
  const buckets = [...known.keys(), ...alone.map(({ bucket }) => bucket)].toSorted((a, b) => a - b)
  return buckets.flatMap((bucket) => {
    const point = known.get(bucket)
    const rate = officialOf(bucketOf("day", bucket))
    const stamp = point ?? rate
    if (stamp === undefined) return []
    return {
      bucket,
      buy: point?.buy ?? null,
      sell: point?.sell ?? null,
      mid: point?.close ?? null,
      low: point?.low ?? null,
      high: point?.high ?? null,
      official: rate?.close ?? null,
      officialDate: rate === undefined ? null : dayOf(rate.bucket),
      premium: point === undefined || rate === undefined ? null : premium(point.close, rate.close),
      confidence: point?.confidence ?? null,
      kind: point?.kind ?? null,
      ...stampOf(stamp, ...(point === undefined || rate === undefined ? [] : [rate])),
      observedAt: stamp.observedAt
    }
  })
}
