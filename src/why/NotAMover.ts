// The answer for a coin that is not among the movers: its change in one cited sentence, and why it is not on the list.
import type { Coin } from "../domain/Coin.ts"
import { explain, summaryOf } from "./Explain.ts"
import type { Explanation, NotAMoverReason } from "../domain/Explanation.ts"
import { candidatesAt } from "./MoverCandidates.ts"
import { barrierOf, type MoverCandidate, thresholdOf } from "./Movers.ts"
import { inputOf, type RunFacts } from "./RunFacts.ts"

/** Why a coin is not among the movers. Percent, `null` where unknown. */
export interface NotAMover {
  readonly reason: NotAMoverReason
  /** What its change had to reach. */
  readonly threshold: number
  readonly sigma: number | null
  readonly change: number | null
}

/** The coin as the run saw it, beside the movers that it lists. */
export const notAMoverOf = (
  coin: Coin,
  facts: RunFacts,
  listed: ReadonlyArray<Explanation>
): { readonly explanation: Explanation; readonly notAMover: NotAMover } => {
  const candidate = candidatesAt(facts.market, facts.asOf)(coin)
  const { explanation } = explain(inputOf(coin, facts, []))
  return {
    explanation: withoutReasons(explanation, coin),
    notAMover: {
      reason: barrierOf(candidate) ?? "below_threshold",
      threshold: thresholdBeside(listed, candidate),
      sigma: candidate.sigma,
      change: coin.change_24h
    }
  }
}

/** What a change must reach, percent: the threshold, and where five larger movers fill a side, the smallest of those. */
const thresholdBeside = (listed: ReadonlyArray<Explanation>, candidate: MoverCandidate): number => {
  const own = thresholdOf(candidate)
  const change = candidate.change24h ?? 0
  if (barrierOf(candidate) !== null || Math.abs(change) < own) return own
  const sizes = listed
    .filter(({ change_24h }) => Math.sign(change_24h) === Math.sign(change))
    .map(({ change_24h }) => Math.abs(change_24h))
  return sizes.length === 0 ? own : Math.max(own, Math.abs(change), Math.min(...sizes))
}

/**
 * The explanation cut down to its first sentence, or to none where the change is unknown, with what that sentence
 * cites.
 */
const withoutReasons = (explanation: Explanation, coin: Coin): Explanation => {
  const sentences = coin.change_24h === null ? [] : explanation.sentences.slice(0, 1)
  const ids = new Set(sentences.flatMap(({ citations }) => citations))
  const citations = explanation.citations.filter(({ id }) => ids.has(id))
  return {
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
}
