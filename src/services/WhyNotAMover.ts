// What is said of a coin that is not among the movers: its change, and what keeps it off the list.
import type { Coin } from "../domain/Coin.ts"
import { explain } from "../why/Explain.ts"
import { barrierOf, type MoverCandidate, type NotAMover, reasonFor, thresholdOf } from "../why/Movers.ts"
import { candidatesAt } from "./MoverCandidates.ts"
import { inputOf, type RunFacts } from "./WhyInputs.ts"
import { withoutReasons } from "./WhyMarket.ts"
import type { MoverView } from "./WhyMemory.ts"

/** Why a coin is not among the movers. */
export interface NotAMoverView {
  readonly reason: NotAMover
  /** What its change had to reach, in percent. */
  readonly threshold: number
  readonly sigma: number | null
  /** Its change, `null` where nobody says it. */
  readonly change: number | null
}

/** The coin as the run saw it, beside the movers listed. */
export const notAMoverOf = (
  coin: Coin,
  facts: RunFacts,
  listed: ReadonlyArray<MoverView>
): { readonly view: MoverView; readonly notAMover: NotAMoverView } => {
  const candidate = candidatesAt(facts.market, facts.asOf)(coin)
  const { explanation } = explain(inputOf(coin, coin.change_24h ?? 0, facts, []), [])
  return {
    view: {
      ...withoutReasons(explanation, coin),
      first_explained_at: facts.asOf,
      revised_at: facts.asOf
    },
    notAMover: {
      reason: reasonFor(candidate),
      threshold: reachable(candidate, listed),
      sigma: candidate.sigma,
      change: coin.change_24h
    }
  }
}

/** The threshold; for the sixth of five gainers or losers what the fifth has. */
const reachable = (candidate: MoverCandidate, listed: ReadonlyArray<MoverView>): number => {
  const own = thresholdOf(candidate)
  const change = candidate.change24h ?? 0
  if (barrierOf(candidate) !== null || Math.abs(change) < own) return own
  const sizes = listed
    .filter(({ change_24h }) => Math.sign(change_24h) === Math.sign(change))
    .map(({ change_24h }) => Math.abs(change_24h))
  return sizes.length === 0 ? own : Math.max(own, Math.abs(change), Math.min(...sizes))
}
