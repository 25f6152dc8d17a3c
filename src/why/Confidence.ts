// How well supported an explanation is (WHY.md §3.9): a figure about the evidence, not about the future.
import type { Analysis } from "./Analysis.ts"
import { isSectorWide } from "./Decomposition.ts"
import type { Explanation, Level, Verdict } from "../domain/Explanation.ts"
import type { ReportedEvent } from "./ReportedEvent.ts"
import { isFirstRank } from "./Scoring.ts"

type Confidence = Explanation["confidence"]

const LEVELS: ReadonlyArray<Level> = ["low", "medium", "high"]

const COUNTS = ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"]

/** A small number in letters, so that text carries no figure that no source states. */
const inWords = (count: number): string => COUNTS[count] ?? "many"

/** How well an event is supported as what the move coincides with. */
export const confidenceIn = (event: ReportedEvent, analysis: Analysis): Confidence => {
  const { onset, scored, verdict } = analysis
  const isPrimary = event.reports.some(({ entry }) => entry.item.tier === "primary")
  const isOnTime = onset.known && onset.sharp && event.first.delay >= -1.5 && event.first.delay <= 8
  const isBelowTier1 = event.reports.every(({ entry }) => !isFirstRank(entry.item))
  const isContradicted = scored.some(({ reports }) =>
    reports.some(({ kind, score, sign }) => kind === event.kind && sign === -event.sign && score >= 0.2)
  )
  const corroboration = event.publishers >= 3 ? 1 : event.publishers === 2 ? 0.6 : 0
  const sum =
    0.3 * event.score +
    0.2 * corroboration +
    (isPrimary ? 0.2 : 0) +
    (isOnTime ? 0.15 : 0) +
    0.15 * shareOf(verdict, analysis)
  const score = Math.round(Math.min(1, sum) * 100) / 100
  const most = event.kind === "other" || (isBelowTier1 && event.publishers <= 1) ? 1 : 2
  const step = Math.min(most, score >= 0.75 ? 2 : score >= 0.5 ? 1 : 0) - (isContradicted ? 1 : 0)
  const reasons = [
    isPrimary ? "primary source" : null,
    event.publishers > 1 ? `${inWords(event.publishers)} publishers` : "one publisher",
    isOnTime ? "on time" : null,
    isContradicted ? "reports disagree" : null
  ].filter((reason) => reason !== null)
  return { level: LEVELS[step] ?? "low", score, reasons }
}

/** Without an event the figures alone explain the move, as far as the market or the sector moved with the coin. */
export const confidenceWithoutEvents = ({ isBlind, isDegraded, parts, verdict }: Analysis): Confidence => {
  if (isDegraded) return { level: "low", score: 0, reasons: ["some feeds are down"] }
  if (verdict === "unexplained") return { level: "low", score: 0.2, reasons: ["no report found"] }
  const share = parts.shareMarket + (isSectorWide(parts) ? parts.shareSector : 0)
  return {
    level: share >= 0.7 && !isBlind ? "medium" : "low",
    score: Math.round(50 * Math.min(1, share)) / 100,
    reasons: ["figures only"]
  }
}

/** The share of the move that the verdict speaks of. */
const shareOf = (verdict: Verdict, { parts }: Analysis): number => {
  if (verdict === "market_wide") return parts.shareMarket
  return verdict === "sector" ? parts.shareMarket + parts.shareSector : parts.shareCoin
}
