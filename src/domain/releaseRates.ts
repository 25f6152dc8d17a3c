// What a currency cost around the day of the release. A first rate is compared with it if nothing was served or recorded before.
import { Schema } from "effect"
import data from "./data/releaseRates.json" with { type: "json" }

const { rates } = Schema.decodeUnknownSync(
  Schema.Struct({
    source: Schema.String,
    date: Schema.String,
    /** Units per 1 USD. Every code in use is there. */
    rates: Schema.Record(Schema.String, Schema.Finite)
  })
)(data)

/** Units per 1 USD by code. */
export const releaseRates: Readonly<Record<string, number>> = rates
