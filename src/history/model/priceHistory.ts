// Prices of a coin in a fiat, from its points in USD: the arithmetic of the live answers, on the figures of each bucket.
// Points are not made into quotes and legs, which takes longer for thousands of them than all else.
import { USDT } from "../../domain/CoinId.ts"
import { hopRate, rateOfHops } from "../../domain/Conversion.ts"
import { derived } from "../../domain/Decimal.ts"
import { type Close, closeAlone } from "./Close.ts"
import { latest } from "./Coverage.ts"
import { bucketOf, lengthOf } from "./Interval.ts"
import { type ChosenPoint, stampOf } from "./Point.ts"

/** A price of a coin in a fiat over a bucket; `volume` is in USD. */
export type PricePoint = Close & Pick<ChosenPoint, "source" | "revisedAt">

/** For how long a fiat's rate stands in for days on which none was published, ms. */
export const RATE_REACH = 7 * lengthOf("day")

/** Prices in a fiat by its rate of the day, else the last one published within 7 days before. `rates` are days. */
export const inFiat = (
  coin: ReadonlyArray<ChosenPoint>,
  rates: ReadonlyArray<ChosenPoint>
): ReadonlyArray<PricePoint> => {
  const rateOf = latest(rates, RATE_REACH)
  return coin.flatMap((point) => {
    const rate = rateOf(bucketOf("day", point.bucket))
    if (rate === undefined) return []
    const at = (figure: number | null) => (figure === null ? null : derived(figure * rate.close))
    const [open, high, low] = [at(point.open), at(point.high), at(point.low)]
    return {
      bucket: point.bucket,
      open,
      high,
      low,
      close: rateOfHops(point.close, rate.close),
      volume: point.volume,
      ...stampOf(point, rate)
    }
  })
}

/**
 * Prices in the fiat of a P2P market: the coin's close over USDT's, times the market's; of USDT itself the market's. A bucket in which one
 * of them is missing is no point. The highest of a product is not known from the highest of its factors, so there is a close only.
 */
export const inMarket = (
  id: string,
  coin: ReadonlyArray<ChosenPoint>,
  usdt: ReadonlyArray<ChosenPoint>,
  market: ReadonlyArray<ChosenPoint>
): ReadonlyArray<PricePoint> => {
  const [usdtIn, marketIn] = [latest(usdt, 0), latest(market, 0)]
  const isUsdt = id === USDT
  return coin.flatMap((point) => {
    const [dollars, mid] = [usdtIn(point.bucket), marketIn(point.bucket)]
    if (dollars === undefined || mid === undefined) return []
    const street = hopRate(false, { rate: mid.close, computed: true })
    const close = isUsdt
      ? street
      : rateOfHops(point.close, hopRate(true, { rate: dollars.close, computed: false }), street)
    const stamp = isUsdt ? stampOf(mid) : stampOf(point, dollars, mid)
    return { ...closeAlone(point.bucket, close, stamp.observedAt), volume: point.volume, ...stamp }
  })
}
