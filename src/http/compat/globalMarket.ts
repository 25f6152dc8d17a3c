// `/global`: the market as a whole, its money in every currency.
import { Effect } from "effect"
import { GlobalData } from "../../api/coingecko/Answers.ts"
import { shaped } from "../../api/coingecko/shaped.ts"
import { vsCurrencies } from "../../domain/VsCurrency.ts"
import type { Conversions } from "../../services/Conversions.ts"
import type { GlobalMarkets } from "../../services/GlobalMarkets.ts"
import { figure, joined, stampOf } from "../handlers/Answer.ts"
import { answered, inEach } from "./CompatAnswer.ts"
import { inVs } from "./MarketRow.ts"
import * as Quotes from "./Quotes.ts"

export const globalMarket = Effect.fnUntraced(function* (
  conversions: Conversions["Service"],
  { current }: GlobalMarkets["Service"]
) {
  const global = yield* current
  const { observedAt, value } = global
  const { parts, rates } = yield* Quotes.dollarRates(conversions, vsCurrencies)
  const money = (usd: number | null) => inEach((vs) => inVs(usd, rates.get(vs) ?? null))
  const shares = Object.entries({ btc: value.btc_dominance, eth: value.eth_dominance })
  return answered(
    {
      data: shaped(GlobalData, {
        active_cryptocurrencies: figure(value.active_coins),
        total_market_cap: money(value.market_cap),
        total_volume: money(value.volume_24h),
        market_cap_percentage: Object.fromEntries(
          shares.flatMap(([code, share]) => (share === null ? [] : [[code, figure(share)]]))
        ),
        market_cap_change_percentage_24h_usd: figure(value.market_cap_change_24h),
        updated_at: Math.floor(observedAt.epochMilliseconds / 1000)
      })
    },
    joined([stampOf(global), ...parts])
  )
})
