// The answer for a coin that is not among the movers: its change in one cited sentence, and why it is not on the list.
import type { Coin } from "../domain/Coin.ts"
import { explain, summaryOf } from "./Explain.ts"
import type { Explanation } from "../domain/Explanation.ts"
import { barrierOf, candidatesAt, type MoverCandidate, thresholdOf } from "./Movers.ts"
import { inputOf, type RunFacts } from "./RunFacts.ts"

export const notAMoverOf = (coin: Coin, facts: RunFacts, listed: ReadonlyArray<Explanation>) => {
  const candidate = candidatesAt(facts.market, facts.asOf)(coin)
  const reason = barrierOf(candidate) ?? "below_threshold"
  const { explanation } = explain(inputOf(coin, facts, []))
  // The first sentence states the change.
  const sentences = coin.change_24h === null ? [] : explanation.sentences.slice(0, 1)
  const ids = new Set(sentences.flatMap(({ citations }) => citations))
  const citations = explanation.citations.filter(({ id }) => ids.has(id))
  const view: Explanation = {
    ...explanation,
    status: "not_a_mover",
    verdict: null,
    headline: `${explanation.name} is not among the biggest movers`,
    summary: summaryOf(sentences, citations),
    sentences,
    drivers: [],
    confidence: { level: "low", score: 0, reasons: ["not a mover"] },
    citations
  }
  const threshold = reason === "below_threshold" ? thresholdBeside(listed, candidate) : thresholdOf(candidate)
  return { explanation: view, notAMover: { reason, threshold, sigma: candidate.sigma, change: coin.change_24h } }
}

/** Why a coin is not among the movers, and what its change had to reach. Percent, `null` where unknown. */
export type NotAMover = ReturnType<typeof notAMoverOf>["notAMover"]

/** What a change must reach, percent: the threshold, and where five larger movers fill a side, the smallest of those. */
const thresholdBeside = (listed: ReadonlyArray<Explanation>, candidate: MoverCandidate): number => {
  const own = thresholdOf(candidate)
  const change = candidate.change24h ?? 0
  if (Math.abs(change) < own) return own
  const larger = listed.map(({ change_24h }) => change_24h * Math.sign(change)).filter((size) => size > 0)
  return Math.max(Math.abs(change), larger.length === 0 ? 0 : Math.min(...larger))
}
