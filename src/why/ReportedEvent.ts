// Groups scored reports into events: reports of one kind on the same thing by the same actors. The event that explains the move best
// comes first, and what usually follows from others comes last. A press release on three sites is one report (WHY.md §3.5, §3.12).
import { Array as Arr } from "effect"
import { domainOf } from "../domain/Publishers.ts"
import { rememberOf } from "../domain/rememberEach.ts"
import { has } from "./EventKind.ts"
import { saidIn } from "./Lexicon.ts"
import type { PoolItem } from "./Pool.ts"
import { isCoin, masked } from "./Scanning.ts"
import { DRIVER_THRESHOLD, type ScoredReport } from "./Scoring.ts"

export interface ReportedEvent {
  readonly role: "cause" | "amplifier"
  /** The best, which tells kind, direction and score of the event. */
  readonly best: ScoredReport
  /** The best first, at most five. */
  readonly reports: Arr.NonEmptyReadonlyArray<ScoredReport>
  readonly first: ScoredReport
  /** Independent publishers: syndicated copies and second reports of one owner do not count. */
  readonly publishers: number
}

/** What a report of a second event must score, and from when, in hours after the onset. */
const SECOND_EVENT = { score: 0.6, delay: -1.5 }

const MOST_EVENTS = 3

const MOST_REPORTS = 5

/** Reports of one event, the best first. */
type Group = ReportedEvent["reports"]

/** The events whose reports reach the threshold, the likeliest cause first. */
export const eventsIn = (reports: ReadonlyArray<ScoredReport>): ReadonlyArray<ReportedEvent> => {
  const eligible = reports.filter(({ score }) => score >= DRIVER_THRESHOLD).toSorted(byScore)
  const [lead, ...more] = groupsOf(eligible).toSorted((a, b) => rankOf(b) - rankOf(a))
  if (lead === undefined) return []
  const further = more.flatMap((group) => {
    const own = group.filter(({ delay, score }) => score >= SECOND_EVENT.score && delay >= SECOND_EVENT.delay)
    return Arr.isReadonlyArrayNonEmpty(own) ? eventOf(own, isConsequence(own) ? "amplifier" : "cause") : []
  })
  return [eventOf(lead, "cause"), ...further.slice(0, MOST_EVENTS - 1)]
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

/** What its best report scores, and a share of what three more do; below all causes for a consequence. */
const rankOf = (group: Group): number => {
  const [best, ...more] = group
  const support = more.slice(0, 3).reduce((sum, { score }) => sum + 0.15 * score, best.score)
  return isConsequence(group) ? support - 2 : support
}

const eventOf = (group: Group, role: ReportedEvent["role"]): ReportedEvent => {
  const [best, ...more] = group
  const reports = [best, ...more.slice(0, MOST_REPORTS - 1)] as const
  return {
    role,
    best,
    reports,
    first: reports.reduce((first, report) => (report.entry.at < first.entry.at ? report : first)),
    publishers: independent(group.map(({ entry }) => entry))
  }
}

const wordsOf = rememberOf(
  ({ summary, title }: PoolItem): ReadonlySet<string> =>
    new Set(`${title.lower} ${summary.lower}`.match(/[\p{L}\p{N}]+/gu))
)

const sharedBy = (a: ReadonlySet<string>, b: ReadonlySet<string>): number => [...a].filter((one) => b.has(one)).length

/** Whether one text is a copy of the other by the words that both have (Jaccard, Broder 1997). */
const isCopy = (a: ReadonlySet<string>, b: ReadonlySet<string>): boolean => {
  const common = sharedBy(a, b)
  return common >= 0.6 * (a.size + b.size - common)
}

/** The registrable domain of its address, else the host. */
const ownerOf = ({ item: { url } }: PoolItem): string => domainOf(url) ?? URL.parse(url)?.host ?? url

/** How many publishers report independently: copies of one story, and items of one owner, count once. */
export const independent = (items: ReadonlyArray<PoolItem>): number => {
  const counted: Array<PoolItem> = []
  for (const item of items) {
    const isKnown = counted.some((other) => ownerOf(other) === ownerOf(item) || isCopy(wordsOf(other), wordsOf(item)))
    if (!isKnown) counted.push(item)
  }
  return counted.length
}

/** "$200M", "USD 200 million": the number and its scale. */
const AMOUNTS = /(?<=[$€£]|usd )(\d[\d.,]*)|(\d[\d.,]*)(?= ?(?:[kmb]|bn|thousand|million|billion)\b)/g

/** Who acts alone: one of these that two reports share makes them one event. */
const ACTORS =
  /\b(?:sec|cftc|doj|fed|court|judge|congress|senate|treasury|china|russia|iran|israel|blackrock|grayscale|tether|circle)\b/g

const LEAST_WORDS = 2

/** What a title says beyond the names of coins: its words, and as two words each exchange, authority and amount. */
const saidOf = rememberOf(({ title }: PoolItem): ReadonlySet<string> => {
  const text = masked(title, "")
  const exchanges = title.names.flatMap(({ value }) => (isCoin(value) ? [] : value.surface.toLowerCase()))
  const amounts = [...text.matchAll(AMOUNTS)].map(([amount]) => amount.replaceAll(",", ""))
  const actors = [...exchanges, ...amounts, ...(text.match(ACTORS) ?? [])]
  return new Set([...saidIn(text), ...actors, ...actors.map((actor) => `${actor} again`)])
})

/** A coin's firm, or an exchange, that goes to law: "the SEC appeals" and "the firm may appeal" are two events. */
const GOES_TO_LAW =
  /xx\w+ (?:(?:files|filed|appeals|appealed|sues|sued|asks|asked|seeks|sought|challenges|challenged)|(?:may|might|could|will|to) (?:file|appeal|sue|ask|seek|challenge))\b(?! by)/

const goesToLaw = rememberOf(({ title }: PoolItem): boolean => GOES_TO_LAW.test(masked(title, "")))

/** Whether two reports of one kind are of one event: the same actors, of whom the same one acts, and the same thing. */
export const isSameEvent = (a: PoolItem, b: PoolItem): boolean =>
  sharedBy(saidOf(a), saidOf(b)) >= LEAST_WORDS && goesToLaw(a) === goesToLaw(b)
