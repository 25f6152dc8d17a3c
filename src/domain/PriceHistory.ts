// A coin's past hourly prices.
import { Schema } from "effect"

/** Prices in USD, an hour apart, oldest first; the last one was observed at `end`. */
export const PriceHistory = Schema.Struct({
  id: Schema.String,
  end: Schema.DateTimeUtcFromString,
  prices: Schema.Array(Schema.Finite)
})

export type PriceHistory = typeof PriceHistory.Type
