// Who bears a report out (WHY.md §3.10): another that tells the same, or one of weight that comes with the move as well
// and shares a word; or its publisher alone, where that is the source itself, or ties an event of weight to the move.
import { EARLIEST, goesAgainst, isPriceOnly, isRecognised, isStatement, isSubject } from "./OtherConditions.ts"
import { isEveryday, isFirstRank, isNotice, type OtherReport } from "./OtherReport.ts"
import { wording } from "./Lexicon.ts"
import { polarityOf } from "./Polarity.ts"
import type { ScoredItem } from "./Scoring.ts"
import { namesInstitution, sharedWeight } from "./Statement.ts"

/** The words that two reports of one event share, at least. */
const LEAST_WORDS = 2

/** A report that bears another out may come later. */
const WITNESS_UNTIL = 12

/** Within this many hours of the onset, a report comes with the move. */
const CLOSE = 4

/** A report that ties itself to the move stands alone with this many marks of weight. */
const MARKS_ALONE = 3

/** Two reports of the first rank need this many between them. */
const MARKS_TOGETHER = 2

/** What is known of the move. `isWatched`: newsrooms write of the coin every hour. */
export interface Move {
  readonly sign: number
  readonly isWatched: boolean
}

/** Whether `other` bears out what `lead` tells. */
export const bearsOut = (lead: OtherReport, other: OtherReport, move: Move): boolean =>
  other !== lead &&
  other.delay >= EARLIEST &&
  other.delay <= WITNESS_UNTIL &&
  !isEveryday(other.one) &&
  !isPriceOnly(other.one) &&
  !wording.speculation(other.one.title) &&
  !goesAgainst(other, move.sign) &&
  (coincide(lead, other, move) || tellsTheSame(lead, other, move))

const tellsTheSame = (a: OtherReport, b: OtherReport, { isWatched }: Move): boolean => {
  const tied = [a, b].filter(({ isTied }) => isTied).length
  if (tied === 2 || (tied === 1 && isCareful(a) && isCareful(b) && !isWatched)) return true
  return (
    sharedWeight(a.content, b.content) + tied >= LEAST_WORDS &&
    sharedWeight(a.title, b.content) + sharedWeight(b.title, a.content) > 0
  )
}

/** Of a careful publisher, of no recognised kind, and so close to the onset that it may well be of the same event. */
const isCareful = (report: OtherReport): boolean =>
  isFirstRank(report) && !isRecognised(report.one) && report.delay >= -1.5 && report.delay <= CLOSE

/** Reports of weight that both come with the move need to share one word only. */
const coincide = (a: OtherReport, b: OtherReport, { isWatched, sign }: Move): boolean => {
  if (!comesWithMove(a) || !comesWithMove(b) || sharedWeight(a.content, b.content) === 0) return false
  const least = Math.min(a.marks, b.marks)
  const areCareful = isFirstRank(a) && isFirstRank(b)
  if (isWatched) return areCareful && least >= 1 && a.marks + b.marks > MARKS_TOGETHER
  if (areCareful) return a.marks + b.marks >= MARKS_TOGETHER
  return (
    least >= 2 ||
    [a, b].some(({ marks, one }) => one.entry.item.tier === "primary" && marks >= (isOwnPraise(one, sign) ? 2 : 1))
  )
}

/** A project praises itself every day. */
const isOwnPraise = (one: ScoredItem, sign: number): boolean => sign > 0 && !isNotice(one)

const comesWithMove = ({ delay, one, title }: OtherReport): boolean =>
  delay >= -0.5 &&
  delay <= CLOSE &&
  one.entry.item.tier !== "tier3" &&
  title.size > 0 &&
  isSubject(one) &&
  isStatement(one) &&
  !isEveryday(one)

/** Whether a careful publisher says itself that the move is of this event, and names more than the event. */
export const isTiedAlone = (report: OtherReport): boolean =>
  report.one.entry.item.tier === "tier1" && report.isTied && comesWithMove(report) && report.marks >= MARKS_ALONE

/**
 * Whether a primary source is enough alone. A project praises itself every day: its good news needs an amount or an
 * institution, its bad news does not.
 */
export const isPrimaryNews = ({ leaning, one }: OtherReport, { sign }: Move): boolean => {
  if (one.entry.item.tier !== "primary") return false
  if (isNotice(one)) return leaning >= 0
  const text = `${one.title} . ${one.summary}`
  return sign < 0
    ? leaning > 0 || (leaning === 0 && polarityOf(text) < 0)
    : polarityOf(text) > 0 && (namesInstitution(text) || /[$€£]\s?\d/.test(text))
}
