// Figures of the whole market. Two sources are never mixed: they count different coins, and their totals differ by up to 15 %.
import { Schema } from "effect"

const Figure = Schema.NullOr(Schema.Finite)

/** Money in USD, shares and changes in percent. Unknown is `null`. */
export const GlobalMarket = Schema.Struct({
  market_cap: Schema.Finite,
  volume_24h: Figure,
  market_cap_change_24h: Figure,
  btc_dominance: Figure,
  eth_dominance: Figure,
  active_coins: Figure
})

export type GlobalMarket = typeof GlobalMarket.Type
