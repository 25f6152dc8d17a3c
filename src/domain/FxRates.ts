// Fiat rates against the US dollar, each with the day it was observed.
import { DateTime, Schema } from "effect"

/** Units of each currency per 1 USD, and the day (`YYYY-MM-DD`) each of them is for. `USD` is always among them, at 1. */
export const FxRates = Schema.Struct({
  rates: Schema.Record(Schema.String, Schema.Finite),
  observed: Schema.Record(Schema.String, Schema.String)
})

/** {@link FxRates}. */
export type FxRates = typeof FxRates.Type

/** Midnight UTC at which a `YYYY-MM-DD` day begins: the latest moment that a rate of that day surely had been observed by. */
export const startOfDay = (date: string): DateTime.Utc => DateTime.makeUnsafe(`${date}T00:00:00Z`)

/** The newest day among the observations. */
export const newestDay = (rates: FxRates): string =>
  Object.values(rates.observed).reduce((newest, date) => (date > newest ? date : newest), "")
