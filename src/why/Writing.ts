// The sentences of an explanation (WHY.md §3.8), at most five. Headlines are quoted, never paraphrased, so a sentence cannot say more
// than its source. Every number is in what the sentence cites, and no sentence names a cause.
import { DateTime } from "effect"
import type { Analysis } from "./Explain.ts"
import { type CitedReports, idsOf, timeText } from "./Citations.ts"
import type { EvidenceType } from "../domain/Evidence.ts"
import type { Sentence, Verdict } from "../domain/Explanation.ts"
import { nounOf } from "./EventKind.ts"
import type { Onset } from "./Onset.ts"
import type { Pool, PoolItem } from "./Pool.ts"
import type { ReportedEvent } from "./ReportedEvent.ts"
import type { WhyInput } from "./RunFacts.ts"

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

const moveSentence = ({ coin, market, move }: WhyInput): Sentence => {
  const direction = move.changePct >= 0 ? "up" : "down"
  const head = `${coin.name} (${coin.symbol}) is ${direction} ${percent(move.changePct)} over 24 hours`
  const btc = coin.id === "bitcoin" ? null : market.btcChange24h
  return btc === null ? say(`${head}.`, "m2") : say(`${head}, against ${signed(btc)} for bitcoin.`, "m2", "m1")
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

/** Cut at a word and ended with "…", so that the whole stays within `limit` characters. */
export const cut = (text: string, limit: number): string => {
  if (text.length <= limit) return text
  const head = text.slice(0, limit - 1)
  const space = head.lastIndexOf(" ")
  return `${(space > limit / 2 ? head.slice(0, space) : head).replace(/[\s,;:.-]+$/, "")}…`
}

/** What exchanges write before a headline: "[Trade]". */
const LABEL = /^\[[^\]]*\]\s*(?=\S)/

/** A headline in quotation marks; what this service wrote itself, such as the row of a record, without them. */
const quoted = ({ item }: PoolItem): string => {
  const title = cut(item.title.replace(LABEL, ""), 120)
  return item.type === "incident_record" ? title : `“${title}”`
}

const VERBS: Readonly<Record<EvidenceType, string>> = {
  news: "reported",
  exchange_announcement: "announced",
  project_blog: "announced",
  regulator: "published",
  incident_record: "recorded"
}

const dayOf = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "long", timeZone: "UTC" })

/** A count of minutes, or of hours from ninety minutes on. */
const spanOf = (millis: number): string => {
  const minutes = Math.round(Math.abs(millis) / 60_000)
  const [count, unit] = minutes < 90 ? [minutes, "minute"] : [Math.round(minutes / 60), "hour"]
  return `${count} ${unit}${count === 1 ? "" : "s"}`
}

/** "20 minutes after the rise began", "on 24 November"; empty where the start is unknown. `sign`: which way the coin went. */
const besideOnset = ({ at, item }: PoolItem, onset: Onset, sign: number): string => {
  if (item.precision === "day") return `on ${dayOf.format(at)}`
  const after = at - onset.at
  const began = `the ${sign >= 0 ? "rise" : "fall"} began`
  if (!onset.known) return ""
  return Math.abs(after) < 60_000 ? `as ${began}` : `${spanOf(after)} ${after < 0 ? "before" : "after"} ${began}`
}

/** " (14:05 UTC)", with the day if it is another than that of `asOf`; empty where only the day is known. */
const clockOf = ({ at, item }: PoolItem, asOf: DateTime.Utc): string => {
  const time = timeText(at)
  const day = time.slice(0, 10) === DateTime.formatIsoDateUtc(asOf) ? "" : `${dayOf.format(at)}, `
  return item.precision === "day" ? "" : ` (${day}${time.slice(11, 16)} UTC)`
}

const listOf = new Intl.ListFormat("en-GB")

/** Who reported an event, when, and in which words: those of the first report. `cited` has all of its reports. */
const eventSentence = (event: ReportedEvent, input: WhyInput, onset: Onset, cited: CitedReports): Sentence => {
  const inTime = event.reports.toSorted((a, b) => a.entry.at - b.entry.at)
  const { entry } = event.first
  const { publisher, type } = entry.item
  const others = new Set(inTime.map((report) => report.entry.item.publisher))
  others.delete(publisher)
  const when = besideOnset(entry, onset, input.move.changePct)
  const opening = [publisher, VERBS[type], nounOf(event.best.kind), when].filter((part) => part !== "").join(" ")
  const too = others.size === 0 ? "" : `; ${listOf.format(others)} reported it too`
  return say(`${opening}: ${quoted(entry)}${clockOf(entry, input.asOf)}${too}.`, ...idsOf(inTime, cited))
}

const countOf = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? "" : "s"}`

const nothingFoundSentence = ({ publishers, size }: Pool): Sentence =>
  say(`Nothing we checked explains it: ${countOf(size, "report")} from ${countOf(publishers, "source")}.`, "c1")

/** The market's part of an unexplained move, where it is half of it or more. */
const medianSentence = ({ market, move }: WhyInput): Sentence | null => {
  const median = market.top100MedianChange24h
  if (median === null || !(median / move.changePct >= 0.5)) return null
  const share = Math.abs(median) >= Math.abs(move.changePct) ? "no less than" : "most of"
  const head = `The median of the top 100 coins ${changed(median)}`
  return say(`${head}, ${share} this coin's ${percent(move.changePct)}.`, "m3", "m2")
}

const coverageSentence = say("Too few of the feeds are fresh to say which reports coincide with the move.", "c1")

/** One line for a list of movers. */
export const headlineOf = (input: WhyInput, verdict: Verdict | null, lead: ReportedEvent | undefined): string => {
  const subject = `${input.coin.name} ${input.move.changePct >= 0 ? "rises" : "falls"}`
  if (verdict === null) return `${subject}; too few sources are fresh to explain it`
  if (verdict === "market_wide") return `${subject} with the wider market`
  if (verdict === "sector") return `${subject} with its sector`
  if (lead === undefined) return `${subject} with no clear catalyst found`
  const { entry } = lead.best
  return `${subject}: ${quoted(entry)} (${entry.item.publisher})`
}

export const compose = (
  input: WhyInput,
  { events, isBlind, isDegraded, onset, parts, verdict }: Analysis,
  pool: Pool,
  cited: CitedReports
): ReadonlyArray<Sentence> => {
  const sectorChange = input.market.sectors.find(({ id }) => id === parts.sectorId)?.change24h ?? null
  return [
    moveSentence(input),
    isDegraded ? null : shareSentence(input, verdict, sectorChange),
    ...events.map((event) => eventSentence(event, input, onset, cited)),
    !isBlind && events.length === 0 ? nothingFoundSentence(pool) : null,
    !isDegraded && verdict === "unexplained" ? medianSentence(input) : null,
    isBlind ? coverageSentence : null
  ].filter((sentence) => sentence !== null)
}
