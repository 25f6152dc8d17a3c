// Finds which event a report is of: its kind and which way it pushes. The text is masked (`masked`), so a pattern distinguishes what was
// done to the coin from what was done to another. A kind is a row of `kinds.json`; the first row that fits a text counts.
import { Struct } from "effect"
import { expressionOf } from "../domain/expressionOf.ts"
import { memoized } from "../domain/rememberEach.ts"
import kinds from "./data/kinds.json" with { type: "json" }
import { MASKS, reasonIn, saidIn, wording } from "./Lexicon.ts"

const kindNames = Struct.keys(kinds.kinds)

/** The kind of event that a report is about; `other`: reported in words of no known kind. */
export type EventKind = (typeof kindNames)[number]

interface RawKind {
  readonly direction: number
  readonly noun?: string
  readonly traits: ReadonlyArray<string>
  readonly needs: ReadonlyArray<string>
  readonly not?: string
  readonly up?: string
  readonly down?: string
}

const rawKinds: Readonly<Record<EventKind, RawKind>> = kinds.kinds

/** A test for whole words, compiled at its first use; without words it always fails. */
const wordsTest = (words: string | undefined): ((text: string) => boolean) => {
  if (words === undefined) return () => false
  const expression = memoized(() => expressionOf(`\\b(?:${words})\\b`))
  return (text) => expression().test(text)
}

const rules = kindNames.map((kind) => {
  const { direction, down, needs, not, traits, up } = rawKinds[kind]
  const tests = needs.map(wordsTest)
  const cancels = wordsTest(not)
  return {
    kind,
    direction,
    traits,
    fits: (text: string) => tests.length > 0 && tests.every((test) => test(text)) && !cancels(text),
    up: wordsTest(up),
    down: wordsTest(down)
  }
})

type KindRule = (typeof rules)[number]

/** Whether a kind has a trait of `kinds.json`. */
export const has = (trait: string, kind: EventKind): boolean => rawKinds[kind].traits.includes(trait)

/** What a report of this kind reports, "an exploit"; `undefined` where no noun is true of all of them. */
export const nounOf = (kind: EventKind): string | undefined => rawKinds[kind].noun

export interface Reading {
  readonly kind: EventKind
  /** 0 to 1. */
  readonly weight: number
  /** Which way it pushes: 1 up, -1 down, 0 if the text does not show it. */
  readonly sign: number
}

/** How much a report is worth, and what is left of it for an event in the summary alone. */
const WEIGHT = 0.9
const IN_SUMMARY = 0.6

/** Which way an event pushes by its words. What is put off is bad news. */
const signOf = (rule: KindRule, text: string): number => {
  if (rule.direction > 0) return rule.down(text) || wording.delay(text) ? -1 : 1
  if (rule.direction < 0) return rule.up(text) ? 1 : -1
  const signs = (words: string): number => Number(rule.up(words)) - Number(rule.down(words))
  // The news is what follows "but": "cuts rates but sees fewer cuts ahead".
  return signs(text.split(" but ").at(-1) ?? text) || signs(text)
}

/**
 * The clauses of a text that deny nothing: of "do not connect: the site is taken over" the second. Nothing if only the others name the
 * coin: "A's bridge is hacked, B is unaffected".
 */
const affirmedIn = (text: string): string => {
  if (!wording.negation(text)) return text
  const clauses = text.split(/[:;?]|, | as /).filter((clause) => !wording.negation(clause))
  const affirmed = clauses.join(" . ")
  return text.includes(MASKS.coin) && !affirmed.includes(MASKS.coin) ? "" : affirmed
}

const readingOf = (text: string, weight: number): Reading | undefined => {
  const rule = rules.find(({ fits, traits }) => !traits.includes("wide") && fits(text))
  return rule === undefined ? undefined : { kind: rule.kind, weight, sign: signOf(rule, text) }
}

/**
 * The readings of a masked title, else of the summary. `moveSign`: which way the coin went. `isCareful`: whether its publisher is believed
 * in an event of no known kind that it does not tie to a move.
 */
export const read = (title: string, summary: string, moveSign: number, isCareful: boolean): ReadonlyArray<Reading> => {
  const found =
    readingOf(affirmedIn(title), WEIGHT) ??
    (summary.includes(MASKS.coin) ? readingOf(affirmedIn(summary), WEIGHT * IN_SUMMARY) : undefined)
  const reason = reasonIn(title, moveSign)
  // An event that a title gives as the reason for the move pushed the way of the move.
  if (found !== undefined) return [{ ...found, sign: reason === null ? found.sign : moveSign }]
  if (!leads(title) || saidIn(reason ?? title).length < LEAST_WORDS) return []
  if (reason !== null) return [{ kind: "other", weight: WEIGHT, sign: moveSign }]
  if (!isCareful || wording.ofCoinsPrice(title) || wording.negation(title) || !wording.done(title)) return []
  return [{ kind: "other", weight: WEIGHT, sign: wording.bad(title) ? -1 : 1 }]
}

const wideRules = rules.filter(({ traits }) => traits.includes("movesAll"))

/** The readings of a title by the kinds that move all prices. */
export const readWide = (title: string): ReadonlyArray<Reading> =>
  wideRules
    .filter(({ fits }) => fits(title))
    .map((rule) => ({ kind: rule.kind, weight: WEIGHT, sign: signOf(rule, title) }))

/** What a title or its reason must state, in words, where its kind is not known. */
const LEAST_WORDS = 2

/** Another coin. A title may be about a stablecoin on this chain. */
const OTHER_COIN = new RegExp(`${MASKS.other}(?! stablecoin)`)

/** Whether a title names the coin, and no other before it. */
const leads = (title: string): boolean => {
  const at = title.indexOf(MASKS.coin)
  const other = title.search(OTHER_COIN)
  return at >= 0 && (other < 0 || other > at)
}

/** Whether the reason that a masked title gives for a move of prices is only what prices and traders did. */
export const statesOnlyPrice = (title: string): boolean => {
  const way = wording.way(title)
  const reason = way === 0 ? null : reasonIn(title, way)
  if (reason === null) return false
  if (saidIn(reason).length === 0) return true
  return wording.traders(reason) && !wording.amount(reason) && readingOf(reason, WEIGHT) === undefined
}
