// What an explanation can cite: reports under the ids `e1`, `e2`… in order of first use, and figures: `m1` bitcoin, `m2`
// the coin, `m3` the market, `m4` the sector, `m5` derivatives, `c1` the search itself.
import { DateTime } from "effect"
import type { Decomposition } from "./Decomposition.ts"
import type { Citation } from "../domain/Explanation.ts"
import type { PoolItem } from "./Pool.ts"
import type { ReportedEvent } from "./ReportedEvent.ts"
import type { CitedSource } from "./SentenceCheck.ts"
import type { WhyInput } from "./WhyInput.ts"

/** Something that can be cited, with what sentences are checked against. */
export interface Source extends CitedSource {
  /** Its number is its place among the citations of an explanation. */
  readonly citation: Omit<Citation, "n">
}

/** Reports by the id of their item. */
export type CitedReports = ReadonlyMap<string, Source>

/** RFC 3339, without milliseconds where there are none. */
export const timeText = (millis: number): string =>
  DateTime.formatIso(DateTime.makeUnsafe(millis)).replace(/\.000Z$/, "Z")

/** Numbers the reports of events. */
export const numberReports = (events: ReadonlyArray<ReportedEvent>): CitedReports => {
  const entries = new Map(events.flatMap((event) => event.reports.map(({ entry }) => [entry.item.id, entry] as const)))
  return new Map([...entries.values()].map((entry, at) => [entry.item.id, reportSource(`e${at + 1}`, entry)]))
}

const reportSource = (id: string, { at, item }: PoolItem): Source => {
  const { publisher, summary, title, type, url } = item
  return {
    kind: "report",
    text: `${title}. ${summary} ${publisher}`,
    numbers: [],
    citation: { id, type, title, url, publisher, published_at: timeText(at) }
  }
}

/** The citation ids of an event's reports, in their order. */
export const idsOf = (event: ReportedEvent, cited: CitedReports): ReadonlyArray<string> =>
  event.reports.flatMap(({ entry }) => cited.get(entry.item.id)?.citation.id ?? [])

/** Sources by their citation id. */
export const byCitationId = (sources: Iterable<Source>): ReadonlyMap<string, Source> =>
  new Map(Array.from(sources, (source) => [source.citation.id, source]))

/** The citations behind these ids, numbered from 1 in their order. */
export const citationsOf = (
  ids: ReadonlyArray<string>,
  sources: ReadonlyMap<string, Source>
): ReadonlyArray<Citation> =>
  [...new Set(ids)].flatMap((id) => sources.get(id) ?? []).map(({ citation }, at) => ({ n: at + 1, ...citation }))

/** Volume of 24 hours over the mean daily volume of 7 days, with one decimal. An observation, never a cause. */
export const volumeRatio = ({ move: { volume24h, volume7dAverage } }: WhyInput): number | null =>
  volume24h === null || volume7dAverage === null || volume7dAverage <= 0
    ? null
    : Math.round((volume24h / volume7dAverage) * 10) / 10

/** All figures of a mover, each with the page that shows it and the numbers it holds. */
export const figuresOf = (
  input: WhyInput,
  parts: Decomposition,
  search: { readonly items: number; readonly publishers: number }
): ReadonlyArray<Source> => {
  const { asOf, coin, coverage, derivatives, figures, market, move } = input
  const { coinUrl, marketUrl, observedAt, publisher } = figures
  const figure = (citation: Omit<Citation, "n">, numbers: ReadonlyArray<number | null>): Source => ({
    kind: "figure",
    text: citation.title,
    numbers: numbers.filter((value) => value !== null),
    citation
  })
  const data = (id: string, title: string, url: string, numbers: ReadonlyArray<number | null>): Source =>
    figure({ id, type: "market_data", title, url, publisher, published_at: textOf(observedAt) }, numbers)
  const volumes = [move.volume24h, move.volume7dAverage, volumeRatio(input)]
  const breadth = [market.totalCapChange24h, market.top100MedianChange24h, market.top100UpPct, market.ethChange24h]
  return [
    data("m1", "Bitcoin price and 24h change", marketUrl, [market.btcChange24h, 24]),
    data("m2", `${coin.name} price and 24h change`, coinUrl, [move.changePct, move.price, ...volumes, 24, 7]),
    data("m3", "Market breadth and total capitalisation", marketUrl, [...breadth, 100, 24]),
    data("m4", "Category performance", marketUrl, [...market.sectors.map((one) => one.change24h), parts.sector, 24]),
    data("m5", `${coin.name} derivatives`, coinUrl, [
      derivatives?.liquidations24h ?? null,
      derivatives?.openInterestChangePct ?? null,
      24
    ]),
    figure(
      {
        id: "c1",
        type: "coverage",
        title: "Feeds searched and their health",
        url: coverage.url,
        publisher: "This service",
        published_at: textOf(asOf)
      },
      [search.items, search.publishers, coverage.windowHours]
    )
  ]
}

const textOf = (time: DateTime.Utc): string => timeText(DateTime.toEpochMillis(time))
