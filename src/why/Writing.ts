// The text (WHY.md §3.8). Headlines are quoted, never paraphrased, so a sentence cannot say more than its source; numbers stand in
// what the sentence cites; nothing is said to be a cause.
import type { Sentence, Verdict } from "./Explanation.ts"
import { volumeRatio } from "./Figures.ts"
import type { EventGroup } from "./Grouping.ts"
import { phraseOf } from "./Lexicon.ts"
import { clean, cut, quotable } from "./Text.ts"
import type { WhyInput } from "./WhyInput.ts"

/** Longest headline that is quoted whole. */
const QUOTE = 120

/** One decimal; without a sign where the words tell it. */
const percent = (value: number): string => `${(Math.round(Math.abs(value) * 10) / 10).toFixed(1)}%`

/** One decimal, with a sign. */
export const signed = (value: number): string => {
  const rounded = Math.round(value * 10) / 10
  return `${rounded > 0 ? "+" : rounded < 0 ? "-" : ""}${Math.abs(rounded).toFixed(1)}%`
}

const money = (value: number): string => {
  const [scale, unit] = value >= 1e9 ? [1e9, " billion"] : value >= 1e6 ? [1e6, " million"] : [1, ""]
  return `$${Number((value / scale).toPrecision(3))}${unit}`
}

/** A headline as it is quoted. Straight quotes inside give way to single ones only at its ends, so that the quote stays verbatim. */
export const quoteOf = (title: string): string => cut(quotable(title), QUOTE)

const nameOf = (input: WhyInput): string => clean(input.coin.name)
const symbolOf = (input: WhyInput): string => clean(input.coin.symbol).toUpperCase()

/** How far from the start of the move, in words: an hour is as exact as it is known. */
const whenOf = (delayHours: number, known: boolean): string => {
  if (!known) return "on the day of the move"
  if (delayHours < -1.5) return "some hours before the move began"
  if (delayHours <= 1.5) return "close to the start of the move"
  return delayHours <= 6 ? "within hours of the start of the move" : "after the move had begun"
}

/** The move itself. */
export const moveSentence = (input: WhyInput): Sentence => {
  const direction = input.move.changePct >= 0 ? "up" : "down"
  const head = `${nameOf(input)} (${symbolOf(input)}) is ${direction} ${percent(input.move.changePct)} over 24 hours`
  const btc = input.market.btcChange24h
  return btc === null || input.coin.id === "bitcoin"
    ? { text: `${head}.`, citations: ["m2"] }
    : { text: `${head}, against ${signed(btc)} for bitcoin.`, citations: ["m2", "m1"] }
}

/** Whose move it was, where it was not the coin's. */
export const shareSentence = (
  input: WhyInput,
  verdict: Verdict,
  sectorChange: number | null
): ReadonlyArray<Sentence> => {
  const median = input.market.top100MedianChange24h
  if (verdict === "market_wide" && median !== null)
    return [
      {
        text: `Most of that matches the wider market: the median of the top 100 coins changed ${signed(median)}.`,
        citations: ["m3"]
      }
    ]
  if (verdict === "sector" && sectorChange !== null)
    return [
      {
        text: `Most of that matches its sector: the median of the other coins in it changed ${signed(sectorChange)}.`,
        citations: ["m4"]
      }
    ]
  return []
}

/** An event, in the words of its best report. `ids` are the citations of its reports in order. */
export const eventSentences = (
  group: EventGroup,
  ids: ReadonlyArray<string>,
  rank: number,
  onsetKnown: boolean,
  wide: boolean
): ReadonlyArray<Sentence> => {
  const [best] = group.reports
  const [first, ...rest] = ids
  if (best === undefined || first === undefined) return []
  const publisher = clean(best.entry.item.publisher)
  const opening =
    rank > 1
      ? `Also reported ${whenOf(best.delay, onsetKnown)} is ${phraseOf(group.kind)}`
      : wide
        ? `The report closest to the move of the market is about ${phraseOf(group.kind)}`
        : `Reported ${whenOf(best.delay, onsetKnown)} is ${phraseOf(group.kind)}`
  const hedge = group.speculative ? ", which is not confirmed" : ""
  const main: Sentence = {
    text: `${opening}${hedge}, according to ${publisher}: “${quoteOf(best.entry.item.title)}”.`,
    citations: [first]
  }
  const names = group.reports.slice(1, 1 + rest.length).map(({ entry }) => clean(entry.item.publisher))
  const others = [...new Set(names)].filter((name) => name !== publisher)
  if (rest.length === 0 || others.length === 0) return [main]
  const list = others.length === 1 ? others[0] : `${others.slice(0, -1).join(", ")} and ${others.at(-1)}`
  return [main, { text: `${list} also report${others.length === 1 ? "s" : ""} it.`, citations: rest }]
}

/** Forced closures of positions on our side of the move. */
export const liquidationSentence = (input: WhyInput): ReadonlyArray<Sentence> => {
  const amount = input.derivatives?.liquidations24h ?? null
  const longShare = input.derivatives?.longShare ?? null
  if (amount === null || longShare === null || !(amount > 0)) return []
  const volume = input.move.volume24h
  const side = input.move.changePct < 0 ? longShare : 1 - longShare
  if (side < 0.6 || (volume !== null && amount < 0.002 * volume)) return []
  const what = input.move.changePct < 0 ? "long" : "short"
  return [
    {
      text: `Liquidations over 24 hours were about ${money(amount)} in total, most of them of ${what} positions.`,
      citations: ["m5"]
    }
  ]
}

/** The honest none. */
export const noneSentences = (
  input: WhyInput,
  search: { readonly items: number; readonly publishers: number }
): ReadonlyArray<Sentence> => {
  const none: Sentence = {
    text: `No clear catalyst was found in ${search.items} items from ${search.publishers} sources checked.`,
    citations: ["c1"]
  }
  const ratio = volumeRatio(input)
  return ratio !== null && ratio >= 2
    ? [
        none,
        {
          text: `Volume was ${ratio.toFixed(1)} times its seven-day average, which shows activity, not a cause.`,
          citations: ["m2"]
        }
      ]
    : [none]
}

/** When too little was searched to say anything. */
export const degradedSentence = (): Sentence => ({
  text: "Too few of the feeds are fresh to say what coincides with the move.",
  citations: ["c1"]
})

/** A date ahead. */
export const watchSentence = (quote: string, id: string): Sentence => ({
  text: `To watch: “${cut(quote, 200)}”.`,
  citations: [id]
})

/** One line for a list. */
export const headlineOf = (input: WhyInput, verdict: Verdict | null, lead: EventGroup | undefined): string => {
  const name = nameOf(input)
  const rises = input.move.changePct >= 0
  const verb = rises ? "rises" : "falls"
  if (verdict === null) return `${name} ${verb}; too few sources are fresh to explain it`
  if (verdict === "unexplained") return `${name} ${verb} with no clear catalyst found`
  if (verdict === "market_wide") return `${name} ${verb} with the wider market`
  if (verdict === "sector") return `${name} ${verb} with its sector`
  return lead === undefined ? `${name} ${verb}` : `${name} ${verb} amid ${phraseOf(lead.kind)}`
}
