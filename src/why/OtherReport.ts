// A report about the coin, read for what it states whatever its kind is: what it must satisfy to be told as an event of
// no recognised kind (WHY.md §3.10), what it shares with other reports, and how much it alone speaks for an event behind
// the move.
import { framesTest } from "./Frames.ts"
import { MASKS, saidReason, wording } from "./Lexicon.ts"
import { once } from "./Once.ts"
import type { Onset } from "./Onset.ts"
import { isCoin } from "./Scanning.ts"
import { OPPOSED, type ScoredItem } from "./Scoring.ts"
import { afterQuestion, type Content, contentOf, isDerivative, namesConcept, namesInstitution } from "./Statement.ts"
import { isNotice, supportOf } from "./Support.ts"
import type { WhyInput } from "./WhyInput.ts"

export interface OtherReport {
  readonly one: ScoredItem
  /** Hours after the onset; negative before it. */
  readonly delay: number
  readonly title: Content
  /** Of title and summary, with the other coins that they name. */
  readonly content: () => Content
  /** Whether the headline itself ties what it tells to the move: "X falls after …". */
  readonly isTied: boolean
  /** How much it alone speaks for an event behind the move, 0 to 1. */
  readonly support: () => number
  /** Whether it may stand beside others: near the move, of something done, and not against it. */
  readonly isWitness: () => boolean
}

/** "X blooms as …": the coin, what it did in any words, and when. */
const TIED = new RegExp(`^${MASKS.coin}(?:'s)?(?: [\\w$%.-]+){1,2} (?:as|after|following|amid|on news)\\b`)

/** A name in the summary alone links this much. */
const LEAST_LINK = 0.4

/** The reports about the coin, read for one move. */
export const reportsOf = (
  scored: ReadonlyArray<ScoredItem>,
  { coin, move }: WhyInput,
  onset: Onset
): ReadonlyArray<OtherReport> => {
  const sign = move.changePct >= 0 ? 1 : -1
  return scored
    .filter(({ junk, link }) => link.strength >= LEAST_LINK && !junk)
    .map((one) => {
      const { delay, summary, title: text } = one
      const title = contentOf(text)
      const report: OtherReport = {
        one,
        delay,
        title,
        content: once(() => new Map([...title, ...contentOf(summary), ...othersIn(one, coin.id)])),
        isTied: title.size > 0 && (saidReason(text, sign) !== null || TIED.test(text)),
        support: once(() => supportOf(one, sign, delay, onset.known && onset.sharp)),
        isWitness: once(() => isOfEvent(report) && !goesAgainst(report, sign))
      }
      return report
    })
}

/** The other coins that a report names. */
const othersIn = ({ entry: { scanned } }: ScoredItem, coinId: string): Content =>
  new Map(
    [scanned.title, scanned.summary]
      .flatMap(({ names }) => names)
      .flatMap(({ value }) =>
        isCoin(value) && !value.ambiguous && value.coinId !== coinId ? [[value.coinId, [value.coinId]] as const] : []
      )
  )

/** What happens every week, and what exchanges announce every day. */
export const isEveryday = (one: ScoredItem): boolean => one.routine || (isNotice(one) && isDerivative(one.title))

/**
 * What a report must satisfy, in the order in which it is asked: it is about the coin, on time, of something done, not
 * an everyday matter, not against the direction of the move, and borne out by its words or by others.
 */
export const conditions = ["subject", "time", "statement", "routine", "direction", "witnesses"] as const

export type Condition = (typeof conditions)[number]

/** The first report of an event comes at most 6 h before the onset. */
export const EARLIEST = -6
/** And at most 2 h after it; the onset is known to the hour, which adds one. */
const LATEST = 3

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
const isSubject = (one: ScoredItem): boolean => {
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
const isPriceOnly = ({ title }: ScoredItem): boolean => {
  if (COUNTED.test(title)) return false
  if (!wording.coinUp(title) && !wording.coinDown(title)) return false
  const reason = saidReason(title, 1) ?? saidReason(title, -1)
  if (reason !== null) return isOfMarket(reason)
  return !/[,;:]/.test(title) && contentOf(title.slice(0, title.indexOf(MASKS.coin))).size < LEAST_WORDS
}

/** "What X wants to talk about", "Meet X": a feature, not a report. */
const FEATURE = /^(?:what|how|why|who|where|when|which|meet|inside|here's)\b/

/** Whether a report states something: no question, opinion, retrospect, denial or rumour. */
const isStatement = ({ summary, title }: ScoredItem): boolean =>
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
const goesAgainst = ({ one: { outlook, reports, title } }: OtherReport, sign: number): boolean => {
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
