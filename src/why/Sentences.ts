// Composes the sentences of an explanation: at most six, each of which has passed its checks. The move and the events
// come first; what only adds to them is left out where there is no room.
import type { Analysis } from "./Analysis.ts"
import { byCitationId, type CitedReports, idsOf, numberReports } from "./Citations.ts"
import type { Sentence, Watch } from "../domain/Explanation.ts"
import { type Check, type CitedSource, failedChecks } from "./SentenceCheck.ts"
import type { WhyInput } from "./WhyInput.ts"
import * as Writing from "./Writing.ts"

/** A sentence that was left out, and the first check that it failed. */
export interface LeftOut {
  readonly check: Check
  readonly text: string
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
    const [check] = failedChecks(input, byCitationId(numberReports([event]).values()), sentence)
    if (check !== undefined) leftOut.push({ check, text: sentence.text })
    return check === undefined
  })
  const isUnexplained = events.length === 0 && analysis.verdict === "coin_specific" && !analysis.isDegraded
  return { analysis: { ...analysis, events, verdict: isUnexplained ? "unexplained" : analysis.verdict }, leftOut }
}

/** Composes the sentences, in reading order, without those that fail a check. `watch`: dates ahead. */
export const compose = (
  input: WhyInput,
  analysis: Analysis,
  cited: CitedReports,
  sources: ReadonlyMap<string, CitedSource>,
  [watch]: ReadonlyArray<Watch>
): { readonly sentences: ReadonlyArray<Sentence>; readonly leftOut: ReadonlyArray<LeftOut> } => {
  const { events, isBlind, isDegraded, onset, parts, search, verdict } = analysis
  const sectorChange = input.market.sectors.find(({ id }) => id === parts.sectorId)?.change24h ?? null
  const isWide = verdict === "market_wide" || verdict === "sector"
  const isNothingFound = !isBlind && events.length === 0
  // In reading order, each with its place when there is no room for all: the lowest stay.
  const all: ReadonlyArray<readonly [place: number, sentence: Sentence | null]> = [
    [0, Writing.moveSentence(input)],
    [1, isDegraded ? Writing.coverageSentence : Writing.shareSentence(input, verdict, sectorChange)],
    ...events.flatMap((event, n) => {
      const [best = "", ...more] = idsOf(event, cited)
      return [
        [0, Writing.eventSentence(event, best, { isOnsetKnown: onset.known, isWide, rank: n + 1 })],
        [n === 0 ? 2 : 5, Writing.corroborationSentence(event, more)]
      ] as const
    }),
    [0, isNothingFound ? Writing.nothingFoundSentence(search) : null],
    [0, isNothingFound ? Writing.volumeSentence(input) : null],
    [1, isBlind && !isDegraded ? Writing.coverageSentence : null],
    [3, events.length > 0 ? Writing.liquidationSentence(input) : null],
    [4, watch === undefined ? null : Writing.watchSentence(watch)]
  ]
  const checked = all.flatMap(([place, sentence]) =>
    sentence === null ? [] : [{ place, sentence, failed: failedChecks(input, sources, sentence)[0] }]
  )
  const sound = checked.filter(({ failed }) => failed === undefined)
  const kept = new Set(sound.toSorted((a, b) => a.place - b.place).slice(0, MOST_SENTENCES))
  return {
    sentences: sound.filter((one) => kept.has(one)).map(({ sentence }) => sentence),
    leftOut: checked.flatMap(({ failed, sentence }) =>
      failed === undefined ? [] : [{ check: failed, text: sentence.text }]
    )
  }
}
