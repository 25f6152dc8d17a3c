// The points of a P2P market with the official rate and the premium of each bucket.
import { premium } from "../../domain/P2pRate.ts"
import { mean } from "../../domain/Decimal.ts"
import { latest } from "./Coverage.ts"
import { bucketOf, type Interval } from "./Interval.ts"
import { extremesOf, type Fold, type Totals } from "./Period.ts"
import { type ChosenPoint, stampOf } from "./Point.ts"
import { RATE_REACH } from "./priceHistory.ts"

/** The price of USDT in a fiat over a bucket, unrounded. */
export interface MarketPoint
  extends Pick<ChosenPoint, "bucket" | "source" | "observedAt" | "revisedAt">, Totals<number | null> {
  /** Units of the fiat per USDT; `undefined` on a day with only an official rate. */
  readonly market: ChosenPoint | undefined
  /** Units of the fiat per USD, for that day or the last one within 7 days before it. */
  readonly official: ChosenPoint | undefined
  /** Percent of the official rate. */
  readonly premium: number | null
  /** The fixing of the day; null without one, and for hours, weeks and months. */
  readonly fixing: number | null
}

/**
 * Joins the market with the official rate of each bucket's day or the last one within 7 days before it. `official` has daily points
 * and may begin before `first`. With daily buckets, a day with only an official rate is a point too.
 */
export const marketHistory = (
  interval: Interval,
  market: ReadonlyArray<ChosenPoint>,
  official: ReadonlyArray<ChosenPoint>,
  first: number,
  fixings: ReadonlyArray<{ readonly day: number; readonly rate: number | null }> = []
): ReadonlyArray<MarketPoint> => {
  const [marketOf, officialOf] = [latest(market, 0), latest(official, RATE_REACH)]
  const alone = interval === "day" ? official.filter(({ bucket }) => bucket >= first) : []
  const fixingOf = new Map(fixings.map(({ day, rate }) => [day, rate]))
  const buckets = new Set([...market, ...alone].map(({ bucket }) => bucket))
  return [...buckets]
    .toSorted((a, b) => a - b)
    .flatMap((bucket) => {
      const parts = { market: marketOf(bucket), official: officialOf(bucketOf("day", bucket)) }
      const { market, official } = parts
      const stamp = market ?? official
      if (stamp === undefined) return []
      return {
        bucket,
        ...parts,
        fixing: fixingOf.get(bucket) ?? null,
        premium: market === undefined || official === undefined ? null : premium(market.close, official.close),
        ...stampOf(stamp, ...(market === undefined || official === undefined ? [] : [official])),
        observedAt: stamp.observedAt
      }
    })
}

/** A week or month of a market: its last day with a mid, and the average of the mids of that day's kind. */
export const foldMarket: Fold<MarketPoint> = (days, newest, isWhole) => {
  const last = days.findLast(({ market }) => market !== undefined) ?? newest
  const mids = days.flatMap(({ market }) => (market !== undefined && market.kind === last.market?.kind ? market : []))
  return {
    ...last,
    fixing: null,
    market: last.market && { ...last.market, ...extremesOf(mids, isWhole && mids.length === days.length) },
    average: mids.length === 0 ? null : mean(mids.map(({ close }) => close)),
    days: mids.length
  }
}
