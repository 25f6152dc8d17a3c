// How much reports together speak for an event behind the move: each by its words (`HeadlineModel`), its kind where one
// is recognised, its publisher, its link to the coin and its time. The doubts that independent publishers
// leave are multiplied: the product is the chance that all of them tell of something else.
import type { EvidenceTier } from "../domain/Evidence.ts"
import { isWide, type ScoredItem } from "./Scoring.ts"

/** An event is told from this support on, which leaves three tenths of doubt. */
export const ENOUGH = 0.7

const BY_TIER: Readonly<Record<EvidenceTier, number>> = { primary: 1, tier1: 1, tier2: 0.85, tier3: 0.5 }

/** How much of a recognised kind's score is believed; less by as much as the words lean the other way. */
const KIND = 0.8

/** How much of that is lost where the words tell of no event. */
const DOUBTED = 0.6

/** Of a known kind, but too small, taken back, or of a sort that seldom moves a coin. */
const SLIGHT = 0.5

const ROUTINE = 0.3

/** Counts like a further report where two publishers tell the same: everyday matters are seldom told twice. */
const SAME_TOLD = 0.4

/** An exchange, a regulator or a court says what it did, be it to several coins. */
export const isNotice = ({ entry: { item } }: ScoredItem): boolean =>
  item.type === "exchange_announcement" || item.type === "regulator"

/** How surely a report is about the coin itself. */
const aboutness = (one: ScoredItem): number => {
  const { aside, currency, host, inTitle, list, otherLeads, venueOnly } = one.link
  return (
    (inTitle ? 1 : 0.7) *
    (otherLeads || list || host || venueOnly ? (isNotice(one) ? 0.9 : 0.5) : 1) *
    (currency ? 0.3 : 1) *
    (aside ? 0.3 : 1)
  )
}

/** How well a report comes with a move that began so many hours before it. */
const timeliness = (delay: number, isSharp: boolean): number =>
  !isSharp || (delay >= -2 && delay <= 4) ? 1 : delay < -2 ? 0.6 : 0.8

/** How much a report alone speaks for an event that pushes in the direction of `sign`, 0 to 1. */
export const supportOf = (one: ScoredItem, sign: number, delay: number, isSharp: boolean): number => {
  const kinds = one.reports.filter((report) => !isWide(report.kind))
  const kind = Math.max(0, ...kinds.filter((report) => report.sign === sign).map(({ score }) => score))
  const slight = kinds.some(({ inTitle, isSlight }) => inTitle && isSlight) ? SLIGHT : 1
  const { bad, good, none } = one.outlook()
  const lean = (good - bad) * sign
  const words =
    (sign > 0 ? good : bad) *
    BY_TIER[one.entry.item.tier] *
    aboutness(one) *
    slight *
    timeliness(delay, isSharp) *
    (one.routine ? ROUTINE : 1)
  return 1 - (1 - words) * (1 - KIND * kind * (1 - DOUBTED * none ** 2) * (1 + Math.min(0, lean)))
}

/** What reports of independent publishers come to together. */
export const together = (supports: ReadonlyArray<number>, tellTheSame: boolean): number =>
  1 - supports.reduce((doubt, one) => doubt * (1 - one), tellTheSame ? 1 - SAME_TOLD : 1)
