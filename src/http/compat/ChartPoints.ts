// The points and candles of a span. Points are those of the price histories of `/v1`, stamped as CoinGecko stamps: with the
// end of their hour or day, the running one with its own time.
import { bucketOf, type Interval, lengthOf } from "../../history/model/Interval.ts"
import type { PricePoint } from "../../history/model/priceHistory.ts"
import type { Span } from "./Spans.ts"

const DAY = lengthOf("day")

export interface Stamped {
  readonly stamp: number
  readonly point: PricePoint
}

/**
 * The stamp of what was observed in a bucket that ends here. A price in a fiat is as old as the fiat's rate, which may be of a
 * day before: then the running bucket is stamped with the present.
 */
const stampOf = (start: number, end: number, observedAt: number, now: number): number =>
  end <= now ? end : observedAt >= start ? observedAt : now

const stamped = (interval: Interval, points: ReadonlyArray<PricePoint>, now: number): ReadonlyArray<Stamped> =>
  points.map((point) => ({
    stamp: stampOf(point.bucket, point.bucket + lengthOf(interval), point.observedAt, now),
    point
  }))

/** The points of a span, oldest first. Days without recorded hours are there with their close. */
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

/** A candle: the end of its time, open, high, low and close. */
export type Candle = readonly [stamp: number, open: number, high: number, low: number, close: number]

/** How many points a candle of CoinGecko's has in a span of so many days: an hour, 4 hours, 4 days. */
export const candleSize = ({ from, interval, to }: Span, asked: string | undefined): number =>
  asked !== undefined || (interval === "hour" && to - from <= 2 * DAY) ? 1 : 4

/** The interval of the points that candles are made of: hours for up to 30 days, days above. */
export const candleSpan = (span: Span, asked: string | undefined): Span =>
  asked === undefined ? { ...span, interval: span.to - span.from <= 30 * DAY ? "hour" : "day" } : span

/** The candles of a span, each of `size` points. One that has a point without open, high or low is left out. */
export const candlesIn = (
  span: Span,
  points: ReadonlyArray<PricePoint>,
  size: number,
  now: number
): ReadonlyArray<Candle> => {
  const length = lengthOf(span.interval) * size
  const groups = Map.groupBy(points, ({ bucket }) => bucket - (bucket % length))
  return [...groups].flatMap(([start, group]): ReadonlyArray<Candle> => {
    const whole = group.flatMap(({ close, high, low, observedAt, open }) =>
      open === null || high === null || low === null ? [] : [{ close, high, low, observedAt, open }]
    )
    const [first, last] = [whole[0], whole.at(-1)]
    if (first === undefined || last === undefined || whole.length < group.length) return []
    const stamp = stampOf(start, start + length, last.observedAt, now)
    if (stamp < span.from || stamp > span.to) return []
    const high = Math.max(...whole.map((one) => one.high))
    const low = Math.min(...whole.map((one) => one.low))
    return [[stamp, first.open, high, low, last.close]]
  })
}
