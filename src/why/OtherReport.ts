// A report about the coin, read for what it states whatever its kind is: what it shares with other reports, and how much
// it alone speaks for an event behind the move.
import { MASKS, saidReason } from "./Lexicon.ts"
import { once } from "./Once.ts"
import type { Onset } from "./Onset.ts"
import { isCoin } from "./Scanning.ts"
import type { ScoredItem } from "./Scoring.ts"
import { type Content, contentOf, isDerivative } from "./Statement.ts"
import { isNotice, supportOf } from "./Support.ts"

/** One report. */
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
  /** Whether it may stand beside others. */
  readonly isWitness: () => boolean
}

const HOUR = 3_600_000

/** "X blooms as …": the coin, what it did in any words, and when. */
const TIED = new RegExp(`^${MASKS.coin}(?:'s)?(?: [\\w$%.-]+){1,2} (?:as|after|following|amid|on news)\\b`)

/** Reads a scored item for a move in the direction of `sign` that began at `onset`. */
export const otherReport = (
  one: ScoredItem,
  coinId: string,
  sign: number,
  onset: Onset,
  isWitness: (report: OtherReport, sign: number) => boolean
): OtherReport => {
  const delay = (one.entry.at - onset.at) / HOUR
  const { summary, title: text } = one
  const title = contentOf(text)
  const report: OtherReport = {
    one,
    delay,
    title,
    content: once(() => new Map([...title, ...contentOf(summary), ...othersIn(one, coinId)])),
    isTied: title.size > 0 && (saidReason(text, sign) !== null || TIED.test(text)),
    support: once(() => supportOf(one, sign, delay, onset.known && onset.sharp)),
    isWitness: once(() => isWitness(report, sign))
  }
  return report
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

/** Whether its publisher is the source itself, or of the first rank. */
export const isFirstRank = ({ one: { entry } }: OtherReport): boolean =>
  entry.item.tier === "tier1" || entry.item.tier === "primary"

/** What happens every week, and what exchanges announce every day. */
export const isEveryday = (one: ScoredItem): boolean => one.routine || (isNotice(one) && isDerivative(one.title))
