// The history of a coin from the candles of several exchanges: decides which candles belong to the coin, and which exchange provides each
// bucket. Deterministic, independent of the order of its inputs.
import type { Candle } from "./Candle.ts"
import { ALONE, SAME_COIN, TICKER_BREAK } from "./Thresholds.ts"

/** The candles of a coin on one market, in USD. */
export interface MarketCandles {
  /** The exchange's unique name. */
  readonly source: string
  /** Whether the market is quoted in USD, so its figures contain no other rate. */
  readonly isInDollars: boolean
  /** Oldest first, one per bucket. */
  readonly candles: ReadonlyArray<Candle>
}

/** A candle with its exchange. */
export interface NamedCandle extends Candle {
  readonly source: string
}

/** An aggregator's close of a bucket, in USD. */
export interface KnownClose {
  readonly bucket: number
  readonly close: number
}

/** The ratio of two prices, at least 1. */
const distance = (one: number, other: number): number => Math.max(one, other) / Math.min(one, other)

/** Whether the market belongs to the coin: on the newest day that both have, its close is within 3 % of an aggregator's. */
export const isOfCoin = ({ candles }: MarketCandles, known: ReadonlyArray<KnownClose>): boolean => {
  const closes = closesOf(candles)
  const newest = known.findLast(({ bucket }) => closes.has(bucket))
  const close = newest && closes.get(newest.bucket)
  return newest !== undefined && close !== undefined && Math.abs(close / newest.close - 1) <= SAME_COIN
}

type Closes = ReadonlyMap<number, number>

const closesOf = (points: ReadonlyArray<KnownClose>): Closes =>
  new Map(points.map(({ bucket, close }) => [bucket, close]))

const isBreak = (before: Candle | undefined, next: Candle): boolean =>
  before !== undefined && distance(before.close, next.open) > 1 + TICKER_BREAK

/** The closes that follow each other without a break, up to each break. */
const unbroken = (candles: ReadonlyArray<Candle>): ReadonlyArray<Closes> => {
  const starts = candles.flatMap((next, n) => (n === 0 || isBreak(candles[n - 1], next) ? n : []))
  return starts.map((start, n) => closesOf(candles.slice(start, starts[n + 1])))
}

/**
 * The candles since the market's last break: a gap of more than 60 % between a close and the next open. Candles before it may belong to
 * another coin that had the symbol. A gap is no break if other closes go through it: they were at both prices, without a break of their
 * own. So a break that all markets show is a break.
 */
const sinceBreak = (candles: ReadonlyArray<Candle>, others: ReadonlyArray<Closes>): ReadonlyArray<Candle> => {
  const start = candles.findLastIndex((next, n) => {
    const before = candles[n - 1]
    if (before === undefined || !isBreak(before, next)) return false
    return !others.some((closes) => {
      const [then, now] = [closes.get(before.bucket), closes.get(next.bucket)]
      return (
        then !== undefined && now !== undefined && distance(next.open / before.close, now / then) <= 1 + TICKER_BREAK
      )
    })
  })
  return candles.slice(Math.max(0, start))
}

/** Whether two of the other closes of the bucket agree with each other, and not with the candle. */
const isAlone = ({ bucket, close }: Candle, others: ReadonlyArray<Closes>): boolean => {
  const against = others.flatMap((closes) => closes.get(bucket) ?? []).filter((one) => distance(one, close) > 1 + ALONE)
  return against.some((one, n) => against.some((other, m) => n < m && distance(one, other) <= 1 + ALONE))
}

const byName = (a: MarketCandles, b: MarketCandles): number => (a.source < b.source ? -1 : 1)

/**
 * One candle per bucket, oldest first, from the first market that has one. Markets in USD come first, then those with more candles, then
 * by name. A candle that differs by more than 10 % from two others of its bucket, which agree, is passed over.
 */
export const chooseCandles = (
  markets: ReadonlyArray<MarketCandles>,
  known: ReadonlyArray<KnownClose>
): ReadonlyArray<NamedCandle> => {
  const own = markets.filter((market) => isOfCoin(market, known)).toSorted(byName)
  const aggregated = closesOf(known)
  const unbrokenOf = own.map(({ candles }) => unbroken(candles))
  const whole = own.map((market, n) => {
    const candles = sinceBreak(market.candles, [aggregated, ...unbrokenOf.toSpliced(n, 1).flat()])
    return { ...market, candles, closes: closesOf(candles) }
  })
  const ordered = whole.toSorted(
    (a, b) => Number(b.isInDollars) - Number(a.isInDollars) || b.candles.length - a.candles.length
  )
  const chosen = new Map<number, NamedCandle>()
  for (const [n, { candles, source }] of ordered.entries()) {
    const others = [aggregated, ...ordered.toSpliced(n, 1).map(({ closes }) => closes)]
    for (const candle of candles) {
      if (!chosen.has(candle.bucket) && !isAlone(candle, others)) chosen.set(candle.bucket, { ...candle, source })
    }
  }
  return [...chosen.values()].toSorted((a, b) => a.bucket - b.bucket)
}

const HOUR = 3_600_000
const [DAY_HOURS, WEEK_HOURS] = [24, 168]

/** A week is complete if at most this many of its hours are missing: an hour without a trade has no candle. */
const IDLE = 8

/**
 * The volume of the last 24 hours over the daily mean of the last seven days, at the exchange that has most of the hours up to `last`;
 * `null` if no exchange has a complete week.
 */
export const volumeRatio = (hours: ReadonlyArray<NamedCandle>, last: number): number | null => {
  const week = hours.filter(
    ({ bucket, volume }) => bucket > last - WEEK_HOURS * HOUR && bucket <= last && volume !== null
  )
  const [most] = [...Map.groupBy(week, ({ source }) => source).values()].toSorted((a, b) => b.length - a.length)
  if (most === undefined || most.length < WEEK_HOURS - IDLE) return null
  const sumSince = (count: number) =>
    most.reduce((sum, { bucket, volume }) => sum + (bucket > last - count * HOUR ? (volume ?? 0) : 0), 0)
  const mean = (sumSince(WEEK_HOURS) * DAY_HOURS) / WEEK_HOURS
  return mean > 0 ? sumSince(DAY_HOURS) / mean : null
}
