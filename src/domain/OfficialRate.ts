// The official naira rate, published by the Central Bank of Nigeria.
import { Schema } from "effect"

/** NGN per 1 USD, and the day (`YYYY-MM-DD`, West Africa) it was published for. */
export const OfficialRate = Schema.Struct({ rate: Schema.Finite, date: Schema.String })

export type OfficialRate = typeof OfficialRate.Type
