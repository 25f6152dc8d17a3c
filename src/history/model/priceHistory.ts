// Converts a coin's USD points to a fiat, with the arithmetic of live prices. It builds no quotes and legs: for
// thousands of points they would take longer than everything else.
import { USDT } from "../../domain/CoinId.ts"
import { hopRate, rateOfHops } from "../../domain/Conversion.ts"
import { derived, mean } from "../../domain/Decimal.ts"
import { isBeside, isCredible } from "../../domain/FiatMarket.ts"
import { type Close, closeAlone } from "./Close.ts"
import { latest } from "./Coverage.ts"
import { bucketOf, finalAt, type Interval, lengthOf } from "./Interval.ts"
import { extremesOf, type Fold, ofAll, type Totals } from "./Period.ts"
import { type ChosenPoint, OWN_RECORD, stampOf } from "./Point.ts"

/** A price of a coin in a fiat over a bucket; `volume` is in USD, `kind` that of the mid behind a price in the fiat of a P2P market. */
export type PricePoint = Close & Pick<ChosenPoint, "source" | "revisedAt" | "kind"> & Totals

/** How long a fiat rate is used on days without a published rate, ms. */
export const RATE_REACH = 7 * lengthOf("day")

/** The points of a fiat's rates: each day's official one, and those on the exchanges in the interval of the prices. */
export interface RatePoints {
  readonly official: ReadonlyArray<ChosenPoint>
  readonly spot: ReadonlyArray<ChosenPoint>
}

/**
 * Prices at the fiat's rate on the exchanges in the same bucket if that may be used, as live, else at the official rate of the day or the last
 * one published within 7 days before.
 */
export const inFiat = (
  interval: Interval,
  coin: ReadonlyArray<ChosenPoint>,
  rates: RatePoints
): ReadonlyArray<PricePoint> => {
  const [officialOf, spotOf] = [latest(rates.official, RATE_REACH), latest(rates.spot, 0)]
  return coin.flatMap((point) => {
    const rate = rateFor(interval, point, officialOf(bucketOf("day", point.bucket)), spotOf(point.bucket))
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
      kind: null,
      ...stampOf(point, rate)
    }
  })
}

/** The rate that prices a coin. If that of exchanges became known when the bucket was final, and had another price, that is a revision. */
const rateFor = (
  interval: Interval,
  coin: ChosenPoint,
  official: ChosenPoint | undefined,
  spot: ChosenPoint | undefined
): ChosenPoint | undefined => {
  if (spot === undefined || !isBeside(spot.observedAt, coin.observedAt)) return official
  if (!isCredible({ rate: spot.close, confidence: spot.confidence }, official?.close)) return official
  const { bucket, origin, recordedAt } = spot
  const isLate = origin !== OWN_RECORD && recordedAt >= finalAt(interval, bucket)
  const isRevision = isLate && official !== undefined && recordedAt > Math.max(coin.recordedAt, official.recordedAt)
  return isRevision ? { ...spot, revisedAt: recordedAt } : spot
}

/**
 * Prices in the fiat of a P2P market: the coin's close divided by USDT's, times the market's; for USDT itself, the market's close. Buckets
 * that lack one are left out. There is a close only: the high of a product does not follow from the highs of its factors.
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
    return { ...closeAlone(point.bucket, close, stamp.observedAt), volume: point.volume, kind: mid.kind, ...stamp }
  })
}

/** A week or month of prices. Its days are those of the last one's kind: the average of a P2P market has no order book's days. */
export const foldPrices: Fold<PricePoint> = (days, last, isWhole) => {
  const same = days.filter(({ kind }) => kind === last.kind)
  const sum = (all: ReadonlyArray<number>) => all.reduce((sum, one) => sum + one, 0)
  return {
    ...last,
    ...extremesOf(same, isWhole && same.length === days.length),
    volume: isWhole
      ? ofAll(
          days.map(({ volume }) => volume),
          sum
        )
      : null,
    average: mean(same.map(({ close }) => close)),
    days: same.length
  }
}
