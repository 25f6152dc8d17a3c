// The official naira rate, published by the Central Bank of Nigeria.
import { Schema } from "effect"

/**
 * NGN per 1 USD, and the day (`YYYY-MM-DD`, West Africa) it was published for. `isCentral`: CBN's central rate of that day, which
 * is 0.50 NGN below its headline, the average of the NFEM window.
 */
export const OfficialRate = Schema.Struct({
  rate: Schema.Finite,
  date: Schema.String,
  isCentral: Schema.optionalKey(Schema.Boolean)
})

export type OfficialRate = typeof OfficialRate.Type
