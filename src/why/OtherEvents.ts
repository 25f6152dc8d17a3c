// Which reports together tell of an event behind the move, whatever its kind (WHY.md §3.10): near its start, about the
// coin, of something done, and borne out (`Support`). An event of a recognised kind must be borne out too; the other
// reports of it are cited with it.
import { isCopy, isSameWitness, witnesses } from "./Cluster.ts"
import type { Onset } from "./Onset.ts"
import { type Condition, EARLIEST, firstFailed, isOfEvent, type OtherReport } from "./OtherReport.ts"
import { MOST_REPORTS, type ReportedEvent } from "./ReportedEvent.ts"
import { isFirstRank, type ScoredItem, type ScoredReport } from "./Scoring.ts"
import { sharedWeight } from "./Statement.ts"
import { ENOUGH, together } from "./Support.ts"
import type { WhyInput } from "./WhyInput.ts"

/** The event, if there is one, and the condition that each other report about the coin failed. */
export interface OtherEvents {
  readonly events: ReadonlyArray<ReportedEvent>
  readonly failed: ReadonlyMap<ScoredItem, Condition>
}

/** An older headline that shares this many words tells the same event: it is not news. */
const SAME_EVENT = 4

/** A report with less support of its own counts for another report only if both tell the same. */
const LEAST_SUPPORT = 0.25

/** A report with this support is cited beside the first, even if it tells something else. */
const CITED_SUPPORT = 0.6

/** Hours: a report belongs to a sudden move if it comes at most this long before the onset. */
const CLOSE = -1.5

/** An earlier report belongs to the same event only if it shares this many words. */
const PLAINLY_SHARED = 3

/** A report whose words make no event this likely never counts for another one. */
const NOTHING = 0.95

/** The least support that the reports of a recognised kind need among themselves. */
const OWN_SUPPORT = 0.5

/** Two reports tell the same event if they share this many words. */
const SHARED_WORDS = 2

/** Publishers whose support is added up. */
const MOST_WITNESSES = 3

/** Finds the event that is best borne out. */
export const otherEvents = (reports: ReadonlyArray<OtherReport>, input: WhyInput, onset: Onset): OtherEvents => {
  const sign = input.move.changePct >= 0 ? 1 : -1
  const failed = new Map<ScoredItem, Condition>()
  const found: Array<ReportedEvent> = []
  for (const report of reports) {
    const condition = onset.known ? firstFailed(report, () => firstTold(report, reports), sign) : "time"
    const event = condition === null ? eventOf(report, reports, sign, onset) : undefined
    if (event === undefined) failed.set(report.one, condition ?? "witnesses")
    else found.push(event)
  }
  return { events: found.toSorted((a, b) => b.score - a.score || a.firstAt - b.firstAt).slice(0, 1), failed }
}

/**
 * How many strong reports were passed over, by the condition that they failed. Strong: of a primary source or the first
 * rank, with the coin in the title, not more than a day before the onset.
 */
export const passedOver = ({ failed }: OtherEvents): ReadonlyMap<Condition, number> => {
  const counts = new Map<Condition, number>()
  for (const [{ delay, entry, link }, condition] of failed)
    if (link.inTitle && link.strength >= 0.7 && delay >= -24 && isFirstRank(entry.item))
      counts.set(condition, (counts.get(condition) ?? 0) + 1)
  return counts
}

/** Whether two reports may be cited beside each other: both come with the move, or they plainly tell the same. */
const areOfStory = (a: OtherReport, b: OtherReport, onset: Onset): boolean =>
  !onset.sharp || (a.delay >= CLOSE && b.delay >= CLOSE) || sharedWeight(a.content(), b.content()) >= PLAINLY_SHARED

const tellsTheSame = (a: OtherReport, b: OtherReport): boolean =>
  sharedWeight(a.content(), b.content()) + (a.isTied || b.isTied ? 1 : 0) >= SHARED_WORDS &&
  sharedWeight(a.title, b.content()) + sharedWeight(b.title, a.content()) > 0

/** Hours after the onset of the first report of the same event, from 6 h before it: a later one may say best what it is. */
const firstTold = (report: OtherReport, all: ReadonlyArray<OtherReport>): number =>
  all.reduce(
    (first, other) => (other.delay < first && isOfEvent(other) && tellsTheSame(report, other) ? other.delay : first),
    report.delay
  )

const bySupport = (a: OtherReport, b: OtherReport): number =>
  b.support() - a.support() || a.one.entry.at - b.one.entry.at

/** The reports whose support is added up: of each domain and of copies the first. */
const independentOf = (group: ReadonlyArray<OtherReport>): ReadonlyArray<OtherReport> =>
  group
    .filter(({ one }, at) => !group.slice(0, at).some((other) => isSameWitness(other.one.entry, one.entry)))
    .slice(0, MOST_WITNESSES)

const supportIn = (independent: ReadonlyArray<OtherReport>, tellTheSame = false): number =>
  together(
    independent.map(({ support }) => support()),
    tellTheSame
  )

const eventOf = (
  lead: OtherReport,
  all: ReadonlyArray<OtherReport>,
  sign: number,
  onset: Onset
): ReportedEvent | undefined => {
  const others = all
    .filter(
      (other) =>
        other !== lead &&
        other.isWitness() &&
        (other.support() >= LEAST_SUPPORT || (other.one.outlook().none < NOTHING && tellsTheSame(lead, other))) &&
        areOfStory(lead, other, onset)
    )
    .toSorted(bySupport)
  const group = [lead, ...others]
  const isOld = all.some(
    (other) => other.delay < EARLIEST && group.some(({ title }) => sharedWeight(title, other.title) >= SAME_EVENT)
  )
  if (isOld) return undefined
  const independent = independentOf(group)
  const isToldAgain = independent.slice(1).some((other) => tellsTheSame(lead, other))
  const support = supportIn(independent, isToldAgain && independent.some(({ one }) => isFirstRank(one.entry.item)))
  if (support < ENOUGH) return undefined
  const score = 0.75 * support
  const first = group.reduce((a, b) => (b.delay < a.delay ? b : a))
  const best = reportOf(lead, score, sign)
  const more = others
    .filter((other) => other.support() >= (tellsTheSame(lead, other) ? LEAST_SUPPORT : CITED_SUPPORT))
    .map((one) => reportOf(one, score, sign))
  return {
    kind: "other",
    role: "cause",
    score,
    sign,
    reports: [best, ...withoutCopies(best, more).slice(0, MOST_REPORTS - 1)],
    publishers: witnesses(group.map(({ one }) => one.entry)),
    firstAt: first.one.entry.at,
    delay: first.delay,
    speculative: false
  }
}

/** Recognised events that are borne out; the first with all other reports of it. */
export const borneOut = (
  events: ReadonlyArray<ReportedEvent>,
  reports: ReadonlyArray<OtherReport>,
  onset: Onset
): ReadonlyArray<ReportedEvent> => {
  const [lead, ...more] = events
    .map((event) => withoutTalk(event, reports))
    .filter((event, at) => isBorneOut(event, reports, at === 0))
  if (lead === undefined) return []
  const told = new Set(events.flatMap((event) => event.reports.map(({ entry }) => entry)))
  const [best, ...own] = lead.reports
  const first = reports.find(({ one }) => one.entry === best.entry)
  const others = reports
    .filter(
      (report) =>
        !told.has(report.one.entry) &&
        report.isWitness() &&
        report.support() >= CITED_SUPPORT &&
        (first === undefined || areOfStory(first, report, onset))
    )
    .toSorted(bySupport)
    .map((report) => reportOf(report, lead.score * report.support(), lead.sign))
  const beside = [...own, ...withoutCopies(best, others)].slice(0, MOST_REPORTS - 1)
  return [{ ...lead, reports: [best, ...beside] }, ...more]
}

/** An event without its questions and rumours, where anything else tells of it. */
const withoutTalk = (event: ReportedEvent, reports: ReadonlyArray<OtherReport>): ReportedEvent => {
  const [best, ...more] = event.reports.filter(({ entry }) =>
    reports.some((report) => report.one.entry === entry && report.isWitness())
  )
  return best === undefined ? event : { ...event, reports: [best, ...more] }
}

/** Whether its reports bear an event out; the first event is borne out by other reports too. */
const isBorneOut = (event: ReportedEvent, all: ReadonlyArray<OtherReport>, isFirst: boolean): boolean => {
  const entries = new Set(event.reports.map(({ entry }) => entry))
  const own = all.filter(({ one }) => entries.has(one.entry))
  const beside = all.filter(
    (report) => isFirst && !entries.has(report.one.entry) && report.isWitness() && report.support() >= LEAST_SUPPORT
  )
  return (
    supportIn(independentOf(own.toSorted(bySupport))) >= OWN_SUPPORT &&
    supportIn(independentOf([...own, ...beside].toSorted(bySupport))) >= ENOUGH
  )
}

const reportOf = ({ delay, one: { entry, link } }: OtherReport, score: number, sign: number): ScoredReport => ({
  entry,
  kind: "other",
  score,
  sign,
  delay,
  inTitle: link.inTitle,
  speculative: false,
  isSlight: false
})

/** Two reports of one owner that are the same text say one thing. */
const withoutCopies = (best: ScoredReport, more: ReadonlyArray<ScoredReport>): ReadonlyArray<ScoredReport> =>
  more.filter(({ entry }) => entry.domain !== best.entry.domain || !isCopy(entry, best.entry))
