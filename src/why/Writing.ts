// The sentences of an explanation (WHY.md §3.8), at most six. Headlines are quoted, never paraphrased, so a sentence cannot say more
// than its source. Every number is in what the sentence cites, and no sentence names a cause.
import type { Analysis } from "./Analysis.ts"
import { type CitedReports, idsOf } from "./Citations.ts"
import type { Sentence, Verdict, Watch } from "../domain/Explanation.ts"
import { phraseOf } from "./Lexicon.ts"
import type { ReportedEvent } from "./ReportedEvent.ts"
import { cut } from "./Text.ts"
import type { WhyInput } from "./WhyInput.ts"

/** The most that is quoted of a headline, and of a sentence with a date, in characters. */
const HEADLINE_QUOTE = 120
const DATE_QUOTE = 200

const say = (text: string, ...citations: ReadonlyArray<string>): Sentence => ({ text, citations })

/** Percent with one decimal, without a sign: the words tell it. */
const percent = (value: number): string => `${(Math.round(Math.abs(value) * 10) / 10).toFixed(1)}%`

/** Percent with one decimal and a sign. */
export const signed = (value: number): string => {
  const rounded = Math.round(value * 10) / 10
  return `${rounded > 0 ? "+" : rounded < 0 ? "-" : ""}${Math.abs(rounded).toFixed(1)}%`
}

/** How far from the start of the move, in words: it is known to the hour at best. */
const whenOf = (delayHours: number, isOnsetKnown: boolean): string => {
  if (!isOnsetKnown) return "on the day of the move"
  if (delayHours < -1.5) return "some hours before the move began"
  if (delayHours <= 1.5) return "close to the start of the move"
  return delayHours <= 6 ? "within hours of the start of the move" : "after the move had begun"
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
    return say(
      `Most of that matches the wider market: the median of the top 100 coins changed ${signed(median)}.`,
      "m3"
    )
  if (verdict === "sector" && sectorChange !== null)
    return say(
      `Most of that matches its sector: the median of the other coins in it changed ${signed(sectorChange)}.`,
      "m4"
    )
  return null
}

/** An event in the words of its best report. `id` cites that report; `rank` is the event's place, from 1. */
const eventSentence = (
  event: ReportedEvent,
  id: string,
  { isOnsetKnown, isWide, rank }: { readonly isOnsetKnown: boolean; readonly isWide: boolean; readonly rank: number }
): Sentence => {
  const [{ delay, entry }] = event.reports
  const kind = phraseOf(event.kind)
  const opening =
    event.kind === "other"
      ? `Reported ${whenOf(delay, isOnsetKnown)}`
      : rank > 1
        ? `Also reported ${whenOf(delay, isOnsetKnown)} is ${kind}`
        : isWide
          ? `The report closest to the move of the market is about ${kind}`
          : `Reported ${whenOf(delay, isOnsetKnown)} is ${kind}`
  const { publisher, title } = entry.item
  return say(`${opening}, according to ${publisher}: “${cut(title.replace(LABEL, ""), HEADLINE_QUOTE)}”.`, id)
}

/** What exchanges write before a headline: "[Trade]". */
const LABEL = /^\[[^\]]*\]\s*(?=\S)/

/** Who else reports an event; `null` where only one publisher does. `ids` cite its reports after the best. */
const corroborationSentence = (event: ReportedEvent, ids: ReadonlyArray<string>): Sentence | null => {
  const [best, ...more] = event.reports
  const others = [...new Set(more.map(({ entry }) => entry.item.publisher))].filter(
    (publisher) => publisher !== best.entry.item.publisher
  )
  const last = others.at(-1)
  if (last === undefined) return null
  const names = others.length === 1 ? last : `${others.slice(0, -1).join(", ")} and ${last}`
  return say(`${names} also report${others.length === 1 ? "s" : ""} it.`, ...ids)
}

/** That nothing was found, and how much was searched. */
const nothingFoundSentence = (search: { readonly items: number; readonly publishers: number }): Sentence =>
  say(`No clear catalyst was found in ${search.items} items from ${search.publishers} sources checked.`, "c1")

/** That too little was searched to say anything. */
const coverageSentence = say("Too few of the feeds are fresh to say which reports coincide with the move.", "c1")

/** A date ahead, in the words of the item that it cites. */
const watchSentence = ({ citations, text }: Watch): Sentence =>
  say(`To watch: “${cut(text, DATE_QUOTE)}”.`, ...citations)

/** One line for a list of movers. */
export const headlineOf = (input: WhyInput, verdict: Verdict | null, lead: ReportedEvent | undefined): string => {
  const subject = `${input.coin.name} ${input.move.changePct >= 0 ? "rises" : "falls"}`
  if (verdict === null) return `${subject}; too few sources are fresh to explain it`
  if (verdict === "unexplained") return `${subject} with no clear catalyst found`
  if (verdict === "market_wide") return `${subject} with the wider market`
  if (verdict === "sector") return `${subject} with its sector`
  return lead === undefined ? subject : `${subject} amid ${phraseOf(lead.kind)}`
}

const MOST_SENTENCES = 6

/** Composes the sentences, in reading order. `watch`: dates ahead. */
export const compose = (
  input: WhyInput,
  analysis: Analysis,
  cited: CitedReports,
  [watch]: ReadonlyArray<Watch>
): ReadonlyArray<Sentence> => {
  const { events, isBlind, isDegraded, onset, parts, search, verdict } = analysis
  const sectorChange = input.market.sectors.find(({ id }) => id === parts.sectorId)?.change24h ?? null
  const isWide = verdict === "market_wide" || verdict === "sector"
  // In reading order, each with its place when there is no room for all: the lowest stay.
  const all: ReadonlyArray<readonly [place: number, sentence: Sentence | null]> = [
    [0, moveSentence(input)],
    [1, isDegraded ? coverageSentence : shareSentence(input, verdict, sectorChange)],
    ...events.flatMap((event, n) => {
      const [best = "", ...more] = idsOf(event, cited)
      return [
        [0, eventSentence(event, best, { isOnsetKnown: onset.known, isWide, rank: n + 1 })],
        [n === 0 ? 2 : 4, corroborationSentence(event, more)]
      ] as const
    }),
    [0, !isBlind && events.length === 0 ? nothingFoundSentence(search) : null],
    [1, isBlind && !isDegraded ? coverageSentence : null],
    [3, watch === undefined ? null : watchSentence(watch)]
  ]
  const ranked = all.toSorted(([a], [b]) => a - b).flatMap(([, sentence]) => sentence ?? [])
  const chosen = new Set(ranked.slice(0, MOST_SENTENCES))
  return all.flatMap(([, sentence]) => (sentence !== null && chosen.has(sentence) ? [sentence] : []))
}
