// The points of a P2P market with the official rate and the premium of each bucket.
import { premium } from "../../domain/P2pRate.ts"
import { latest } from "./Coverage.ts"
import { bucketOf, dayOf, type Interval } from "./Interval.ts"
import { type ChosenPoint, stampOf } from "./Point.ts"

/** USDT in a fiat over a bucket, units of the fiat per USDT, unrounded. On a day of which only the official rate is known the rest is null. */
export interface MarketPoint extends Omit<
  ChosenPoint,
  "series" | "origin" | "revision" | "recordedAt" | "open" | "close"
> {
  readonly mid: number | null
  /** Units of the fiat per USD, and the day it was published for. */
  readonly official: number | null
  readonly officialDate: string | null
  /** Percent of the official rate. */
  readonly premium: number | null
}

/**
 * Joins the market with the official rate of each bucket's day, else with the last one before it. `official` are days, and
 * may begin before the range. With days, one of which only the official rate is known is a point too.
 */
export const marketHistory = (
  interval: Interval,
  market: ReadonlyArray<ChosenPoint>,
  official: ReadonlyArray<ChosenPoint>,
  first: number
): ReadonlyArray<MarketPoint> => {
  const officialOf = latest(official, ({ bucket }) => bucket)
  const known = new Map(market.map((point) => [point.bucket, point]))
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
