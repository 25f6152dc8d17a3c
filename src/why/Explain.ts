// The engine for one mover: figures and items in, an explanation out. Pure and deterministic; the clock is part of the
// input.
import * as Citations from "./Citations.ts"
import { confidenceIn, confidenceWithoutEvents } from "./Confidence.ts"
import { decompose, type Decomposition, verdictOf } from "./Decomposition.ts"
import type { Citation, Driver, Explanation, Sentence, Verdict } from "../domain/Explanation.ts"
import { findOnset, type Onset } from "./Onset.ts"
import { type Pool, readPool } from "./Pool.ts"
import { eventsIn, type ReportedEvent } from "./ReportedEvent.ts"
import { scoreItem, type ScoredItem } from "./Scoring.ts"
import { wideReports } from "./WideEvents.ts"
import { areOldFigures, EVIDENCE_HOURS, FRESH_SHARE, type WhyInput } from "./RunFacts.ts"
import { compose, cut, headlineOf } from "./Writing.ts"

/** What figures and items say about a move, before anything is worded. */
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
  /** Every item that may name this coin, scored for it. */
  readonly scored: ReadonlyArray<ScoredItem>
}

const analyse = (input: WhyInput, pool: Pool): Analysis => {
  const { asOf, coin, coverage, figures, market, move } = input
  const sign = move.changePct >= 0 ? 1 : -1
  const parts = decompose(coin.id, move.changePct, market)
  const coinOnset = findOnset(asOf, sign, move.hourly)
  const scored = pool.about(coin.id).map((entry) => scoreItem(entry, input, coinOnset))
  const areFiguresOld = areOldFigures({ asOf, observedAt: figures.observedAt })
  const isBlind = areFiguresOld || coverage.freshShare < FRESH_SHARE
  const ofCoin = isBlind ? [] : eventsIn(scored.flatMap(({ report }) => report ?? []))
  const verdict = verdictOf(parts, ofCoin[0]?.best.score ?? 0)
  const onset = verdict === "market_wide" ? findOnset(asOf, sign, market.btcHourly ?? move.hourly) : coinOnset
  const isWide = verdict === "market_wide" || verdict === "sector"
  const categories = verdict === "sector" ? [parts.sectorId ?? "", ...coin.categories] : []
  return {
    parts,
    verdict,
    isBlind,
    // What the market's figures show needs no feed.
    isDegraded: isBlind && (areFiguresOld || verdict === "unexplained"),
    onset,
    events: isWide && !isBlind ? eventsIn(wideReports(pool.items, sign, onset, categories)) : ofCoin,
    scored
  }
}

export interface Explained {
  readonly explanation: Explanation
  /** Its reports by the ids of their items. */
  readonly cited: Citations.CitedReports
  readonly analysis: Analysis
}

/** Explains one mover. A `pool` that was read once serves all movers of a run. */
export const explain = (input: WhyInput, pool: Pool = readPool(input.evidence, [input.coin])): Explained => {
  const { coin, coverage, move } = input
  const analysis = analyse(input, pool)
  const { events, isDegraded, onset, parts, scored } = analysis
  const [lead] = events
  const verdict = isDegraded ? null : analysis.verdict
  const cited = Citations.numberReports(events)
  const sentences = compose(input, analysis, pool, cited)
  const drivers = events.map((event, at) => driverOf(event, at + 1, analysis, cited))
  const used = [...sentences, ...drivers].flatMap(({ citations }) => citations)
  const citations = Citations.citationsOf(used, [...Citations.figuresOf(input), ...cited.values()])
  return {
    explanation: {
      id: coin.id,
      symbol: coin.symbol,
      name: coin.name,
      rank: coin.rank,
      direction: move.changePct >= 0 ? "up" : "down",
      price_usd: move.price,
      change_24h: move.changePct,
      volume_24h_usd: move.volume24h,
      volume_ratio_7d: null,
      status: verdict === "coin_specific" ? "explained" : (verdict ?? "insufficient_coverage"),
      verdict,
      headline: headlineOf(input, verdict, lead),
      summary: summaryOf(sentences, citations),
      sentences,
      drivers,
      decomposition: {
        market: rounded(parts.market),
        sector: rounded(parts.sector),
        coin: rounded(parts.coin),
        beta: rounded(parts.beta),
        onset_at: onset.known ? Citations.timeText(onset.at) : null,
        sharp: onset.sharp
      },
      confidence: lead === undefined ? confidenceWithoutEvents(analysis) : confidenceIn(lead, analysis),
      citations,
      coverage: {
        items_considered: pool.size,
        items_linked: scored.filter(({ junk, link }) => link > 0 && !junk).length,
        sources_ok: coverage.sourcesOk,
        sources_failed: coverage.sourcesFailed,
        window_hours: EVIDENCE_HOURS,
        newest_item_at: pool.newest === null ? null : Citations.timeText(pool.newest)
      }
    },
    cited,
    analysis
  }
}

const driverOf = (event: ReportedEvent, rank: number, analysis: Analysis, cited: Citations.CitedReports): Driver => {
  const { best, first, publishers, reports, role } = event
  const isKnown = analysis.onset.known && first.entry.item.precision === "instant"
  return {
    rank,
    role,
    kind: best.kind,
    direction: best.sign >= 0 ? "up" : "down",
    summary: cut(best.entry.item.title, 200),
    first_reported_at: Citations.memberTime(first.entry),
    minutes_after_onset: isKnown ? Math.round(first.delay * 60) : null,
    publishers,
    confidence: confidenceIn(event, analysis).level,
    citations: Citations.idsOf(reports, cited)
  }
}

/** The sentences, each with the numbers of its citations in brackets. */
export const summaryOf = (sentences: ReadonlyArray<Sentence>, citations: ReadonlyArray<Citation>): string => {
  const numbers = new Map(citations.map(({ id, n }) => [id, n]))
  return sentences
    .map(({ citations, text }) => `${text} ${citations.map((id) => `[${numbers.get(id) ?? 0}]`).join("")}`)
    .join(" ")
}

const rounded = (value: number): number => (Number.isFinite(value) ? Math.round(value * 100) / 100 + 0 : 0)
