// What figures and items say about a move, before anything is worded: whose move it is, when it began, and which
// reported events coincide with it.
import { DateTime } from "effect"
import { decompose, type Decomposition, verdictOf } from "./Decomposition.ts"
import type { Verdict } from "../domain/Explanation.ts"
import { findOnset, type Onset } from "./Onset.ts"
import { areOldFigures } from "./RunFacts.ts"
import { rememberEach } from "../domain/rememberEach.ts"
import type { Pool, PoolItem } from "./Pool.ts"
import { eventsIn, type ReportedEvent } from "./ReportedEvent.ts"
import { scoreItem, type ScoredItem } from "./Scoring.ts"
import { marketReports, sectorReports } from "./WideEvents.ts"
import { EVIDENCE_HOURS, FRESH_SHARE, type WhyInput } from "./WhyInput.ts"

export interface Analysis {
  readonly parts: Decomposition
  readonly verdict: Verdict
  /** Too few feeds are fresh, or the figures are old. Then no report is cited as a cause. */
  readonly isBlind: boolean
  /** Blind, and the figures alone do not explain the move either. */
  readonly isDegraded: boolean
  /** When the coin's own move began; for a market-wide verdict, when the market's did. */
  readonly onset: Onset
  /** What the verdict rests on, the likeliest cause first. */
  readonly events: ReadonlyArray<ReportedEvent>
  /** Every item inside the window that names this coin, scored for it. */
  readonly scored: ReadonlyArray<ScoredItem>
  /** How much was searched; the newest item inside the window, epoch milliseconds. */
  readonly search: { readonly items: number; readonly publishers: number; readonly newest: number | null }
}

const HOUR = 3_600_000

export const analyse = (input: WhyInput, pool: Pool): Analysis => {
  const { asOf, coin, coverage, market, move } = input
  const sign = move.changePct >= 0 ? 1 : -1
  const parts = decompose(coin.id, move.changePct, market)
  const btcHourly = coin.id === "bitcoin" ? null : market.btcHourly
  const marketOnset = findOnset({ asOf, sign, hourly: market.btcHourly ?? move.hourly, btcHourly: null, beta: 0 })
  const coinOnset = findOnset({ asOf, sign, hourly: move.hourly, btcHourly, beta: parts.beta })
  const now = DateTime.toEpochMillis(asOf)
  const oldest = now - EVIDENCE_HOURS * HOUR
  const isInside = ({ at }: PoolItem): boolean => at >= oldest && at <= now
  const named = pool.about(coin.id).filter(isInside)
  const scored = named.map((entry) => scoreItem(entry, input, coinOnset))
  const areFiguresOld = areOldFigures({ asOf, observedAt: input.figures.observedAt })
  const isBlind = areFiguresOld || coverage.freshShare < FRESH_SHARE
  // Reports on the market and the sector are read where the figures ask for them.
  const eventsFor = rememberEach(4, (verdict: Verdict): ReadonlyArray<ReportedEvent> => {
    if (isBlind || verdict === "unexplained") return []
    if (verdict === "coin_specific") return eventsIn(scored.flatMap(({ reports }) => reports))
    if (verdict === "market_wide") return eventsIn(marketReports(pool.items.filter(isInside), input, marketOnset))
    if (parts.sectorId === null) return []
    const items = pool.items.filter(isInside)
    return eventsIn([
      ...sectorReports(items, input, coinOnset, parts.sectorId),
      ...marketReports(items, input, coinOnset)
    ])
  })
  const verdict = verdictOf(parts, (candidate) => eventsFor(candidate)[0]?.score ?? 0)
  return {
    parts,
    verdict,
    isBlind,
    // What the market's figures show needs no feed.
    isDegraded: isBlind && (areFiguresOld || verdict === "unexplained"),
    onset: verdict === "market_wide" ? marketOnset : coinOnset,
    events: eventsFor(verdict),
    scored,
    search: {
      items: pool.size,
      publishers: pool.publishers,
      newest: pool.newest(oldest, now)
    }
  }
}
