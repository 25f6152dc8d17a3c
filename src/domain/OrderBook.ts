// The top of an exchange's USDT/NGN order book.

/** Best prices, NGN per USDT: a customer sells at `bid` and buys at `ask`. Both are above zero. */
export interface OrderBookTop {
  readonly bid: number
  readonly ask: number
}
