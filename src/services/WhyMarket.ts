// The market's own line above the movers, and the one sentence about a coin that is none.
import { DateTime, Schema } from "effect"
import type { Coin } from "../domain/Coin.ts"
import { Citation, Driver, type Explanation } from "../why/Explanation.ts"
import { signed } from "../why/Writing.ts"
import { contextOf } from "./MarketFacts.ts"
import { inputOf, type RunFacts } from "./WhyInputs.ts"

const Figure = Schema.NullOr(Schema.Finite)

/**
 * What the market did, in percent over 24 hours, and what is reported to coincide with it. `citations`: what the markers in
 * `summary` and the ids in `drivers` stand for.
 */
export const MarketView = Schema.Struct({
  summary: Schema.String,
  btc_change_24h: Figure,
  eth_change_24h: Figure,
  total_cap_change_24h: Figure,
  top100_median_change_24h: Figure,
  top100_up_pct: Figure,
  drivers: Schema.Array(Driver),
  citations: Schema.Array(Citation)
})

/** {@link MarketView}. */
export type MarketView = typeof MarketView.Type

/** The market of a run. Its drivers are those of the movers that moved with it: they are worked out for all alike. */
export const marketViewOf = (facts: RunFacts, movers: ReadonlyArray<Explanation>): MarketView => {
  const bitcoin = facts.market.coins.byId.get("bitcoin")
  const btcChange = bitcoin?.change_24h ?? null
  const wide = movers.find(({ verdict }) => verdict === "market_wide")
  const drivers = wide?.drivers ?? []
  const cited = new Set(drivers.flatMap(({ citations }) => citations))
  const figures: ReadonlyArray<Omit<Citation, "n">> =
    bitcoin === undefined || btcChange === null
      ? []
      : [
          {
            id: "m1",
            type: "market_data",
            title: "Bitcoin price and 24h change",
            url: inputOf(bitcoin, btcChange, facts, []).figures.coinUrl,
            publisher: facts.source,
            published_at: iso(facts)
          }
        ]
  const items = (wide?.citations ?? []).filter(({ id }) => cited.has(id) && id !== "m1")
  const context = bitcoin === undefined ? undefined : contextOf(bitcoin, facts.market)
  return {
    summary: btcChange === null ? "" : `Bitcoin changed ${signed(btcChange)} over 24 hours. [1]`,
    btc_change_24h: btcChange,
    eth_change_24h: context?.ethChange24h ?? null,
    total_cap_change_24h: context?.totalCapChange24h ?? null,
    top100_median_change_24h: context?.top100MedianChange24h ?? null,
    top100_up_pct: context?.top100UpPct ?? null,
    drivers,
    citations: [...figures, ...items].map((citation, n) => ({ ...citation, n: n + 1 }))
  }
}

const iso = ({ observedAt }: RunFacts): string => DateTime.formatIso(observedAt)

/** An explanation cut down to what can be said of a coin that is no mover: its change, with the figures it stands on. */
export const withoutReasons = (explanation: Explanation, coin: Coin): Explanation => {
  const sentences = coin.change_24h === null ? [] : explanation.sentences.slice(0, 1)
  const ids = [...new Set(sentences.flatMap(({ citations }) => citations))]
  const citations = ids.flatMap((id, n) =>
    explanation.citations.filter((citation) => citation.id === id).map((citation) => ({ ...citation, n: n + 1 }))
  )
  const markers = citations.map(({ n }) => `[${n}]`).join("")
  return {
    ...explanation,
    status: "not_a_mover",
    verdict: null,
    headline: `${explanation.name} is not among the biggest movers`,
    summary: sentences.map(({ text }) => `${text} ${markers}`).join(" "),
    sentences,
    drivers: [],
    watch: [],
    confidence: { level: "low", score: 0, reasons: ["not a mover"] },
    citations
  }
}
