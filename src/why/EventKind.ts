// Reads what a report says happened: the kind of event, which way it pushes, and how much such a report is worth. It
// reads masked text (`masked`), so a pattern can tell what was done to the coin from what was done to another.
import { type EventKind, has, kindRules, type KindRule, MASKS, saidReason, wording } from "./Lexicon.ts"
import { isBadNews, isOfMarket, namesConcept, namesInstitution, statedIn } from "./Statement.ts"
import { hasClass } from "./Tokens.ts"

export interface Reading {
  readonly kind: EventKind
  /** 0 to 1. */
  readonly weight: number
  /** Which way it pushes: 1 up, -1 down, 0 where the text does not tell. */
  readonly sign: number
  readonly inTitle: boolean
}

const SUMMARY_WEIGHT = 0.6

const toneOf = (rule: KindRule, text: string): number => {
  if (rule.upFirst(text)) return 1
  if (rule.downFirst(text)) return -1
  const up = rule.up(text)
  const down = rule.down(text)
  if (rule.direction > 0) return down ? -1 : 1
  if (rule.direction < 0) return up ? 1 : -1
  if (up && down) return rule.kind === "regulatory" ? 1 : rule.kind === "leadership" ? -1 : 0
  return up ? 1 : down ? -1 : 0
}

/** "has not produced a block": here the negation is the event. */
const STANDS_STILL = /\bnot (?:currently )?(?:produc|process|finali|confirm|includ|mint|mov)/

const matchesIn = (rule: KindRule, text: string): boolean =>
  rule.matches(text) && rule.requires(text) && !rule.cancels(text)

const weightOf = (rule: KindRule, ...texts: ReadonlyArray<string>): number => {
  if (texts.some(rule.weak)) return rule.weight * 0.4
  return texts.some(rule.strong) ? Math.max(rule.weight, 0.95) : rule.weight
}

const countTone = (rule: KindRule, title: string, summary: string): number => {
  const own = toneOf(rule, rule.traits.has("toneInSummary") ? `${title} . ${summary}` : title)
  return own !== 0 ? own : toneOf(rule, summary)
}

/**
 * All readings of a masked title and summary, the best first. `moveSign`: which way the coin went, 0 to leave that out.
 * `isCareful`: whether its publisher is believed where it tells of no known kind, and gives no reason of a move.
 */
export const read = (title: string, summary: string, moveSign: number, isCareful: boolean): ReadonlyArray<Reading> => {
  const strict = readStrictly(title, summary)
  if (strict.some(({ inTitle, kind }) => inTitle && !has("wide", kind))) return strict
  const other = moveSign === 0 ? [] : readWithoutKind(title, moveSign, isCareful)
  return [...strict, ...other].toSorted((a, b) => b.weight - a.weight)
}

const OTHER_WEIGHT = 0.8

/** What a title must state, in words, to tell of an event. */
const LEAST_WORDS = 2

/** Whether a masked title that tells which way prices went tells nothing else: it gives no reason, or one that is only what traders do. */
export const statesOnlyPrice = (title: string): boolean => {
  const way = wording.way(title)
  if (way === 0) return false
  const reason = saidReason(title, way)
  if (reason === null) return statedIn(title) < LEAST_WORDS
  return (
    statedIn(reason) === 0 ||
    (hasClass(reason, ["TRADERS"]) && !namesInstitution(reason) && !hasClass(reason, ["AMOUNT"]))
  )
}

/** "X blooms as …": the coin, what it did in any words, and the reason. */
const TIED = new RegExp(`^${MASKS.coin}(?:'s)?(?: [\\w$%.-]+){1,2} (?:as|after|following|amid|on news) (.*)$`)

/** A title that names the coin and says in any words that something was done. */
const readWithoutKind = (title: string, moveSign: number, isCareful: boolean): ReadonlyArray<Reading> => {
  // An exception in plain words says that it is no event, one in classes that it is another kind of event.
  if (!title.includes(MASKS.coin) || kindRules.some((rule) => rule.matches(title) && rule.takesBack(title))) return []
  const told = saidReason(title, moveSign) ?? TIED.exec(title)?.[1] ?? null
  if (told === null && wording.ofCoinsPrice(title)) return []
  if (statedIn(told ?? title) < LEAST_WORDS || (told === null && wording.negation(title))) return []
  const isEvent = namesConcept(told ?? title) || (told !== null && namesInstitution(told))
  if (told === null ? !(isCareful && isEvent) : !isEvent && isOfMarket(told)) return []
  return [
    { kind: "other", weight: OTHER_WEIGHT, sign: told !== null ? moveSign : isBadNews(title) ? -1 : 1, inTitle: true }
  ]
}

/** The clauses of a text that deny nothing: "do not connect: the site is taken over" tells its second. */
const affirmedIn = (text: string): string =>
  text
    .split(/[:;?]|, | as /)
    .filter((clause) => !wording.negation(clause))
    .join(" . ")

/** The readings in which a title tells of the whole market. */
export const readWide = (title: string, summary: string): ReadonlyArray<Reading> => readStrictly(title, summary, true)

const WIDE_RULES = kindRules.filter(({ traits }) => traits.has("ofMarket"))

const readStrictly = (title: string, summary: string, isWide = false): ReadonlyArray<Reading> => {
  const isDenied = wording.negation(title)
  const refuted = wording.denial(title)
  const delayed = wording.delay(title)
  return (isWide ? WIDE_RULES : kindRules)
    .flatMap((rule): ReadonlyArray<Reading> => {
      const inTitle = matchesIn(rule, title)
      if (!inTitle && (isWide || !matchesIn(rule, summary) || rule.cancels(title))) return []
      const text = inTitle ? title : summary
      // A title may name the event and leave the counterparty to the summary.
      const base = inTitle
        ? Math.max(weightOf(rule, title), 0.9 * weightOf(rule, title, summary))
        : SUMMARY_WEIGHT * weightOf(rule, summary)
      const tone = inTitle ? countTone(rule, title, summary) : toneOf(rule, summary)
      // "Was not a security" is a ruling: only a plain denial takes a regulatory report back.
      const plain = rule.kind === "regulatory" || (rule.kind === "outage" && STANDS_STILL.test(text))
      const negated = plain
        ? refuted
        : inTitle
          ? isDenied && !matchesIn(rule, affirmedIn(title))
          : isDenied || wording.negation(text)
      const sign = negated && rule.traits.has("flips") ? -Math.abs(tone) : delayed && rule.direction > 0 ? -1 : tone
      const weight = negated ? base * (rule.traits.has("flips") ? 0.75 : 0.15) : base
      return [{ kind: rule.kind, weight, sign, inTitle }]
    })
    .toSorted((a, b) => b.weight - a.weight)
}
