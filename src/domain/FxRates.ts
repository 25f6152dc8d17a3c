// Fiat rates against the US dollar, each with the day it was observed.
import { DateTime, Schema } from "effect"

/**
 * Units of each currency per 1 USD, and the day (`YYYY-MM-DD`) of each rate. `USD` is included, at 1. `sources`: the source of each
 * rate, if there are several.
 */
export const FxRates = Schema.Struct({
  rates: Schema.Record(Schema.String, Schema.Finite),
  observed: Schema.Record(Schema.String, Schema.String),
  sources: Schema.optionalKey(Schema.Record(Schema.String, Schema.String))
})

export type FxRates = typeof FxRates.Type

/** A rate that was published for a day (`YYYY-MM-DD`): units of the currency per 1 USD. */
export interface DayRate {
  readonly code: string
  readonly date: string
  readonly rate: number
}

/** In days. A source of daily rates whose newest day is older has stopped publishing: no weekend with a holiday is longer. */
export const STALE_DAYS = 4

/** Midnight UTC at the start of a `YYYY-MM-DD` day. A rate of that day was observed then or later. */
export const startOfDay = (date: string): DateTime.Utc => DateTime.makeUnsafe(`${date}T00:00:00Z`)

/** The day on which a rate was observed: its own, or that of the fetch if a bank published it for a later day. Never after today. */
export const dayObserved = (date: string, retrievedAt: DateTime.Utc): string => {
  const fetched = DateTime.formatIsoDateUtc(retrievedAt)
  return date < fetched ? date : fetched
}

/** The newest day of any rate; empty without rates. */
export const newestDay = ({ observed }: Pick<FxRates, "observed">): string =>
  Object.values(observed).reduce((newest, date) => (date > newest ? date : newest), "")
