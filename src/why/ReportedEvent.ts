// Groups scored reports into events: reports of one kind on the same thing by the same actors. The event that explains the move best
// comes first, and a direct event comes before what usually follows from it. Further events need reports of their own.
import { Array as Arr } from "effect"
import { independent, isSameEvent } from "./Cluster.ts"
import { type EventKind, has } from "./EventKind.ts"
import { DRIVER_THRESHOLD, type ScoredReport } from "./Scoring.ts"

export interface ReportedEvent {
  readonly kind: EventKind
  readonly role: "cause" | "amplifier"
  /** Of its best report, 0 to 1. */
  readonly score: number
  /** Which way such an event pushes: 1 up, -1 down. */
  readonly sign: number
  /** The best first, at most five. */
  readonly reports: Arr.NonEmptyReadonlyArray<ScoredReport>
  /** Independent publishers: syndicated copies and second reports of one owner do not count. */
  readonly publishers: number
  /** Its earliest report. */
  readonly first: ScoredReport
}

/** What a report of a second event must score, and from when, in hours after the onset. */
const SECOND_EVENT = { score: 0.6, delay: -1.5 }

const MOST_EVENTS = 3

/** Reports that are cited of one event. */
const MOST_REPORTS = 5

const HOUR = 3_600_000

/** Reports of one event, the best first. */
type Group = ReportedEvent["reports"]

/** The events whose reports reach the threshold, the likeliest cause first. */
export const eventsIn = (reports: ReadonlyArray<ScoredReport>): ReadonlyArray<ReportedEvent> => {
  const eligible = reports.filter(({ score }) => score >= DRIVER_THRESHOLD).toSorted(byScore)
  const ranked = groupsOf(eligible).toSorted((a, b) => supportOf(b) - supportOf(a))
  const [strongest] = ranked
  if (strongest === undefined) return []
  const lead = causeBefore(strongest, ranked) ?? strongest
  const used = new Set(lead.map(({ entry }) => entry))
  const events = [eventOf(lead, "cause")]
  for (const group of ranked) {
    const own = group.filter(
      ({ delay, entry, score }) => !used.has(entry) && score >= SECOND_EVENT.score && delay >= SECOND_EVENT.delay
    )
    if (group === lead || events.length === MOST_EVENTS || !Arr.isReadonlyArrayNonEmpty(own)) continue
    for (const { entry } of own) used.add(entry)
    events.push(eventOf(own, isConsequence(own) ? "amplifier" : "cause"))
  }
  return events
}

/** Groups reports, the best first: each joins the first event that it also reports. */
const groupsOf = (reports: ReadonlyArray<ScoredReport>): ReadonlyArray<Group> => {
  const groups: Array<Array<ScoredReport> & Group> = []
  for (const report of reports) {
    const group = groups.find(([best]) => best.kind === report.kind && isSameEvent(best.entry, report.entry))
    if (group === undefined) groups.push([report])
    else group.push(report)
  }
  return groups
}

const byScore = (a: ScoredReport, b: ScoredReport): number =>
  b.score - a.score || a.entry.at - b.entry.at || (a.entry.item.id < b.entry.item.id ? -1 : 1)

const isConsequence = ([{ kind }]: Group): boolean => has("consequence", kind)

const supportOf = (group: Group): number => {
  const [best, ...more] = group
  return best.score + 0.15 * more.slice(0, 3).reduce((sum, { score }) => sum + score, 0)
}

/** The direct event that a consequence follows: reported no later than an hour after it. */
const causeBefore = (group: Group, all: ReadonlyArray<Group>): Group | undefined =>
  isConsequence(group)
    ? all.find((other) => !isConsequence(other) && firstOf(other).entry.at <= firstOf(group).entry.at + HOUR)
    : undefined

const firstOf = ([best, ...more]: Group): ScoredReport =>
  more.reduce((first, report) => (report.entry.at < first.entry.at ? report : first), best)

const eventOf = (reports: Group, role: ReportedEvent["role"]): ReportedEvent => {
  const [best, ...more] = reports
  return {
    kind: best.kind,
    role,
    score: best.score,
    sign: best.sign,
    reports: [best, ...more.slice(0, MOST_REPORTS - 1)],
    publishers: independent(reports.map(({ entry }) => entry)),
    first: firstOf(reports)
  }
}
