// The whole market in six figures, always from one source: the universes of two sources differ by up to 15 %.
import { Schema } from "effect"

const Figure = Schema.NullOr(Schema.Finite)

/** Money in USD, shares and changes in percent. `null` where the source does not say. */
export const GlobalMarket = Schema.Struct({
  market_cap: Schema.Finite,
  volume_24h: Figure,
  market_cap_change_24h: Figure,
  btc_dominance: Figure,
  eth_dominance: Figure,
  active_coins: Figure
})

/** {@link GlobalMarket}. */
export type GlobalMarket = typeof GlobalMarket.Type
