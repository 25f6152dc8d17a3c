// The top of an exchange's USDT/NGN order book.
import { Schema } from "effect"

/** Best prices, NGN per USDT: a customer sells at `bid` and buys at `ask`. Both are above zero. */
export const OrderBookTop = Schema.Struct({ bid: Schema.Finite, ask: Schema.Finite })

export type OrderBookTop = typeof OrderBookTop.Type
