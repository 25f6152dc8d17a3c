// Composes the sentences of an explanation: at most six, each of which has passed its checks. The move and the events
// come first; what only adds to them is left out where there is no room.
import type { Analysis } from "./Analysis.ts"
import { type CitedReports, idsOf, numberReports, sourcesOf } from "./Citations.ts"
import type { Sentence } from "./Explanation.ts"
import { type Check, type CitedSource, failedChecks } from "./SentenceCheck.ts"
import type { DatedFact } from "./Watch.ts"
import type { WhyInput } from "./WhyInput.ts"
import * as Writing from "./Writing.ts"

/** A sentence that was left out, and the first check that it failed. */
export interface LeftOut {
  readonly check: Check
  readonly text: string
}

/** Sentences in reading order, and those that failed a check. */
export interface Composed {
  readonly sentences: ReadonlyArray<Sentence>
  readonly leftOut: ReadonlyArray<LeftOut>
}

const MOST_SENTENCES = 6

/**
 * The analysis without the events whose own sentence fails a check, so that every driver has a sentence. A coin of
 * which no event can be told is unexplained.
 */
export const withTellableEvents = (
  input: WhyInput,
  analysis: Analysis
): { readonly analysis: Analysis; readonly leftOut: ReadonlyArray<LeftOut> } => {
  const leftOut: Array<LeftOut> = []
  const events = analysis.events.filter((event) => {
    const sentence = Writing.eventSentence(event, "e1", { isOnsetKnown: true, isWide: false, rank: 1 })
    const [check] = failedChecks(input, sourcesOf(numberReports([event]), new Map()), sentence)
    if (check !== undefined) leftOut.push({ check, text: sentence.text })
    return check === undefined
  })
  const isUnexplained = events.length === 0 && analysis.verdict === "coin_specific" && !analysis.isDegraded
  return { analysis: { ...analysis, events, verdict: isUnexplained ? "unexplained" : analysis.verdict }, leftOut }
}

/** A sentence with its place when there is no room for all: the lowest stay. */
type Ranked = readonly [place: number, sentence: Sentence]

/** Composes the sentences. `facts`: dates ahead, with the id of the report that names each. */
export const compose = (
  input: WhyInput,
  analysis: Analysis,
  cited: CitedReports,
  sources: ReadonlyMap<string, CitedSource>,
  facts: ReadonlyArray<DatedFact & { readonly id: string }>
): Composed => {
  const { events, isBlind, isDegraded, onset, parts, search, verdict } = analysis
  const sectorChange = input.market.sectors.find(({ id }) => id === parts.sectorId)?.change24h ?? null
  const isWide = verdict === "market_wide" || verdict === "sector"
  const all: ReadonlyArray<Ranked> = [
    ...at(0, [Writing.moveSentence(input)]),
    ...at(1, isDegraded ? [Writing.coverageSentence] : Writing.shareSentences(input, verdict, sectorChange)),
    ...events.flatMap((event, n): ReadonlyArray<Ranked> => {
      const [best = "", ...more] = idsOf(event, cited)
      return [
        ...at(0, [Writing.eventSentence(event, best, { isOnsetKnown: onset.known, isWide, rank: n + 1 })]),
        ...at(n === 0 ? 2 : 5, Writing.corroborationSentences(event, more))
      ]
    }),
    ...at(0, isBlind || events.length > 0 ? [] : Writing.nothingFoundSentences(input, search)),
    ...at(1, isBlind && !isDegraded ? [Writing.coverageSentence] : []),
    ...at(3, events.length > 0 ? Writing.liquidationSentences(input) : []),
    ...at(
      4,
      facts.slice(0, 1).map(({ id, quote }) => Writing.watchSentence(quote, id))
    )
  ]
  const checked = all.map(([place, sentence]) => ({
    place,
    sentence,
    failed: failedChecks(input, sources, sentence)[0]
  }))
  const sound = checked.filter(({ failed }) => failed === undefined)
  const kept = new Set(sound.toSorted((a, b) => a.place - b.place).slice(0, MOST_SENTENCES))
  return {
    sentences: sound.filter((one) => kept.has(one)).map(({ sentence }) => sentence),
    leftOut: checked.flatMap(({ failed, sentence }) =>
      failed === undefined ? [] : [{ check: failed, text: sentence.text }]
    )
  }
}

const at = (place: number, sentences: ReadonlyArray<Sentence>): ReadonlyArray<Ranked> =>
  sentences.map((sentence) => [place, sentence])
