// What a report must satisfy by itself to be told as an event of no recognised kind (WHY.md §3.10).
import { framesTest } from "./Frames.ts"
import { MASKS, saidReason, wording } from "./Lexicon.ts"
import { isEveryday, type OtherReport } from "./OtherReport.ts"
import { OPPOSED, type ScoredItem } from "./Scoring.ts"
import { afterQuestion, contentOf, namesConcept, namesInstitution } from "./Statement.ts"
import { isNotice } from "./Support.ts"

/**
 * What a report must satisfy, in the order in which it is asked: it is about the coin, on time, of something done, not
 * an everyday matter, not against the direction of the move, and borne out by its words or by others.
 */
export const conditions = ["subject", "time", "statement", "routine", "direction", "witnesses"] as const

export type Condition = (typeof conditions)[number]

/** The first report of an event comes at most 6 h before the onset, and 2 h after it: the onset is known to the hour. */
export const EARLIEST = -6
const LATEST = 3

/** A name in the summary alone links this much. */
export const LEAST_LINK = 0.4

/** Words that state something, of which a headline needs this many. */
const LEAST_WORDS = 2

/** The first condition that a report fails, `witnesses` aside; `null` for none. `firstTold`: hours after the onset. */
export const firstFailed = (report: OtherReport, firstTold: () => number, sign: number): Condition | null => {
  const { delay, one, title } = report
  if (!isSubject(one)) return "subject"
  if (delay < EARLIEST || delay > WITNESS_UNTIL || (delay > LATEST && firstTold() > LATEST)) return "time"
  if (title.size < LEAST_WORDS || isPriceOnly(one) || !isStatement(one)) return "statement"
  if (isEveryday(one)) return "routine"
  return goesAgainst(report, sign) ? "direction" : null
}

/** Whether it is about the coin: not one of a list, not another coin's, not only its chain. */
export const isSubject = (one: ScoredItem): boolean => {
  const { aside, currency, list, otherLeads, strength } = one.link
  return strength >= LEAST_LINK && !currency && !aside && (isNotice(one) || (!otherLeads && !list))
}

const namesMarket = framesTest(["OILDOLLAR|INFLATION|RATES|fed|stock|market|altcoin|tariff"])
const namesSector = framesTest(["SECTORWORD"])

const namesTrading = framesTest(["TRADERS|PRICEWORD"])

/** "… as AI names find buyers", "… as traders chase momentum": a reason that is not the coin's own. */
const isOfMarket = (reason: string): boolean =>
  namesMarket(reason) ||
  ((namesSector(reason) || namesTrading(reason) || contentOf(reason).size < LEAST_WORDS) &&
    !namesConcept(reason) &&
    !namesInstitution(reason))

/** "61 million X slip through a contract": coins that are counted are things, not a price. */
const COUNTED = new RegExp(`\\d(?:k|m|bn?| thousand| million| billion)? ${MASKS.coin}\\b`)

/** "X tumbles in heavy trading", "X gains as the dollar slips": the price, with no reason of the coin's own. */
export const isPriceOnly = ({ title }: ScoredItem): boolean => {
  if (COUNTED.test(title)) return false
  if (!wording.coinUp(title) && !wording.coinDown(title)) return false
  const reason = saidReason(title, 1) ?? saidReason(title, -1)
  if (reason !== null) return isOfMarket(reason)
  return !/[,;:]/.test(title) && contentOf(title.slice(0, title.indexOf(MASKS.coin))).size < LEAST_WORDS
}

/** "What X wants to talk about", "Meet X": a feature, not a report. */
const FEATURE = /^(?:what|how|why|who|where|when|which|meet|inside|here's)\b/

/** Whether a report states something: no question, opinion, retrospect, denial or rumour. */
export const isStatement = ({ summary, title }: ScoredItem): boolean =>
  !(
    wording.question(afterQuestion(title)) ||
    FEATURE.test(title) ||
    wording.opinion(title) ||
    wording.retrospective(title) ||
    wording.denial(title) ||
    wording.speculation(title) ||
    wording.speculation(summary)
  )

/**
 * Whether it tells of what would push the price the other way: by a recognised kind that is plainer than any of the
 * move's direction and that its words do not outweigh, or by its verbs, or by its words.
 */
export const goesAgainst = ({ one: { outlook, reports, title } }: OtherReport, sign: number): boolean => {
  const scoreOf = (way: number): number =>
    Math.max(0, ...reports.filter((report) => report.inTitle && report.sign === way).map(({ score }) => score))
  const { bad, good } = outlook()
  const lean = (good - bad) * sign
  const opposed = scoreOf(-sign)
  if (opposed > scoreOf(sign) * OPPOSED) return lean < opposed
  const up = wording.up(title)
  const down = wording.down(title)
  if (up !== down) return (up ? 1 : -1) !== sign && (wording.coinUp(title) || wording.coinDown(title))
  return lean < -CLEARLY
}

/** So much likelier one way than the other: a difference of two chances. */
const CLEARLY = 0.15

/** A report that bears another out may come later. */
const WITNESS_UNTIL = 12

/** Whether a report tells of something done, near the move. */
export const isOfEvent = ({ delay, one }: OtherReport): boolean =>
  delay >= EARLIEST && delay <= WITNESS_UNTIL && !isEveryday(one) && !isPriceOnly(one) && isStatement(one)

/** Whether a report may stand beside others: near the move, of something done, and not against it. */
export const isWitness = (report: OtherReport, sign: number): boolean => isOfEvent(report) && !goesAgainst(report, sign)
