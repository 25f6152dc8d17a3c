// The line about the whole market above the movers.
import { DateTime } from "effect"
import type { Citation, Explanation, Market } from "../domain/Explanation.ts"
import { contextOf } from "./MarketFacts.ts"
import { figureSourceOf, type RunFacts } from "./RunFacts.ts"
import { signed } from "./Writing.ts"

/** The market of a run. Its drivers are those of any mover that moved with it: all of them have the same. */
export const marketViewOf = (facts: RunFacts, movers: ReadonlyArray<Explanation>): Market => {
  const bitcoin = facts.market.coins.byId.get("bitcoin")
  const context = bitcoin === undefined ? undefined : contextOf(bitcoin, facts.market)
  const btcChange = context?.btcChange24h ?? null
  const wide = movers.find(({ verdict }) => verdict === "market_wide")
  const drivers = wide?.drivers ?? []
  const cited = new Set(drivers.flatMap(({ citations }) => citations))
  const figures = btcChange === null ? [] : [bitcoinFigure(facts)]
  const reports = (wide?.citations ?? []).filter(({ id }) => cited.has(id))
  return {
    summary: btcChange === null ? "" : `Bitcoin changed ${signed(btcChange)} over 24 hours. [1]`,
    btc_change_24h: btcChange,
    eth_change_24h: context?.ethChange24h ?? null,
    total_cap_change_24h: context?.totalCapChange24h ?? null,
    top100_median_change_24h: context?.top100MedianChange24h ?? null,
    top100_up_pct: context?.top100UpPct ?? null,
    drivers,
    citations: [...figures, ...reports].map((citation, at) => ({ ...citation, n: at + 1 }))
  }
}

const bitcoinFigure = (facts: RunFacts): Omit<Citation, "n"> => ({
  id: "m1",
  type: "market_data",
  title: "Bitcoin price and 24h change",
  url: figureSourceOf("bitcoin", facts).coinUrl,
  publisher: facts.source,
  published_at: DateTime.formatIso(facts.observedAt)
})
