// Finds dates ahead that a cited item names, with the sentence that names them. Nothing is inferred: where the text has
// no date, there is nothing to watch.
import { DateTime, Option } from "effect"
import type { Watch } from "../domain/Explanation.ts"
import { isQuotable } from "./Junk.ts"
import type { ReportedEvent } from "./ReportedEvent.ts"

const MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]

const MONTH =
  "(?<month>jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\\.?"
const DAY = "(?<day>\\d{1,2})(?:st|nd|rd|th)?"
const YEAR = "(?:,? (?<year>20\\d\\d))?"

/** "2026-04-03", "April 3, 2026", "3 April 2026". */
const FORMS = [
  /\b(?<year>20\d\d)-(?<month>\d\d)-(?<day>\d\d)\b/g,
  new RegExp(`\\b${MONTH} ${DAY}${YEAR}\\b`, "gi"),
  new RegExp(`\\b${DAY} ${MONTH}${YEAR}\\b`, "gi")
]

/** `YYYY-MM-DD`; none where there is no such day. */
const dateOf = (year: number, month: number, day: number): Option.Option<string> =>
  DateTime.make({ year, month, day }).pipe(
    Option.filter((made) => DateTime.getPartUtc(made, "month") === month && DateTime.getPartUtc(made, "day") === day),
    Option.map(DateTime.formatIsoDateUtc)
  )

/** All dates of a text; one without a year is the next such day after `after`. */
const datesIn = (text: string, after: DateTime.Utc): ReadonlyArray<string> => {
  const now = DateTime.toPartsUtc(after)
  return FORMS.flatMap((form) => [...text.matchAll(form)]).flatMap(({ groups }) => {
    const name = groups?.["month"] ?? ""
    const month = Number(name) || MONTHS.indexOf(name.slice(0, 3).toLowerCase()) + 1
    const day = Number(groups?.["day"])
    const passed = month < now.month || (month === now.month && day < now.day)
    // Only a date at most three months ahead runs over the end of the year: "July 2" in December is last summer.
    const guess = passed && now.month - month >= 9 ? now.year + 1 : now.year
    return Option.toArray(dateOf(Number(groups?.["year"] ?? guess), month, day))
  })
}

const sentencesOf = (text: string): ReadonlyArray<string> =>
  text.match(/[^.!?]+(?:[.!?](?!\s|$)[^.!?]*)*[.!?]?/g)?.map((part) => part.trim()) ?? []

/** Dates ahead that the reports of an event name, each date once, at most two. `ids`: the citations of its reports. */
export const datesAhead = (
  { reports }: ReportedEvent,
  ids: ReadonlyArray<string>,
  asOf: DateTime.Utc
): ReadonlyArray<Watch> => {
  const today = DateTime.formatIsoDateUtc(asOf)
  return reports
    .flatMap(({ entry: { item } }, at) =>
      [...sentencesOf(item.summary), item.title]
        .filter((text) => text.length >= 12 && text.length <= 240 && isQuotable(text))
        .flatMap((text) => datesIn(text, item.publishedAt).map((date) => ({ date, text, citations: [ids[at] ?? ""] })))
        .filter(({ date }) => date > today)
        .toSorted((a, b) => (a.date < b.date ? -1 : a.date > b.date ? 1 : 0))
    )
    .filter(({ date }, at, all) => all.findIndex((other) => other.date === date) === at)
    .slice(0, 2)
}
