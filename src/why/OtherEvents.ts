// Events that no list of kinds foresaw (WHY.md §3.10): reported in words of no recognised kind, near the start of a move
// that is the coin's own, and borne out (`Witnesses`). The conditions are strict because the kind cannot vouch for the
// report.
import { SAME_STORY, similarity, witnesses } from "./Cluster.ts"
import type { Onset } from "./Onset.ts"
import { type Condition, EARLIEST, firstFailed } from "./OtherConditions.ts"
import { isFirstRank, otherReport, type OtherReport, rankOf } from "./OtherReport.ts"
import type { ReportedEvent } from "./ReportedEvent.ts"
import type { ScoredItem, ScoredReport } from "./Scoring.ts"
import { sharedWeight } from "./Statement.ts"
import type { WhyInput } from "./WhyInput.ts"
import { bearsOut, isPrimaryNews, isTiedAlone, type Move } from "./Witnesses.ts"

/** The event, if there is one, and the condition that each other report about the coin failed. */
export interface OtherEvents {
  readonly events: ReadonlyArray<ReportedEvent>
  readonly failed: ReadonlyMap<ScoredItem, Condition>
}

const HOUR = 3_600_000

/** An older headline that shares this many words tells the same event: it is not news. */
const SAME_EVENT = 4

/** Coins down to this rank are written about all day. */
const WATCHED_RANK = 20

const MOST_REPORTS = 5

/** Finds the event that best meets the conditions. */
export const otherEvents = (scored: ReadonlyArray<ScoredItem>, input: WhyInput, onset: Onset): OtherEvents => {
  const { coin } = input
  const sign = input.move.changePct >= 0 ? 1 : -1
  const move: Move = { sign, isWatched: coin.rank !== null && coin.rank <= WATCHED_RANK }
  const reports = scored
    .filter(({ entry, junk, link }) => link.strength >= 0.5 && !junk && !entry.injection)
    .map((one) => otherReport(one, coin.id, sign, (one.entry.at - onset.at) / HOUR))
  const failed = new Map<ScoredItem, Condition>()
  const found: Array<ReportedEvent> = []
  for (const report of reports) {
    const condition = onset.known ? firstFailed(report, sign) : "time"
    const event = condition === null ? eventOf(report, reports, move) : undefined
    if (event === undefined) failed.set(report.one, condition ?? "witnesses")
    else found.push(event)
  }
  return { events: found.toSorted((a, b) => b.score - a.score || a.firstAt - b.firstAt).slice(0, 1), failed }
}

/**
 * How many strong reports were passed over, by the condition that they failed. Strong: of a primary source or the first
 * rank, with the coin in the title, not more than a day before the onset.
 */
export const passedOver = ({ failed }: OtherEvents, onset: Onset): ReadonlyMap<Condition, number> => {
  const counts = new Map<Condition, number>()
  for (const [{ entry, link }, condition] of failed) {
    const isStrong = link.inTitle && link.strength >= 0.7 && entry.at >= onset.at - 24 * HOUR
    if (isStrong && (entry.item.tier === "primary" || entry.item.tier === "tier1"))
      counts.set(condition, (counts.get(condition) ?? 0) + 1)
  }
  return counts
}

const eventOf = (lead: OtherReport, all: ReadonlyArray<OtherReport>, move: Move): ReportedEvent | undefined => {
  const others = all
    .filter((other) => bearsOut(lead, other, move))
    .toSorted((a, b) => rankOf(b) - rankOf(a) || a.one.entry.at - b.one.entry.at)
  const group = [lead, ...others]
  const isOld = all.some(
    (other) => other.delay < EARLIEST && group.some(({ title }) => sharedWeight(title, other.title) >= SAME_EVENT)
  )
  if (isOld) return undefined
  const publishers = witnesses(
    group.map(({ one: { entry } }) => ({ domain: entry.domain, signature: entry.signature() }))
  )
  const isPrimary = isPrimaryNews(lead, move)
  if (!isPrimary && !(publishers >= 2 && group.some(isFirstRank)) && !isTiedAlone(lead)) return undefined
  const score = Math.min(0.75, 0.45 + (isPrimary ? 0.1 : 0) + 0.05 * Math.min(4, publishers) + 0.05 * rankOf(lead))
  const first = group.reduce((a, b) => (b.delay < a.delay ? b : a))
  const best = reportOf(lead, score, move)
  const more = others.map((one) => reportOf(one, score, move))
  return {
    kind: "other",
    role: "cause",
    score,
    sign: move.sign,
    reports: [best, ...withoutCopies(best, more).slice(0, MOST_REPORTS - 1)],
    publishers,
    firstAt: first.one.entry.at,
    delay: first.delay,
    speculative: false
  }
}

const reportOf = ({ delay, one: { entry, link } }: OtherReport, score: number, { sign }: Move): ScoredReport => ({
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
  more.filter(
    ({ entry }) =>
      entry.domain !== best.entry.domain || similarity(entry.signature(), best.entry.signature()) < SAME_STORY
  )
