// Dates ahead that a cited item names, in its own words. Nothing is inferred: no date in the text, nothing to watch.
import { DateTime } from "effect"
import { clean, quotable } from "./Text.ts"
import type { PoolItem } from "./Pool.ts"

/** One dated fact. */
export interface DatedFact {
  /** `YYYY-MM-DD`. */
  readonly date: string
  /** The sentence of the item that names it, verbatim. */
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

/** All dates of a text; without a year, the next such day after `after`. */
const datesIn = (text: string, after: DateTime.Utc): ReadonlyArray<string> => {
  const now = DateTime.toPartsUtc(after)
  const found: Array<string> = []
  const add = (year: number | null, month: number, day: number): void => {
    const passed = month < now.month || (month === now.month && day < now.day)
    // Only a little ahead may run over the year's end: "July 2" in December is last summer.
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

/** The dates ahead that an item names, the nearest first. */
export const datedFacts = (entry: PoolItem, asOf: DateTime.Utc): ReadonlyArray<DatedFact> => {
  const today = DateTime.formatIsoDateUtc(asOf)
  const summary = quotable(entry.item.summary)
  const parts = [...sentencesOf(summary), clean(quotable(entry.item.title))]
  const facts = parts
    .filter((quote) => quote.length >= 12 && quote.length <= 240)
    .flatMap((quote) => datesIn(quote, entry.item.publishedAt).map((date): DatedFact => ({ date, quote })))
    .filter(({ date }) => date > today)
  return facts
    .toSorted((a, b) => (a.date < b.date ? -1 : a.date > b.date ? 1 : 0))
    .filter((fact, i, all) => all.findIndex(({ date }) => date === fact.date) === i)
    .slice(0, 2)
}
