// The sentences of an explanation (WHY.md §3.8), at most six. Headlines are quoted, never paraphrased, so a sentence cannot say more
// than its source. Every number is in what the sentence cites, and no sentence names a cause.
import type { Analysis } from "./Analysis.ts"
import { type CitedReports, idsOf } from "./Citations.ts"
import type { EvidenceType } from "../domain/Evidence.ts"
import type { Sentence, Verdict } from "../domain/Explanation.ts"
import { nounOf } from "./EventKind.ts"
import type { Onset } from "./Onset.ts"
import type { PoolItem } from "./Pool.ts"
import type { ReportedEvent } from "./ReportedEvent.ts"
import { cut } from "./Text.ts"
import { besideOnset, clockOf } from "./When.ts"
import type { WhyInput } from "./WhyInput.ts"

/** The most that is quoted of a headline, in characters. */
const HEADLINE_QUOTE = 120

const say = (text: string, ...citations: ReadonlyArray<string>): Sentence => ({ text, citations })

/** Percent with one decimal, without a sign: the words say "up" or "fell". */
const percent = (value: number): string => `${(Math.round(Math.abs(value) * 10) / 10).toFixed(1)}%`

/** Percent with one decimal and a sign. */
export const signed = (value: number): string => {
  const rounded = Math.round(value * 10) / 10
  return `${rounded > 0 ? "+" : rounded < 0 ? "-" : ""}${Math.abs(rounded).toFixed(1)}%`
}

/** "fell 3.8%". */
const changed = (value: number): string =>
  percent(value) === percent(0) ? "did not change" : `${value > 0 ? "rose" : "fell"} ${percent(value)}`

/** What the words for the time of a report depend on. */
interface Moment {
  readonly asOf: WhyInput["asOf"]
  readonly onset: Onset
  readonly sign: number
}

/** The move itself. */
const moveSentence = ({ coin, market, move }: WhyInput): Sentence => {
  const direction = move.changePct >= 0 ? "up" : "down"
  const head = `${coin.name} (${coin.symbol}) is ${direction} ${percent(move.changePct)} over 24 hours`
  const btc = market.btcChange24h
  return btc === null || coin.id === "bitcoin"
    ? say(`${head}.`, "m2")
    : say(`${head}, against ${signed(btc)} for bitcoin.`, "m2", "m1")
}

/** That the move is the market's or the sector's; `null` where it is the coin's own. */
const shareSentence = (input: WhyInput, verdict: Verdict, sectorChange: number | null): Sentence | null => {
  const median = input.market.top100MedianChange24h
  if (verdict === "market_wide" && median !== null)
    return say(`Most of that is the market: the median of the top 100 coins ${changed(median)}.`, "m3")
  if (verdict === "sector" && sectorChange !== null)
    return say(`Most of that is its sector: half of the other coins in it ${changed(sectorChange)} or more.`, "m4")
  return null
}

/** What exchanges write before a headline: "[Trade]". */
const LABEL = /^\[[^\]]*\]\s*(?=\S)/

/** A headline in quotation marks; what this service wrote itself, such as the row of a record, without them. */
const quoted = ({ item }: PoolItem, most: number): string => {
  const title = cut(item.title.replace(LABEL, ""), most)
  return item.type === "incident_record" ? title : `“${title}”`
}

const VERBS: Readonly<Record<EvidenceType, string>> = {
  news: "reported",
  exchange_announcement: "announced",
  project_blog: "announced",
  regulator: "published",
  incident_record: "recorded"
}

/** Who reported it after the first, "; Decrypt and CoinDesk reported it too"; empty for nobody. */
const othersIn = (publishers: ReadonlyArray<string>): string => {
  const last = publishers.at(-1)
  if (last === undefined) return ""
  const names = publishers.length === 1 ? last : `${publishers.slice(0, -1).join(", ")} and ${last}`
  return `; ${names} reported it too`
}

/** Who reported an event, when, and in which words: those of the first report. `cited` has all of its reports. */
const eventSentence = (event: ReportedEvent, { asOf, onset, sign }: Moment, cited: CitedReports): Sentence => {
  const inTime = event.reports.toSorted((a, b) => a.entry.at - b.entry.at)
  const { entry } = inTime[0] ?? event.reports[0]
  const { publisher, type } = entry.item
  const others = new Set(inTime.map((report) => report.entry.item.publisher))
  others.delete(publisher)
  const when = besideOnset(entry, onset, sign)
  const opening = [publisher, VERBS[type], nounOf(event.kind) ?? "", when].filter((part) => part !== "").join(" ")
  const clock = clockOf(entry, asOf)
  const time = clock === null ? "" : ` (${clock})`
  const text = `${opening}: ${quoted(entry, HEADLINE_QUOTE)}${time}${othersIn([...others])}.`
  return say(text, ...idsOf({ reports: inTime }, cited))
}

/** That nothing was found, and how much was searched. */
const nothingFoundSentence = ({ items, publishers }: Analysis["search"]): Sentence =>
  say(`Nothing we checked explains it: ${countOf(items, "report")} from ${countOf(publishers, "source")}.`, "c1")

const countOf = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? "" : "s"}`

/** The market's part of an unexplained move, where it is half of it or more. */
const medianSentence = ({ market, move }: WhyInput): Sentence | null => {
  const median = market.top100MedianChange24h
  if (median === null || !(median / move.changePct >= 0.5)) return null
  const share = Math.abs(median) >= Math.abs(move.changePct) ? "no less than" : "most of"
  return say(
    `The median of the top 100 coins ${changed(median)}, ${share} this coin's ${percent(move.changePct)}.`,
    "m3",
    "m2"
  )
}

/** That too little was searched to say anything. */
const coverageSentence = say("Too few of the feeds are fresh to say which reports coincide with the move.", "c1")

/** One line for a list of movers. */
export const headlineOf = (input: WhyInput, verdict: Verdict | null, lead: ReportedEvent | undefined): string => {
  const subject = `${input.coin.name} ${input.move.changePct >= 0 ? "rises" : "falls"}`
  if (verdict === null) return `${subject}; too few sources are fresh to explain it`
  if (verdict === "unexplained") return `${subject} with no clear catalyst found`
  if (verdict === "market_wide") return `${subject} with the wider market`
  if (verdict === "sector") return `${subject} with its sector`
  if (lead === undefined) return subject
  const { entry } = lead.reports[0]
  return `${subject}: ${quoted(entry, HEADLINE_QUOTE)} (${entry.item.publisher})`
}

const MOST_SENTENCES = 6

/** Composes the sentences, in reading order. */
export const compose = (input: WhyInput, analysis: Analysis, cited: CitedReports): ReadonlyArray<Sentence> => {
  const { events, isBlind, isDegraded, onset, parts, search, verdict } = analysis
  const sectorChange = input.market.sectors.find(({ id }) => id === parts.sectorId)?.change24h ?? null
  const moment = { asOf: input.asOf, onset, sign: input.move.changePct >= 0 ? 1 : -1 }
  // In reading order, each with its place when there is no room for all: the lowest stay.
  const all: ReadonlyArray<readonly [place: number, sentence: Sentence | null]> = [
    [0, moveSentence(input)],
    [1, isDegraded ? coverageSentence : shareSentence(input, verdict, sectorChange)],
    ...events.map((event) => [0, eventSentence(event, moment, cited)] as const),
    [0, !isBlind && events.length === 0 ? nothingFoundSentence(search) : null],
    [1, !isDegraded && verdict === "unexplained" ? medianSentence(input) : null],
    [1, isBlind && !isDegraded ? coverageSentence : null]
  ]
  const ranked = all.toSorted(([a], [b]) => a - b).flatMap(([, sentence]) => sentence ?? [])
  const chosen = new Set(ranked.slice(0, MOST_SENTENCES))
  return all.flatMap(([, sentence]) => (sentence !== null && chosen.has(sentence) ? [sentence] : []))
}
