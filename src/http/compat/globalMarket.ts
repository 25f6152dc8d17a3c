// `/global`: the market as a whole, its money in every currency.
import { Effect } from "effect"
import { vsCurrencies } from "../../domain/VsCurrency.ts"
import type { Conversions } from "../../services/Conversions.ts"
import type { GlobalMarkets } from "../../services/GlobalMarkets.ts"
import { answered, figure, joined } from "./CompatAnswer.ts"
import { inVs } from "./MarketRow.ts"
import * as Quotes from "./Quotes.ts"

/** The answer. */
export const globalMarket = Effect.fnUntraced(function* (
  conversions: Conversions["Service"],
  { current }: GlobalMarkets["Service"]
) {
  const { observedAt, source, value } = yield* current
  const { parts, rates } = yield* Quotes.dollarRates(conversions, vsCurrencies)
  const inEach = (money: number | null) =>
    Object.fromEntries(
      vsCurrencies.flatMap((vs) => {
        const there = inVs(money, rates.get(vs) ?? null)
        return there === null ? [] : [[vs, there]]
      })
    )
  const shares = Object.entries({ btc: value.btc_dominance, eth: value.eth_dominance })
  return answered(
    {
      data: {
        active_cryptocurrencies: figure(value.active_coins),
        upcoming_icos: null,
        ongoing_icos: null,
        ended_icos: null,
        markets: null,
        total_market_cap: inEach(value.market_cap),
        total_volume: inEach(value.volume_24h),
        market_cap_percentage: Object.fromEntries(
          shares.flatMap(([code, share]) => (share === null ? [] : [[code, figure(share)]]))
        ),
        market_cap_change_percentage_24h_usd: figure(value.market_cap_change_24h),
        volume_change_percentage_24h_usd: null,
        updated_at: Math.floor(observedAt.epochMilliseconds / 1000)
      }
    },
    joined([{ source, updated: observedAt }, ...parts])
  )
})
