// A source's own prices of coins in several fiats.
import { Schema } from "effect"

/** Units of the fiat for one coin, the 24 h change in that fiat (percent), and when the source observed it. */
export const FiatQuote = Schema.Struct({
  price: Schema.Finite,
  change_24h: Schema.NullOr(Schema.Finite),
  updated: Schema.DateTimeUtc
})

export type FiatQuote = typeof FiatQuote.Type

/** By coin id, then by fiat code in upper case. */
export const FiatQuotes = Schema.ReadonlyMap(Schema.String, Schema.ReadonlyMap(Schema.String, FiatQuote))

export type FiatQuotes = typeof FiatQuotes.Type
