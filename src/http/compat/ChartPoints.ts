// The points and candles of a span, from the price histories of `/v1`. As in CoinGecko, a point's time is the end of its hour
// or day, and that of the current hour or day is its newest observation.
import { hopRate, rateOfHops } from "../../domain/Conversion.ts"
import { derived } from "../../domain/Decimal.ts"
import { bucketOf, type Interval, lengthOf } from "../../history/model/Interval.ts"
import type { PricePoint } from "../../history/model/priceHistory.ts"
import type { Span } from "./Spans.ts"

const DAY = lengthOf("day")

export interface Stamped {
  readonly stamp: number
  readonly point: PricePoint
}

/**
 * The time of a bucket's point. A price in a fiat is as old as the fiat's rate, which may be of an earlier day, or of the day as a
 * whole: then the current bucket gets the present time, so that it is later than the end of the bucket before.
 */
const stampOf = (start: number, end: number, observedAt: number, now: number): number =>
  end <= now ? end : observedAt > start ? observedAt : now

const stamped = (interval: Interval, points: ReadonlyArray<PricePoint>, now: number): ReadonlyArray<Stamped> =>
  points.map((point) => ({
    stamp: stampOf(point.bucket, point.bucket + lengthOf(interval), point.observedAt, now),
    point
  }))

/** The points of a span, oldest first. Days without hourly points have their daily close. */
export const pointsIn = (
  span: Span,
  points: ReadonlyArray<PricePoint>,
  days: ReadonlyArray<PricePoint>,
  now: number
): ReadonlyArray<Stamped> => {
  const recorded = new Set(points.map(({ bucket }) => bucketOf("day", bucket)))
  const closes = days.filter(({ bucket }) => !recorded.has(bucket))
  return [...stamped("day", closes, now), ...stamped(span.interval, points, now)]
    .filter(({ stamp }) => stamp >= span.from && stamp <= span.to)
    .toSorted((one, other) => one.stamp - other.stamp)
}

/** The volume of each point, converted from USD into the currency of its price; `null` if unknown. */
export const volumesOf = (
  points: ReadonlyArray<Stamped>,
  inUsd: ReadonlyArray<PricePoint>
): ReadonlyArray<readonly [stamp: number, volume: number | null]> => {
  const dollars = new Map(inUsd.map(({ bucket, close }) => [bucket, close]))
  return points.map(({ point: { bucket, close, volume }, stamp }) => {
    const inDollars = dollars.get(bucket)
    return [stamp, volume === null || inDollars === undefined ? null : derived((volume * close) / inDollars)]
  })
}

/** `stamp`: the end of the candle, epoch milliseconds. */
export type Candle = readonly [stamp: number, open: number, high: number, low: number, close: number]

/** Points per candle, as in CoinGecko: 1 if the caller named an interval or the span has at most 2 days, else 4. */
export const candleSize = ({ from, interval, to }: Span, asked: string | undefined): number =>
  asked !== undefined || (interval === "hour" && to - from <= 2 * DAY) ? 1 : 4

/** The span with the interval of its points: hours up to 30 days, days above, unless the caller named one. */
export const candleSpan = (span: Span, asked: string | undefined): Span =>
  asked === undefined ? { ...span, interval: span.to - span.from <= 30 * DAY ? "hour" : "day" } : span

type Figures = readonly [open: number, high: number, low: number, close: number]

/**
 * What a point adds to its candle. An hour without a recorded open, high and low adds its close and the previous hour's; a
 * day without them adds nothing. A P2P mid is not compared with an order book's.
 */
const figuresOf = (interval: Interval, point: PricePoint, before: PricePoint | undefined): Figures | undefined => {
  const { bucket, close, high, kind, low, open } = point
  if (open !== null && high !== null && low !== null) return [open, high, low, close]
  if (interval === "day") return undefined
  const isNext = before?.bucket === bucket - lengthOf(interval) && before.kind === kind
  const first = isNext ? before.close : close
  return [first, Math.max(first, close), Math.min(first, close), close]
}

/** The candles of a span, each of `size` points of one kind. A candle is omitted if one of its days lacks an open, high or low. */
export const candlesIn = (
  span: Span,
  points: ReadonlyArray<PricePoint>,
  size: number,
  now: number
): ReadonlyArray<Candle> => {
  const length = lengthOf(span.interval) * size
  const shown = points.map((point, n) => ({ point, figures: figuresOf(span.interval, point, points[n - 1]) }))
  const groups = Map.groupBy(shown, ({ point }) => point.bucket - (point.bucket % length))
  return [...groups].flatMap(([start, group]): ReadonlyArray<Candle> => {
    const whole = group.flatMap(({ figures, point }) => (figures === undefined ? [] : [{ figures, point }]))
    const [first, last] = [whole[0], whole.at(-1)]
    if (first === undefined || last === undefined || whole.length < group.length) return []
    if (whole.some(({ point }) => point.kind !== last.point.kind)) return []
    const stamp = stampOf(start, start + length, last.point.observedAt, now)
    if (stamp < span.from || stamp > span.to) return []
    const high = Math.max(...whole.map(({ figures }) => figures[1]))
    const low = Math.min(...whole.map(({ figures }) => figures[2]))
    return [[stamp, first.figures[0], high, low, last.figures[3]]]
  })
}

/** Prices of one coin in another, from their USD prices, by the arithmetic of `/v1/convert`. Highs and lows have no ratio. */
export const inOtherCoin = <P extends PricePoint>(
  coin: ReadonlyArray<P>,
  other: ReadonlyArray<P>,
  isSame: boolean
): ReadonlyArray<P> => {
  const byBucket = new Map(other.map((point) => [point.bucket, point]))
  return coin.flatMap((point) => {
    const base = byBucket.get(point.bucket)
    if (base === undefined) return []
    const close = isSame ? 1 : rateOfHops(point.close, hopRate(true, { rate: base.close, computed: false }))
    const observedAt = Math.min(point.observedAt, base.observedAt)
    return [{ ...point, close, observedAt, open: null, high: null, low: null }]
  })
}
