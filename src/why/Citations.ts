// What an explanation can cite: reports under the ids `e1`, `e2`… in order of first use, figures under the ids of
// `Figures`.
import { DateTime } from "effect"
import type { Citation } from "./Explanation.ts"
import type { Figure } from "./Figures.ts"
import type { PoolItem } from "./Pool.ts"
import type { ReportedEvent } from "./ReportedEvent.ts"
import type { CitedSource } from "./SentenceCheck.ts"
import type { WhyInput } from "./WhyInput.ts"

/** Reports by citation id. */
export type CitedReports = ReadonlyMap<string, PoolItem>

/** RFC 3339, without milliseconds where there are none. */
export const timeText = (millis: number): string =>
  DateTime.formatIso(DateTime.makeUnsafe(millis)).replace(/\.000Z$/, "Z")

/** Numbers the reports of events. */
export const numberReports = (events: ReadonlyArray<ReportedEvent>): CitedReports => {
  const reports = new Map(events.flatMap((event) => event.reports.map(({ entry }) => [entry.item.id, entry] as const)))
  return new Map([...reports.values()].map((entry, at) => [`e${at + 1}`, entry]))
}

/** The citation ids of an event's reports, in their order. */
export const idsOf = (event: ReportedEvent, cited: CitedReports): ReadonlyArray<string> => {
  const ids = new Map([...cited].map(([id, { item }]) => [item.id, id]))
  return event.reports.flatMap(({ entry }) => ids.get(entry.item.id) ?? [])
}

/** What a reader finds behind each id. */
export const sourcesOf = (
  cited: CitedReports,
  figures: ReadonlyMap<string, Figure>
): ReadonlyMap<string, CitedSource> =>
  new Map<string, CitedSource>([
    ...[...figures].map(([id, { numbers, title }]) => [id, { kind: "figure", text: title, numbers }] as const),
    ...[...cited].map(
      ([id, { item }]) =>
        [id, { kind: "report", text: `${item.title}. ${item.summary} ${item.publisher}`, numbers: [] }] as const
    )
  ])

/** The citations behind these ids, numbered from 1 in their order. */
export const citationsOf = (
  ids: ReadonlyArray<string>,
  cited: CitedReports,
  figures: ReadonlyMap<string, Figure>,
  input: WhyInput
): ReadonlyArray<Citation> =>
  [...new Set(ids)]
    .flatMap((id) => reportCitation(id, cited) ?? figureCitation(id, figures, input) ?? [])
    .map((citation, at) => ({ n: at + 1, ...citation }))

const reportCitation = (id: string, cited: CitedReports): Omit<Citation, "n"> | undefined => {
  const entry = cited.get(id)
  if (entry === undefined) return undefined
  const { publisher, title, type, url } = entry.item
  return { id, type, title, url, publisher, published_at: timeText(entry.at) }
}

const figureCitation = (
  id: string,
  figures: ReadonlyMap<string, Figure>,
  { asOf, figures: { observedAt } }: WhyInput
): Omit<Citation, "n"> | undefined => {
  const figure = figures.get(id)
  if (figure === undefined) return undefined
  const { publisher, title, type, url } = figure
  const at = type === "coverage" ? asOf : observedAt
  return { id, type, title, url, publisher, published_at: timeText(DateTime.toEpochMillis(at)) }
}
