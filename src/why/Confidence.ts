// How well supported an explanation is (WHY.md §3.9): a figure about the evidence, not about the future.
import type { Analysis } from "./Explain.ts"
import { isSectorWide } from "./Decomposition.ts"
import type { Explanation, Level } from "../domain/Explanation.ts"
import type { ReportedEvent } from "./ReportedEvent.ts"
import { isFirstRank } from "./Scoring.ts"

type Confidence = Explanation["confidence"]

const LEVELS: ReadonlyArray<Level> = ["low", "medium", "high"]

export const confidenceIn = (event: ReportedEvent, { onset, parts, scored, verdict }: Analysis): Confidence => {
  const { best, first, publishers, reports } = event
  const isPrimary = reports.some(({ entry }) => entry.item.tier === "primary")
  const isOnTime = onset.sharp && first.delay >= -1.5 && first.delay <= 8
  const isContradicted = scored.some(
    ({ report }) => report !== null && report.kind === best.kind && report.sign === -best.sign && report.score >= 0.2
  )
  const share = verdict === "coin_specific" ? parts.shareCoin : parts.shareMarket
  const shareOfSector = verdict === "sector" ? parts.shareSector : 0
  const support = 0.1 * Math.min(2, publishers - 1) + (isPrimary ? 0.2 : 0) + (isOnTime ? 0.15 : 0)
  const sum = 0.3 * best.score + support + 0.15 * (share + shareOfSector)
  const score = Math.round(Math.min(1, sum) * 100) / 100
  const isWeak = best.kind === "other" || (publishers === 1 && !isFirstRank(best.entry.item))
  const step = Math.min(isWeak ? 1 : 2, score >= 0.75 ? 2 : score >= 0.5 ? 1 : 0) - (isContradicted ? 1 : 0)
  const reasons = [
    isPrimary ? "primary source" : null,
    publishers === 1 ? "one publisher" : "several publishers",
    isOnTime ? "on time" : null,
    isContradicted ? "reports disagree" : null
  ].filter((reason) => reason !== null)
  return { level: LEVELS[step] ?? "low", score, reasons }
}

/** Without an event the figures alone explain the move, as far as the market or the sector moved with the coin. */
export const confidenceWithoutEvents = ({ isBlind, isDegraded, parts, verdict }: Analysis): Confidence => {
  if (isDegraded) return { level: "low", score: 0, reasons: ["some feeds are down"] }
  if (verdict === "unexplained") return { level: "low", score: 0.2, reasons: ["no report found"] }
  const share = Math.min(1, parts.shareMarket + (isSectorWide(parts) ? parts.shareSector : 0))
  return {
    level: share >= 0.7 && !isBlind ? "medium" : "low",
    score: Math.round(50 * share) / 100,
    reasons: ["figures only"]
  }
}
