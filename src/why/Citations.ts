// What an explanation can cite: reports under the ids `e1`, `e2`… in order of first use, and figures: `m1` bitcoin, `m2`
// the coin, `m3` the market, `m4` the sector, `c1` the search itself.
import { DateTime } from "effect"
import type { Citation } from "../domain/Explanation.ts"
import type { PoolItem } from "./Pool.ts"
import type { ReportedEvent } from "./ReportedEvent.ts"
import type { ScoredReport } from "./Scoring.ts"
import type { WhyInput } from "./RunFacts.ts"

/** Something that can be cited. Its number is its place among the citations of an explanation. */
export type Source = Omit<Citation, "n">

/** Reports by the id of their item. */
export type CitedReports = ReadonlyMap<string, Source>

/** RFC 3339, without milliseconds where there are none. */
export const timeText = (millis: number): string =>
  DateTime.formatIso(DateTime.makeUnsafe(millis)).replace(/\.000Z$/, "Z")

/** The time of an item as members have it: RFC 3339, or a day where only that is known. */
export const memberTime = ({ at, item }: PoolItem): string =>
  item.precision === "day" ? timeText(at).slice(0, 10) : timeText(at)

export const numberReports = (events: ReadonlyArray<ReportedEvent>): CitedReports => {
  const entries = events.flatMap(({ reports }) => reports.map(({ entry }) => entry))
  return new Map(
    entries.map((entry, n) => {
      const { id, publisher, title, type, url } = entry.item
      return [id, { id: `e${n + 1}`, type, title, url, publisher, published_at: memberTime(entry) }]
    })
  )
}

/** The citation ids of reports, in their order. */
export const idsOf = (reports: ReadonlyArray<ScoredReport>, cited: CitedReports): ReadonlyArray<string> =>
  reports.flatMap(({ entry }) => cited.get(entry.item.id)?.id ?? [])

/** The sources behind these ids, numbered from 1 in their order. */
export const citationsOf = (ids: ReadonlyArray<string>, sources: Iterable<Source>): ReadonlyArray<Citation> => {
  const byId = new Map(Array.from(sources, (source) => [source.id, source]))
  return [...new Set(ids)].flatMap((id) => byId.get(id) ?? []).map((source, at) => ({ n: at + 1, ...source }))
}

/** All figures of a mover, each with the page that shows it. */
export const figuresOf = ({ asOf, coin, coverage, figures }: WhyInput): ReadonlyArray<Source> => {
  const { coinUrl, marketUrl, observedAt, publisher } = figures
  const data = { type: "market_data", publisher, published_at: timeText(observedAt.epochMilliseconds) } as const
  const searched = { publisher: "This service", published_at: timeText(asOf.epochMilliseconds) }
  return [
    { ...data, id: "m1", title: "Bitcoin price and 24h change", url: marketUrl },
    { ...data, id: "m2", title: `${coin.name} price and 24h change`, url: coinUrl },
    { ...data, id: "m3", title: "Market breadth and total capitalisation", url: marketUrl },
    { ...data, id: "m4", title: "Category performance", url: marketUrl },
    { ...searched, id: "c1", type: "coverage", title: "Feeds searched and their health", url: coverage.url }
  ]
}
