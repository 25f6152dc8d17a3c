// The top of an exchange's order book of USDT against a fiat.
import { Schema } from "effect"

/** Best prices, fiat per USDT: a customer sells at `bid` and buys at `ask`. Both are above zero. */
export const OrderBookTop = Schema.Struct({ bid: Schema.Finite, ask: Schema.Finite })

export type OrderBookTop = typeof OrderBookTop.Type
