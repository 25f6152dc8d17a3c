// Finds which event a report is of: its kind and which way it pushes. The text is masked (`masked`), so a pattern distinguishes what was
// done to the coin from what was done to another. A kind is a row of `kinds.json`; the first row that fits a text counts.
import { Struct } from "effect"
import kinds from "./data/kinds.json" with { type: "json" }
import { actIn, MASKS, matcher, reasonIn, saidIn, wording } from "./Lexicon.ts"

const kindNames = Struct.keys(kinds.kinds)

/** The kind of event that a report is about; `other`: reported in words of no known kind. */
export type EventKind = (typeof kindNames)[number]

interface RawKind {
  readonly direction: number
  readonly traits: ReadonlyArray<string>
  readonly needs: ReadonlyArray<string>
  readonly noun?: string
  readonly not?: string
  readonly up?: string
  readonly down?: string
}

const rawKinds: Readonly<Record<EventKind, RawKind>> = kinds.kinds

/** A test for whole words; without words it always fails. */
const wordsTest = (words = "(?!)") => matcher([`\\b(?:${words})\\b`])

const rules = kindNames.map((kind) => {
  const { direction, down, needs, not, traits, up } = rawKinds[kind]
  const tests = needs.map((words) => wordsTest(words))
  const cancels = wordsTest(not)
  const fits = (text: string) => tests.length > 0 && tests.every((test) => test(text)) && !cancels(text)
  return { kind, direction, traits, fits, up: wordsTest(up), down: wordsTest(down) }
})

export const has = (trait: string, kind: EventKind): boolean => rawKinds[kind].traits.includes(trait)

/** What a report of this kind reports, "an exploit"; empty where no noun is true of all of them. */
export const nounOf = (kind: EventKind): string => rawKinds[kind].noun ?? ""

export interface Reading {
  readonly kind: EventKind
  /** 0 to 1. */
  readonly weight: number
  /** Which way it pushes: 1 up, -1 down, 0 if the text does not show it. */
  readonly sign: number
}

/** How much a report is worth; one of an event of no known kind that it does not tie to the move; and what is left in the summary alone. */
const WEIGHT = 0.9
const UNTIED = 0.6
const IN_SUMMARY = 0.6

/** Which way an event pushes by its words. What is put off is bad news. */
const signOf = (rule: (typeof rules)[number], text: string): number => {
  if (rule.direction > 0) return rule.down(text) || wording.delay(text) ? -1 : 1
  if (rule.direction < 0) return rule.up(text) ? 1 : -1
  const signs = (words: string): number => Number(rule.up(words)) - Number(rule.down(words))
  // The news is what follows "but": "cuts rates but sees fewer cuts ahead".
  return signs(text.split(" but ").at(-1) ?? text) || signs(text) || signs(text.split(/ (?:amid|despite) /)[0] ?? text)
}

/** The clauses of a text that deny nothing, of "do not connect: the site is taken over" the second; none if only the others name the coin. */
const affirmedIn = (text: string): string => {
  if (!wording.negation(text)) return text
  const clauses = text.split(/[:;?]|, | as /).filter((clause) => !wording.negation(clause))
  return text.includes(MASKS.coin) && !clauses.join().includes(MASKS.coin) ? "" : clauses.join(" . ")
}

const readingOf = (text: string, weight: number): Reading | null => {
  const rule = rules.find(({ fits, traits }) => !traits.includes("wide") && fits(text))
  return rule === undefined ? null : { kind: rule.kind, weight, sign: signOf(rule, text) }
}

/** The coin, and no other before it. A title may be about a stablecoin on this chain. */
const LEADS = new RegExp(`^(?:(?!${MASKS.other}(?! stablecoin)).)*${MASKS.coin}`)

/** What a title or its reason must state, in words, where its kind is not known. */
const LEAST_WORDS = 2

/** The event in a masked title, else in the summary. `moveSign`: which way the coin went. */
export const read = (title: string, summary: string, moveSign: number): Reading | null => {
  const reason = reasonIn(title, moveSign)
  // What traders did is only the price.
  if (reason !== null && wording.traders(reason) && !wording.amount(reason) && readingOf(reason, WEIGHT) === null)
    return null
  const found =
    readingOf(affirmedIn(title), WEIGHT) ??
    (summary.includes(MASKS.coin) ? readingOf(affirmedIn(summary), WEIGHT * IN_SUMMARY) : null)
  // An event that a title gives as the reason for the move pushed the way of the move.
  if (found !== null) return reason === null ? found : { ...found, sign: moveSign }
  const said = reason ?? title
  if (!LEADS.test(title) || saidIn(said).length + Number(wording.amount(said)) < LEAST_WORDS) return null
  if (reason !== null && !wording.talk(reason)) return { kind: "other", weight: WEIGHT, sign: moveSign }
  if (wording.moves(title) || wording.negation(title) || wording.talk(title)) return null
  const sign = wording.delay(title) ? -1 : actIn(title)
  return sign === null ? null : { kind: "other", weight: UNTIED, sign: sign === 0 ? moveSign : sign }
}

const wideRules = rules.filter(({ traits }) => traits.includes("movesAll"))

/** The events in a title that are of kinds that move all prices. */
export const readWide = (title: string): ReadonlyArray<Reading> =>
  wideRules
    .filter(({ fits }) => fits(title))
    .map((rule) => ({ kind: rule.kind, weight: WEIGHT, sign: signOf(rule, title) }))
