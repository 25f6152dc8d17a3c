// The few statistics that figures are reduced to, and hourly returns by the hour that they belong to, so that coins whose histories end
// at different hours can be laid side by side.
import type { PriceHistory } from "../domain/PriceHistory.ts"
import { rememberOf } from "../domain/rememberEach.ts"

/** The middle value; `null` of none. */
export const median = (values: ReadonlyArray<number>): number | null => {
  const sorted = values.toSorted((a, b) => a - b)
  const upper = sorted[sorted.length >> 1]
  const lower = sorted[(sorted.length - 1) >> 1]
  return upper === undefined || lower === undefined ? null : (lower + upper) / 2
}

const meanOf = (values: Float64Array): number => values.reduce((sum, value) => sum + value, 0) / values.length

/** The sum of the products of both distances from their means. */
const productsOf = (x: Float64Array, y: Float64Array): number => {
  const [meanX, meanY] = [meanOf(x), meanOf(y)]
  return x.reduce((sum, value, n) => sum + (value - meanX) * ((y[n] ?? 0) - meanY), 0)
}

/** The mean square of the distances from the mean; NaN of none. */
export const variance = (values: Float64Array): number => productsOf(values, values) / values.length

/** Slope of `y` on `x` (least squares), which are equally long; `null` where `x` does not vary. */
export const slopeOf = (x: Float64Array, y: Float64Array): number | null => {
  const squares = productsOf(x, x)
  return squares === 0 ? null : productsOf(x, y) / squares
}

const HOUR = 3_600_000

/** A value for each of consecutive hours; `first` is counted in hours since 1970. */
export interface ByHour {
  readonly first: number
  readonly values: Float64Array
}

/**
 * Log returns by the hour that they end in, 0 beside a price of 0. Prices come every few hours and are read in every run: each is
 * derived once.
 */
export const returnsByHour = rememberOf(({ end, prices }: PriceHistory): ByHour => {
  const values = Float64Array.from(prices.slice(1), (price, n) => {
    const change = Math.log(price / (prices[n] ?? price))
    return Number.isFinite(change) ? change : 0
  })
  return { first: Math.floor(end.epochMilliseconds / HOUR) - (prices.length - 2), values }
})

/** The values of both at the hours that both have: equally long views, not copies. */
export const inCommon = (a: ByHour, b: ByHour): readonly [a: Float64Array, b: Float64Array] => {
  const first = Math.max(a.first, b.first)
  const end = Math.max(first, Math.min(a.first + a.values.length, b.first + b.values.length))
  return [a.values.subarray(first - a.first, end - a.first), b.values.subarray(first - b.first, end - b.first)]
}
