// Finds dates ahead that a cited item names, with the sentence that names them. Nothing is inferred: where the text has
// no date, there is nothing to watch.
import { DateTime } from "effect"
import type { EvidenceItem } from "../domain/Evidence.ts"

/** One date ahead. */
export interface DatedFact {
  /** `YYYY-MM-DD`. */
  readonly date: string
  /** The sentence that names it, verbatim. */
  readonly quote: string
}

const MONTHS = [
  "january",
  "february",
  "march",
  "april",
  "may",
  "june",
  "july",
  "august",
  "september",
  "october",
  "november",
  "december"
]

const MONTH =
  "(jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\\.?"
const ISO = /\b(20\d\d)-(\d\d)-(\d\d)\b/g
const MONTH_FIRST = new RegExp(`\\b${MONTH} (\\d{1,2})(?:st|nd|rd|th)?(?:,? (20\\d\\d))?\\b`, "gi")
const DAY_FIRST = new RegExp(`\\b(\\d{1,2})(?:st|nd|rd|th)? ${MONTH}(?:,? (20\\d\\d))?\\b`, "gi")

const monthOf = (name: string): number =>
  MONTHS.findIndex((month) => month.startsWith(name.toLowerCase().slice(0, 3))) + 1

const pad = (value: number): string => String(value).padStart(2, "0")

const isDay = (year: number, month: number, day: number): boolean => {
  const made = DateTime.make({ year, month, day })
  return made._tag === "Some" && DateTime.toPartsUtc(made.value).day === day
}

/** All dates of a text; one without a year is the next such day after `after`. */
const datesIn = (text: string, after: DateTime.Utc): ReadonlyArray<string> => {
  const now = DateTime.toPartsUtc(after)
  const found: Array<string> = []
  const add = (year: number | null, month: number, day: number): void => {
    const passed = month < now.month || (month === now.month && day < now.day)
    // Only a date at most three months ahead runs over the end of the year: "July 2" in December is last summer.
    const guess = passed && now.month - month >= 9 ? now.year + 1 : now.year
    const use = year ?? guess
    if (month >= 1 && month <= 12 && isDay(use, month, day)) found.push(`${use}-${pad(month)}-${pad(day)}`)
  }
  for (const [, year, month, day] of text.matchAll(ISO)) add(Number(year), Number(month), Number(day))
  for (const [, month = "", day, year] of text.matchAll(MONTH_FIRST))
    add(year === undefined ? null : Number(year), monthOf(month), Number(day))
  for (const [, day, month = "", year] of text.matchAll(DAY_FIRST))
    add(year === undefined ? null : Number(year), monthOf(month), Number(day))
  return found
}

const sentencesOf = (text: string): ReadonlyArray<string> =>
  text.match(/[^.!?]+(?:[.!?](?!\s|$)[^.!?]*)*[.!?]?/g)?.map((part) => part.trim()) ?? []

/** The dates ahead that an item names, at most two, the nearest first. */
export const datedFacts = (item: EvidenceItem, asOf: DateTime.Utc): ReadonlyArray<DatedFact> => {
  const today = DateTime.formatIsoDateUtc(asOf)
  const facts = [...sentencesOf(item.summary), item.title]
    .filter((quote) => quote.length >= 12 && quote.length <= 240)
    .flatMap((quote) => datesIn(quote, item.publishedAt).map((date): DatedFact => ({ date, quote })))
    .filter(({ date }) => date > today)
  return facts
    .toSorted((a, b) => (a.date < b.date ? -1 : a.date > b.date ? 1 : 0))
    .filter((fact, i, all) => all.findIndex(({ date }) => date === fact.date) === i)
    .slice(0, 2)
}
