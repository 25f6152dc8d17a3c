// A report about the coin, read for what it states whatever its kind is: what it shares with other reports, which way it
// leans, and what says that it is of weight.
import { MASKS, saidReason } from "./Lexicon.ts"
import { polarityOf } from "./Polarity.ts"
import { isCoin } from "./Scanning.ts"
import { type ScoredItem, tierWeight } from "./Scoring.ts"
import {
  type Content,
  contentOf,
  isDerivative,
  namesAmount,
  namesAuthority,
  namesConcept,
  namesEnforcer
} from "./Statement.ts"

/** One report. */
export interface OtherReport {
  readonly one: ScoredItem
  /** Hours after the onset; negative before it. */
  readonly delay: number
  readonly title: Content
  /** Of title and summary, with the other coins that they name. */
  readonly content: Content
  /** Above 0 where the title leans the way of the move, below 0 where it leans against it. */
  readonly leaning: number
  /** Whether the headline itself ties what it tells to the move: "X falls after …". */
  readonly isTied: boolean
  /**
   * How many things say that it is of weight, 0 to 5: an authority, an amount, a word that is an event by itself, the
   * direction, a tie to the move.
   */
  readonly marks: number
}

/** "X blooms as …": the coin, what it did in any words, and when. */
const TIED = new RegExp(`^${MASKS.coin}(?:'s)?(?: [\\w$%.-]+){1,2} (?:as|after|following|amid|on news)\\b`)

/** Reads a scored item for a move in the direction of `sign`, which began `delay` hours before it. */
export const otherReport = (one: ScoredItem, coinId: string, sign: number, delay: number): OtherReport => {
  const { summary, title: text } = one
  const title = contentOf(text)
  const leaning = polarityOf(text) * sign
  const isTied = title.size > 0 && (saidReason(text, sign) !== null || TIED.test(text))
  const isAdverse = leaning === 0 && sign < 0 && namesEnforcer(text)
  return {
    one,
    delay,
    title,
    content: new Map([...title, ...contentOf(summary), ...othersIn(one, coinId)]),
    leaning,
    isTied,
    marks: [namesAuthority(text), namesConcept(text), namesAmount(text), leaning > 0 || isAdverse, isTied].filter(
      Boolean
    ).length
  }
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

/** How much the word of its publisher weighs. */
export const rankOf = ({ one: { entry } }: OtherReport): number => tierWeight[entry.item.tier]

/** An exchange, a regulator or a court says what it did, be it to several coins. */
export const isNotice = ({ entry: { item } }: ScoredItem): boolean =>
  item.type === "exchange_announcement" || item.type === "regulator"

/** What happens every week, and what exchanges announce every day. */
export const isEveryday = (one: ScoredItem): boolean => one.routine || (isNotice(one) && isDerivative(one.title))
