// The official naira rate, published by the Central Bank of Nigeria.
import { Schema } from "effect"
import { p2pMarkets } from "./P2pMarket.ts"

/**
 * Naira per 1 USD, and the day (`YYYY-MM-DD`, West Africa) of the rate. `isCentral`: CBN's central rate of that day, which is 0.50 NGN
 * below its headline rate, the average of the NFEM window.
 */
export const OfficialRate = Schema.Struct({
  rate: Schema.Finite,
  date: Schema.String,
  isCentral: Schema.optionalKey(Schema.Boolean)
})

/** The fiat with its own sources for the official rate. */
export const OFFICIAL_FIAT: string = p2pMarkets.NGN.fiat

export type OfficialRate = typeof OfficialRate.Type
