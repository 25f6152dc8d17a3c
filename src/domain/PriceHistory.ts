// A coin's past prices, an hour apart.
import { Schema } from "effect"

/** Prices in USD, oldest first; the last one is that of `end`, each other one an hour before its successor. */
export const PriceHistory = Schema.Struct({
  id: Schema.String,
  end: Schema.DateTimeUtcFromString,
  prices: Schema.Array(Schema.Finite)
})

/** {@link PriceHistory}. */
export type PriceHistory = typeof PriceHistory.Type
