// A coin's past hourly prices.
import { Schema } from "effect"

/** Prices in USD, an hour apart, oldest first; the last one was observed at `end`. */
export const PriceHistory = Schema.Struct({
  id: Schema.String,
  end: Schema.DateTimeUtcFromString,
  prices: Schema.Array(Schema.Finite)
})

export type PriceHistory = typeof PriceHistory.Type

const HOUR = 3_600_000

/**
 * The closes of the buckets that ended within the history, oldest first. `length`: of a bucket, milliseconds. A close is interpolated
 * between the two prices around its end, because the prices need not be on the hour.
 */
export const closesIn = (
  { end, prices }: PriceHistory,
  length: number
): ReadonlyArray<{ readonly bucket: number; readonly close: number }> => {
  const first = end.epochMilliseconds - (prices.length - 1) * HOUR
  const count = Math.floor(end.epochMilliseconds / length) - Math.ceil(first / length) + 1
  return Array.from({ length: Math.max(0, count) }, (_, n) => (Math.ceil(first / length) + n) * length).flatMap(
    (at) => {
      const place = (at - first) / HOUR
      const [before, after] = [prices[Math.floor(place)], prices[Math.ceil(place)]]
      if (before === undefined || after === undefined) return []
      return [{ bucket: at - length, close: before + (after - before) * (place - Math.floor(place)) }]
    }
  )
}
