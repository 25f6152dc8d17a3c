// Reads what a report says happened: the kind of event, which way it pushes, and how much such a report is worth. It
// reads masked text (`masked`), so a pattern can tell what was done to the coin from what was done to another.
import { type Framed, framed } from "./Frames.ts"
import { type EventKind, has, kindRules, type KindRule, MASKS, reasonIn, wording } from "./Lexicon.ts"
import { isBadNews, isReason, namesConcept, statedIn } from "./Statement.ts"

export interface Reading {
  readonly kind: EventKind
  /** 0 to 1. */
  readonly weight: number
  /** Which way it pushes: 1 up, -1 down, 0 where the text does not tell. */
  readonly sign: number
  readonly inTitle: boolean
}

/** How much a report is worth, and what is left of it for an event in the summary alone. */
const WEIGHT = 0.9
const IN_SUMMARY = 0.6

/** Which way an event pushes by the words of its texts: 1 up, -1 down, 0 where they do not tell. */
const toneOf = (rule: KindRule, texts: ReadonlyArray<Framed>): number => {
  if (texts.some(rule.upFirst)) return 1
  if (texts.some(rule.downFirst)) return -1
  const up = texts.some(rule.up)
  const down = texts.some(rule.down)
  if (rule.direction > 0) return down ? -1 : 1
  if (rule.direction < 0) return up ? 1 : -1
  return Number(up) - Number(down)
}

const matchesIn = (rule: KindRule, text: Framed): boolean =>
  rule.matches(text) && rule.requires(text) && !rule.cancels(text)

/**
 * The clauses of a text that deny nothing: "do not connect: the site is taken over" tells its second. Nothing where the coin
 * is named only in others: "A's bridge is hacked, B is unaffected".
 */
const affirmedIn = (text: string): string => {
  if (!wording.negation(text)) return text
  const clauses = text.split(/[:;?]|, | as /).filter((clause) => !wording.negation(clause))
  const affirmed = clauses.join(" . ")
  return text.includes(MASKS.coin) && !affirmed.includes(MASKS.coin) ? "" : affirmed
}

const readKinds = (rules: ReadonlyArray<KindRule>, whole: string, wholeSummary: string): ReadonlyArray<Reading> => {
  const affirmed = { title: framed(affirmedIn(whole)), summary: framed(affirmedIn(wholeSummary)) }
  const undenied = { title: framed(wording.denial(whole) ? "" : whole), summary: framed(wholeSummary) }
  const isDelayed = wording.delay(whole)
  return rules.flatMap((rule): ReadonlyArray<Reading> => {
    // "Was not a security" is a ruling, "has not produced a block" an outage: only a plain denial takes these back.
    const { summary, title } = rule.traits.has("negative") ? undenied : affirmed
    const inTitle = matchesIn(rule, title)
    if (!inTitle && !matchesIn(rule, summary)) return []
    const weight = WEIGHT * (inTitle ? 1 : IN_SUMMARY)
    // What is put off is bad news.
    const sign = rule.direction > 0 && isDelayed ? -1 : toneOf(rule, [title, summary])
    return [{ kind: rule.kind, weight, sign, inTitle }]
  })
}

/**
 * All readings of a masked title and summary. `moveSign`: which way the coin went. `isCareful`: whether its publisher is
 * believed in an event of no known kind that it does not tie to a move.
 */
export const read = (title: string, summary: string, moveSign: number, isCareful: boolean): ReadonlyArray<Reading> => {
  const ofKinds = readKinds(kindRules, title, summary)
  if (ofKinds.some(({ inTitle, kind }) => inTitle && !has("wide", kind))) return ofKinds
  return [...ofKinds, ...readWithoutKind(title, moveSign, isCareful)]
}

const WIDE_RULES = kindRules.filter(({ traits }) => traits.has("movesAll"))

/** The readings of a title by the kinds that move all prices. */
export const readWide = (title: string): ReadonlyArray<Reading> => readKinds(WIDE_RULES, title, "")

/** What a title must state, in words, to tell of an event. */
const LEAST_WORDS = 2

/** Whether a masked title that tells which way prices went tells nothing else: it gives no reason, or one that is only what traders do. */
export const statesOnlyPrice = (title: string): boolean => {
  const way = wording.way(title)
  if (way === 0) return false
  const reason = reasonIn(title, way)
  if (reason === null) return statedIn(title) < LEAST_WORDS
  return !isReason(reason)
}

/** Another coin. Of a stablecoin a title may tell what happens to it on this chain. */
const OTHER_COIN = new RegExp(`${MASKS.other}(?! stablecoin)`)

/** A title that names the coin first and says in any words that something was done. */
const readWithoutKind = (title: string, moveSign: number, isCareful: boolean): ReadonlyArray<Reading> => {
  const at = title.indexOf(MASKS.coin)
  const other = title.search(OTHER_COIN)
  if (at < 0 || (other >= 0 && other < at)) return []
  const text = framed(title)
  if (kindRules.some((rule) => rule.matches(text) && rule.takesBack(text))) return []
  const reason = reasonIn(title, moveSign)
  if (reason === null) {
    if (!isCareful || wording.ofCoinsPrice(title) || wording.negation(title) || !namesConcept(title)) return []
  }
  if (statedIn(reason ?? title) < LEAST_WORDS) return []
  const sign = reason !== null ? moveSign : isBadNews(title) ? -1 : 1
  return [{ kind: "other", weight: WEIGHT, sign, inTitle: true }]
}
