// What figures and items say about a move, before anything is worded: whose move it is, when it began, and which
// reported events coincide with it.
import { DateTime } from "effect"
import { decompose, type Decomposition } from "./Decomposition.ts"
import type { Verdict } from "./Explanation.ts"
import { findOnset, type Onset } from "./Onset.ts"
import type { PoolItem } from "./Pool.ts"
import { eventsIn, type ReportedEvent } from "./ReportedEvent.ts"
import { scoreItem, type ScoredItem } from "./Scoring.ts"
import { verdictOf } from "./Verdict.ts"
import { marketReports, sectorReports } from "./WideEvents.ts"
import { EVIDENCE_HOURS, FRESH_SHARE, type WhyInput } from "./WhyInput.ts"

/** The result. */
export interface Analysis {
  readonly parts: Decomposition
  readonly verdict: Verdict
  /** Too few feeds are fresh: nothing is explained. */
  readonly isDegraded: boolean
  /** When the coin's own move began; for a market-wide verdict, when the market's did. */
  readonly onset: Onset
  /** What the verdict rests on, the likeliest cause first. */
  readonly events: ReadonlyArray<ReportedEvent>
  /** Every item inside the window, scored for this coin, oldest first. */
  readonly scored: ReadonlyArray<ScoredItem>
  /** How much was searched. */
  readonly search: { readonly items: number; readonly publishers: number }
}

const HOUR = 3_600_000

/** Analyses one move over a pool of items. */
export const analyse = (input: WhyInput, pool: ReadonlyArray<PoolItem>): Analysis => {
  const { asOf, coin, coverage, market, move } = input
  const sign = move.changePct >= 0 ? 1 : -1
  const parts = decompose(coin.id, move.changePct, market)
  const coinOnset = findOnset({ asOf, sign, hourly: move.hourly, btcHourly: market.btcHourly, beta: parts.beta })
  const marketOnset = findOnset({ asOf, sign, hourly: market.btcHourly ?? move.hourly, btcHourly: null, beta: 0 })
  const now = DateTime.toEpochMillis(asOf)
  const oldest = now - Math.max(EVIDENCE_HOURS, coverage.windowHours) * HOUR
  const scored = pool.filter(({ at }) => at >= oldest && at <= now).map((entry) => scoreItem(entry, input, coinOnset))
  const events = {
    coin: eventsIn(scored.flatMap(({ reports }) => reports)),
    market: eventsIn(marketReports(scored, input, marketOnset)),
    sector: parts.sectorId === null ? [] : eventsIn(sectorReports(scored, input, coinOnset, parts.sectorId))
  }
  const verdict = verdictOf(parts, {
    coin: events.coin[0]?.score ?? 0,
    market: events.market[0]?.score ?? 0,
    sector: events.sector[0]?.score ?? 0
  })
  const isDegraded = coverage.freshShare < FRESH_SHARE
  return {
    parts,
    verdict,
    isDegraded,
    onset: verdict === "market_wide" ? marketOnset : coinOnset,
    events: isDegraded ? [] : eventsFor(verdict, events),
    scored,
    search: { items: pool.length, publishers: new Set(pool.map(({ item }) => item.publisher)).size }
  }
}

const eventsFor = (
  verdict: Verdict,
  events: Readonly<Record<"coin" | "market" | "sector", ReadonlyArray<ReportedEvent>>>
): ReadonlyArray<ReportedEvent> => {
  if (verdict === "unexplained") return []
  return verdict === "coin_specific" ? events.coin : verdict === "market_wide" ? events.market : events.sector
}
