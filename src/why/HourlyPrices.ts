// A coin's hourly prices by the hour that they belong to, so that coins whose histories end at different hours can be laid
// side by side.
import type { PriceHistory } from "../domain/PriceHistory.ts"
import { rememberOf } from "../domain/rememberEach.ts"

const HOUR = 3_600_000

/** A value for each of consecutive hours; `first` is counted in hours since 1970. */
export interface ByHour {
  readonly first: number
  readonly values: Float64Array
}

export const pricesByHour = ({ end, prices }: PriceHistory): ByHour => ({
  first: Math.floor(end.epochMilliseconds / HOUR) - (prices.length - 1),
  values: new Float64Array(prices)
})

/**
 * Log returns by the hour that they end in, 0 beside a price of 0. Prices come every few hours and are read in every run: each is
 * derived once.
 */
export const returnsByHour = rememberOf((history: PriceHistory): ByHour => {
  const { prices } = history
  const values = Float64Array.from(prices.slice(1), (price, n) => {
    const change = Math.log(price / (prices[n] ?? price))
    return Number.isFinite(change) ? change : 0
  })
  return { first: pricesByHour(history).first + 1, values }
})

/** The values of both at the hours that both have: equally long views, not copies. */
export const inCommon = (a: ByHour, b: ByHour): readonly [a: Float64Array, b: Float64Array] => {
  const first = Math.max(a.first, b.first)
  const end = Math.max(first, Math.min(a.first + a.values.length, b.first + b.values.length))
  return [a.values.subarray(first - a.first, end - a.first), b.values.subarray(first - b.first, end - b.first)]
}
