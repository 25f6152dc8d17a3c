// The official naira rate: what the Central Bank of Nigeria published, and for which day.
import { Schema } from "effect"

/** NGN per 1 USD, and the day (`YYYY-MM-DD`, West Africa) it was published for. */
export const OfficialRate = Schema.Struct({ rate: Schema.Finite, date: Schema.String })

/** {@link OfficialRate}. */
export type OfficialRate = typeof OfficialRate.Type
