// The whole market in six figures, always from one source: the universes of two sources differ by up to 15 %.

/** Money in USD, shares and changes in percent. `null` where the source does not say. */
export interface GlobalMarket {
  readonly market_cap: number
  readonly volume_24h: number | null
  readonly market_cap_change_24h: number | null
  readonly btc_dominance: number | null
  readonly eth_dominance: number | null
  readonly active_coins: number | null
}
