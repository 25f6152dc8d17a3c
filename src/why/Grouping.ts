// From scored items to events: one kind is one event, told by several. The earliest direct event outranks its consequences.
import { similarity, witnesses, SAME_STORY } from "./Cluster.ts"
import type { EventKind } from "./Explanation.ts"
import { isConsequence } from "./Lexicon.ts"
import { type Candidate, DRIVER_THRESHOLD } from "./Scoring.ts"

/** One event with its reports, the best first. */
export interface EventGroup {
  readonly kind: EventKind
  readonly role: "cause" | "amplifier"
  readonly score: number
  readonly sign: number
  readonly reports: ReadonlyArray<Candidate>
  readonly publishers: number
  /** When it was first reported, in milliseconds. */
  readonly firstAt: number
  readonly delay: number
  readonly speculative: boolean
}

const byScore = (a: Candidate, b: Candidate): number =>
  b.score - a.score || a.entry.at - b.entry.at || (a.entry.item.id < b.entry.item.id ? -1 : 1)

const SECOND_EVENT = 0.6
const MOST_REPORTS = 5

const supportOf = (reports: ReadonlyArray<Candidate>, kind: EventKind): number => {
  const [best = 0, ...more] = reports.map(({ score }) => score)
  return (best + 0.15 * more.slice(0, 3).reduce((sum, score) => sum + score, 0)) * (isConsequence(kind) ? 0.8 : 1)
}

const makeGroup = (kind: EventKind, role: "cause" | "amplifier", reports: ReadonlyArray<Candidate>): EventGroup => {
  const first = reports.reduce(
    (earliest, report) => (report.entry.at < earliest.entry.at ? report : earliest),
    reports[0] ?? impossible()
  )
  return {
    kind,
    role,
    score: Math.min(1, (reports[0]?.score ?? 0) * 1),
    sign: reports[0]?.sign ?? 0,
    reports: reports.slice(0, MOST_REPORTS),
    publishers: witnesses(reports.map(({ entry }) => ({ domain: entry.domain, signature: entry.signature() }))),
    firstAt: first.entry.at,
    delay: first.delay,
    speculative: reports.every(({ speculative }) => speculative)
  }
}

const impossible = (): never => {
  throw new Error("an event without reports")
}

/** The events over the threshold, the likeliest cause first; none when nothing is. */
export const groupEvents = (candidates: ReadonlyArray<Candidate>): ReadonlyArray<EventGroup> => {
  const eligible = candidates.filter(({ score }) => score >= DRIVER_THRESHOLD).toSorted(byScore)
  const kinds = [...new Set(eligible.map(({ kind }) => kind))]
  const ranked = kinds
    .map((kind) => ({ kind, reports: eligible.filter((candidate) => candidate.kind === kind) }))
    .toSorted((a, b) => supportOf(b.reports, b.kind) - supportOf(a.reports, a.kind))
  const lead = ranked[0]
  if (lead === undefined) return []
  const direct = isConsequence(lead.kind)
    ? ranked.find(
        ({ kind, reports }) => !isConsequence(kind) && earliest(reports) <= earliest(lead.reports) + 3_600_000
      )
    : undefined
  const primary = direct ?? lead
  const used = new Set(primary.reports.map(({ entry }) => entry.item.id))
  const groups = [makeGroup(primary.kind, "cause", primary.reports)]
  for (const { kind, reports } of ranked) {
    if (kind === primary.kind || groups.length >= 3) continue
    const own = reports.filter(
      ({ entry, score, inTitle, delay }) =>
        !used.has(entry.item.id) &&
        inTitle &&
        delay >= -1.5 &&
        score >= SECOND_EVENT &&
        !primary.reports.some((other) => similarity(other.entry.signature(), entry.signature()) >= SAME_STORY)
    )
    if (own.length === 0) continue
    for (const { entry } of own) used.add(entry.item.id)
    groups.push(makeGroup(kind, isConsequence(kind) ? "amplifier" : "cause", own))
  }
  return groups
}

const earliest = (reports: ReadonlyArray<Candidate>): number =>
  reports.reduce((least, { entry }) => Math.min(least, entry.at), Number.POSITIVE_INFINITY)
