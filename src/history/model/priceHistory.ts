// Prices of a coin in a fiat, from its points in USD: the arithmetic of the live answers, on the figures of each bucket.
// Points are not made into quotes and legs, which takes longer for thousands of them than all else.
import { USDT } from "../../domain/CoinId.ts"
import { hopRate, rateOfHops } from "../../domain/Conversion.ts"
import { derived } from "../../domain/Decimal.ts"
import type { Close } from "./Close.ts"
import { latest } from "./Coverage.ts"
import { bucketOf, lengthOf } from "./Interval.ts"
import { type ChosenPoint, joining } from "./Point.ts"

/** A price of a coin in a fiat over a bucket. */
export type PricePoint = Close & Pick<ChosenPoint, "source" | "revisedAt">

/** For how long a fiat's rate stands in for days on which none was published, ms. */
export const RATE_REACH = 7 * lengthOf("day")

const oldest = (...points: ReadonlyArray<ChosenPoint>): number =>
  Math.min(...points.map(({ observedAt }) => observedAt))

const newest = (...times: ReadonlyArray<number | null>): number | null =>
  times.reduce((last, time) => (time === null || (last !== null && last > time) ? last : time), null)

/** Prices in a fiat by its rate of the day, else the last one published within 7 days before. `rates` are days. */
export const inFiat = (
  coin: ReadonlyArray<ChosenPoint>,
  rates: ReadonlyArray<ChosenPoint>
): ReadonlyArray<PricePoint> => {
  const sourcesOf = joining()
  const rateOf = latest(rates, ({ bucket }) => bucket, RATE_REACH)
  return coin.flatMap((point) => {
    const rate = rateOf(bucketOf("day", point.bucket))
    if (rate === undefined) return []
    const at = (figure: number | null) => (figure === null ? null : derived(figure * rate.close))
    return {
      bucket: point.bucket,
      open: at(point.open),
      high: at(point.high),
      low: at(point.low),
      close: rateOfHops(point.close, rate.close),
      source: sourcesOf(point, rate),
      observedAt: oldest(point, rate),
      revisedAt: newest(point.revisedAt, rate.revisedAt)
    }
  })
}

/**
 * Prices in naira: the coin's close over USDT's, times the naira's. A bucket in which one of them is missing is no point.
 * The highest of a product is not known from the highest of its factors, so there is a close only.
 */
export const inNaira = (
  id: string,
  coin: ReadonlyArray<ChosenPoint>,
  usdt: ReadonlyArray<ChosenPoint>,
  naira: ReadonlyArray<ChosenPoint>
): ReadonlyArray<PricePoint> => {
  const sourcesOf = joining()
  const usdtIn = new Map(usdt.map((point) => [point.bucket, point]))
  const nairaIn = new Map(naira.map((point) => [point.bucket, point]))
  return coin.flatMap((point) => {
    const dollars = usdtIn.get(point.bucket)
    const mid = nairaIn.get(point.bucket)
    if (dollars === undefined || mid === undefined) return []
    const inNgn = hopRate(false, { rate: mid.close, computed: true })
    // USDT itself does not go through the dollar.
    const isUsdt = id === USDT
    const parts = isUsdt ? [mid] : [point, dollars, mid]
    return {
      bucket: point.bucket,
      open: null,
      high: null,
      low: null,
      close: isUsdt ? inNgn : rateOfHops(point.close, hopRate(true, { rate: dollars.close, computed: false }), inNgn),
      source: sourcesOf(...parts),
      observedAt: oldest(...parts),
      revisedAt: newest(point.revisedAt, dollars.revisedAt, mid.revisedAt)
    }
  })
}
