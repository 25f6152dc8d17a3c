// Groups scored reports into events: reports of one kind tell one event. The event that explains the move best comes
// first, and a direct event comes before what usually follows from it. Further events need reports and words of their
// own.
import { SAME_STORY, similarity, witnesses } from "./Cluster.ts"
import type { EventKind } from "./Explanation.ts"
import { has } from "./Lexicon.ts"
import { DRIVER_THRESHOLD, type ScoredReport } from "./Scoring.ts"

/** One event with its reports. */
export interface ReportedEvent {
  readonly kind: EventKind
  readonly role: "cause" | "amplifier"
  /** Of its best report, 0 to 1. */
  readonly score: number
  /** Which way such an event pushes: 1 up, -1 down. */
  readonly sign: number
  /** The best first, at most five. */
  readonly reports: readonly [ScoredReport, ...ReadonlyArray<ScoredReport>]
  /** Independent publishers: copies and second reports of one owner do not count. */
  readonly publishers: number
  /** When it was first reported, epoch milliseconds, and hours after the onset. */
  readonly firstAt: number
  readonly delay: number
  /** Whether every report of it is worded as speculation. */
  readonly speculative: boolean
}

/** What a second event must score. */
const SECOND_EVENT = 0.6

const MOST_EVENTS = 3
/** Reports that are cited of one event. */
export const MOST_REPORTS = 5
const HOUR = 3_600_000

interface Group {
  readonly kind: EventKind
  readonly reports: readonly [ScoredReport, ...ReadonlyArray<ScoredReport>]
}

/** The events whose reports reach the threshold, the likeliest cause first. */
export const eventsIn = (reports: ReadonlyArray<ScoredReport>): ReadonlyArray<ReportedEvent> => {
  const eligible = reports.filter(({ score }) => score >= DRIVER_THRESHOLD).toSorted(byScore)
  const ranked = [...new Set(eligible.map(({ kind }) => kind))]
    .flatMap((kind) =>
      groupOf(
        kind,
        eligible.filter((report) => report.kind === kind)
      )
    )
    .toSorted((a, b) => supportOf(b) - supportOf(a))
  const [strongest] = ranked
  if (strongest === undefined) return []
  const lead = causeBefore(strongest, ranked) ?? strongest
  const used = new Set(lead.reports.map(({ entry }) => entry.item.id))
  const events = [eventOf(lead, "cause")]
  for (const { kind, reports } of ranked) {
    if (kind === lead.kind || events.length === MOST_EVENTS) continue
    const own = groupOf(
      kind,
      reports.filter((report) => !used.has(report.entry.item.id) && isAnotherStory(report, lead))
    )
    for (const group of own) {
      for (const { entry } of group.reports) used.add(entry.item.id)
      events.push(eventOf(group, has("consequence", kind) ? "amplifier" : "cause"))
    }
  }
  return events
}

const byScore = (a: ScoredReport, b: ScoredReport): number =>
  b.score - a.score || a.entry.at - b.entry.at || (a.entry.item.id < b.entry.item.id ? -1 : 1)

const groupOf = (kind: EventKind, [best, ...more]: ReadonlyArray<ScoredReport>): readonly [Group] | readonly [] =>
  best === undefined ? [] : [{ kind, reports: [best, ...more] }]

const supportOf = ({ kind, reports: [best, ...more] }: Group): number =>
  (best.score + 0.15 * more.slice(0, 3).reduce((sum, { score }) => sum + score, 0)) *
  (has("consequence", kind) ? 0.8 : 1)

/** The direct event that a consequence follows: reported no later than an hour after it. */
const causeBefore = (group: Group, all: ReadonlyArray<Group>): Group | undefined =>
  has("consequence", group.kind)
    ? all.find(
        ({ kind, reports }) =>
          !has("consequence", kind) && firstOf(reports).entry.at <= firstOf(group.reports).entry.at + HOUR
      )
    : undefined

const isAnotherStory = (report: ScoredReport, lead: Group): boolean =>
  report.inTitle &&
  report.delay >= -1.5 &&
  report.score >= SECOND_EVENT &&
  !lead.reports.some(({ entry }) => similarity(entry.signature(), report.entry.signature()) >= SAME_STORY)

const firstOf = ([best, ...more]: Group["reports"]): ScoredReport =>
  more.reduce((first, report) => (report.entry.at < first.entry.at ? report : first), best)

const eventOf = ({ kind, reports }: Group, role: ReportedEvent["role"]): ReportedEvent => {
  const [best, ...more] = reports
  const first = firstOf(reports)
  return {
    kind,
    role,
    score: Math.min(1, best.score),
    sign: best.sign,
    reports: [best, ...more.slice(0, MOST_REPORTS - 1)],
    publishers: witnesses(reports.map(({ entry }) => ({ domain: entry.domain, signature: entry.signature() }))),
    firstAt: first.entry.at,
    delay: first.delay,
    speculative: reports.every(({ speculative }) => speculative)
  }
}
