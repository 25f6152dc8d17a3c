// Reads what a report says happened: the kind of event, which way it pushes, and how much such a report is worth. It
// reads masked text (`masked`), so a pattern can tell what was done to the coin from what was done to another.
import { type EventKind, has, kindRules, type KindRule, saidReason, wording } from "./Lexicon.ts"

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

/** Readings of the reason that a headline itself gives for the move, where no kind is recognised otherwise. */
const readLoosely = (title: string, moveSign: number): ReadonlyArray<Reading> => {
  const reason = saidReason(title, moveSign)
  if (reason === null) return []
  return kindRules
    .filter((rule) => rule.loose(reason))
    .map((rule): Reading => ({
      kind: rule.kind,
      weight: 0.75 * Math.max(0.8, rule.weight),
      sign: moveSign,
      inTitle: true
    }))
}

/**
 * All readings of a masked title and summary, the best first. `moveSign`: which way the coin went, 0 to leave that out.
 */
export const read = (title: string, summary: string, moveSign: number): ReadonlyArray<Reading> => {
  const strict = readStrictly(title, summary)
  return strict.some(({ inTitle, kind }) => inTitle && !has("wide", kind)) || moveSign === 0
    ? strict
    : [...strict, ...readLoosely(title, moveSign)].toSorted((a, b) => b.weight - a.weight)
}

/** The clauses of a text that deny nothing: "do not connect: the site is taken over" tells its second. */
const affirmedIn = (text: string): string =>
  text
    .split(/[:;?]|, /)
    .filter((clause) => !wording.negation(clause))
    .join(" . ")

const readStrictly = (title: string, summary: string): ReadonlyArray<Reading> => {
  const isDenied = wording.negation(title)
  const refuted = wording.denial(title)
  const delayed = wording.delay(title)
  return kindRules
    .flatMap((rule): ReadonlyArray<Reading> => {
      const inTitle = matchesIn(rule, title)
      if (!inTitle && (!matchesIn(rule, summary) || rule.cancels(title))) return []
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
          : wording.negation(text)
      const sign = negated && rule.traits.has("flips") ? -Math.abs(tone) : delayed && rule.direction > 0 ? -1 : tone
      const weight = negated ? base * (rule.traits.has("flips") ? 0.75 : 0.15) : base
      return [{ kind: rule.kind, weight, sign, inTitle }]
    })
    .toSorted((a, b) => b.weight - a.weight)
}
