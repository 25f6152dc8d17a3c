// The engine for one mover: figures and items in, an explanation out. Pure and deterministic; the clock is part of the
// input.
import { type Analysis, analyse } from "./Analysis.ts"
import * as Citations from "./Citations.ts"
import { confidenceIn, confidenceWithoutEvents } from "./Confidence.ts"
import type { Citation, Coverage, Driver, Explanation, Sentence } from "../domain/Explanation.ts"
import type { Onset } from "./Onset.ts"
import { type Pool, type PoolItem, readPool } from "./Pool.ts"
import type { ReportedEvent } from "./ReportedEvent.ts"
import { cut } from "./Text.ts"
import { EVIDENCE_HOURS, type WhyInput } from "./WhyInput.ts"
import { compose, headlineOf } from "./Writing.ts"

/** An explanation, and what its citations refer to. */
export interface Explained {
  readonly explanation: Explanation
  /** Its reports by the ids of their items. */
  readonly cited: Citations.CitedReports
  /** How each item was judged. */
  readonly analysis: Analysis
}

/** The most that a driver quotes of its headline, in characters. */
const DRIVER_QUOTE = 200

/** Explains one mover. A `pool` that was read once serves all movers of a run. */
export const explain = (input: WhyInput, pool: Pool = readPool(input.evidence, [input.coin])): Explained => {
  const { coin, move } = input
  const analysis = analyse(input, pool)
  const { events, isDegraded, onset, parts, verdict } = analysis
  const [lead] = events
  const cited = Citations.numberReports(events)
  const sentences = compose(input, analysis, cited)
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
      status: isDegraded ? "insufficient_coverage" : verdict === "coin_specific" ? "explained" : verdict,
      verdict: isDegraded ? null : verdict,
      headline: headlineOf(input, isDegraded ? null : verdict, lead),
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
      coverage: coverageOf(input, analysis)
    },
    cited,
    analysis
  }
}

const driverOf = (event: ReportedEvent, rank: number, analysis: Analysis, cited: Citations.CitedReports): Driver => ({
  rank,
  role: event.role,
  kind: event.kind,
  direction: event.sign >= 0 ? "up" : "down",
  summary: cut(event.reports[0].entry.item.title, DRIVER_QUOTE),
  first_reported_at: Citations.memberTime(event.first.entry.at, event.first.entry.item.precision),
  minutes_after_onset: minutesAfter(analysis.onset, event.first.entry),
  publishers: event.publishers,
  confidence: confidenceIn(event, analysis).level,
  citations: Citations.idsOf(event, cited)
})

/** `null` where the start of the move or the time of the report is not known to the hour. */
const minutesAfter = (onset: Onset, { at, item }: PoolItem): number | null =>
  onset.known && item.precision === "instant" ? Math.round((at - onset.at) / 60_000) : null

/** The sentences, each with the numbers of its citations in brackets. */
export const summaryOf = (sentences: ReadonlyArray<Sentence>, citations: ReadonlyArray<Citation>): string => {
  const numbers = new Map(citations.map(({ id, n }) => [id, n]))
  return sentences
    .map(({ citations, text }) => `${text} ${citations.map((id) => `[${numbers.get(id) ?? 0}]`).join("")}`)
    .join(" ")
}

const coverageOf = ({ coverage }: WhyInput, { scored, search }: Analysis): Coverage => {
  return {
    items_considered: search.items,
    items_linked: scored.filter(({ junk, link }) => link.strength > 0 && !junk).length,
    sources_ok: coverage.sourcesOk,
    sources_failed: coverage.sourcesFailed,
    window_hours: EVIDENCE_HOURS,
    newest_item_at: search.newest === null ? null : Citations.timeText(search.newest)
  }
}

/** Finite, with two decimals. */
const rounded = (value: number): number => (Number.isFinite(value) ? Math.round(value * 100) / 100 + 0 : 0)
