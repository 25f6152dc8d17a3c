// What an explanation can cite: reports under the ids `e1`, `e2`… in order of first use, and figures: `m1` bitcoin, `m2`
// the coin, `m3` the market, `m4` the sector, `c1` the search itself.
import { DateTime } from "effect"
import type { EvidenceItem } from "../domain/Evidence.ts"
import type { Citation } from "../domain/Explanation.ts"
import type { PoolItem } from "./Pool.ts"
import type { ReportedEvent } from "./ReportedEvent.ts"
import type { ScoredReport } from "./Scoring.ts"
import type { WhyInput } from "./WhyInput.ts"

/** Something that can be cited. Its number is its place among the citations of an explanation. */
export type Source = Omit<Citation, "n">

/** Reports by the id of their item. */
export type CitedReports = ReadonlyMap<string, Source>

/** RFC 3339, without milliseconds where there are none. */
export const timeText = (millis: number): string =>
  DateTime.formatIso(DateTime.makeUnsafe(millis)).replace(/\.000Z$/, "Z")

/** A time as members have it: RFC 3339, or a day where only that is known. */
export const memberTime = (at: number, precision: EvidenceItem["precision"]): string =>
  precision === "day" ? timeText(at).slice(0, 10) : timeText(at)

/** Numbers the reports of events. */
export const numberReports = (events: ReadonlyArray<ReportedEvent>): CitedReports => {
  const entries = new Map(events.flatMap((event) => event.reports.map(({ entry }) => [entry.item.id, entry] as const)))
  return new Map([...entries.values()].map((entry, at) => [entry.item.id, reportSource(`e${at + 1}`, entry)]))
}

const reportSource = (id: string, { at, item: { precision, publisher, title, type, url } }: PoolItem): Source => ({
  id,
  type,
  title,
  url,
  publisher,
  published_at: memberTime(at, precision)
})

/** The citation ids of an event's reports, in their order. */
export const idsOf = (
  event: { readonly reports: ReadonlyArray<ScoredReport> },
  cited: CitedReports
): ReadonlyArray<string> => event.reports.flatMap(({ entry }) => cited.get(entry.item.id)?.id ?? [])

/** The sources behind these ids, numbered from 1 in their order. */
export const citationsOf = (ids: ReadonlyArray<string>, sources: Iterable<Source>): ReadonlyArray<Citation> => {
  const byId = new Map(Array.from(sources, (source) => [source.id, source]))
  return [...new Set(ids)].flatMap((id) => byId.get(id) ?? []).map((source, at) => ({ n: at + 1, ...source }))
}

/** All figures of a mover, each with the page that shows it. */
export const figuresOf = ({ asOf, coin, coverage, figures }: WhyInput): ReadonlyArray<Source> => {
  const { coinUrl, marketUrl, observedAt, publisher } = figures
  const data = (id: string, title: string, url: string): Source => ({
    id,
    type: "market_data",
    title,
    url,
    publisher,
    published_at: textOf(observedAt)
  })
  return [
    data("m1", "Bitcoin price and 24h change", marketUrl),
    data("m2", `${coin.name} price and 24h change`, coinUrl),
    data("m3", "Market breadth and total capitalisation", marketUrl),
    data("m4", "Category performance", marketUrl),
    {
      id: "c1",
      type: "coverage",
      title: "Feeds searched and their health",
      url: coverage.url,
      publisher: "This service",
      published_at: textOf(asOf)
    }
  ]
}

const textOf = (time: DateTime.Utc): string => timeText(DateTime.toEpochMillis(time))
