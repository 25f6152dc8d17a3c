// Composes the sentences of an explanation: at most six. The move and the events come first; what only adds to them is
// left out where there is no room.
import type { Analysis } from "./Analysis.ts"
import { type CitedReports, idsOf } from "./Citations.ts"
import type { Sentence, Watch } from "../domain/Explanation.ts"
import type { WhyInput } from "./WhyInput.ts"
import * as Writing from "./Writing.ts"

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
    [0, Writing.moveSentence(input)],
    [1, isDegraded ? Writing.coverageSentence : Writing.shareSentence(input, verdict, sectorChange)],
    ...events.flatMap((event, n) => {
      const [best = "", ...more] = idsOf(event, cited)
      return [
        [0, Writing.eventSentence(event, best, { isOnsetKnown: onset.known, isWide, rank: n + 1 })],
        [n === 0 ? 2 : 4, Writing.corroborationSentence(event, more)]
      ] as const
    }),
    [0, !isBlind && events.length === 0 ? Writing.nothingFoundSentence(search) : null],
    [1, isBlind && !isDegraded ? Writing.coverageSentence : null],
    [3, watch === undefined ? null : Writing.watchSentence(watch)]
  ]
  const said = all.flatMap(([place, sentence]) => (sentence === null ? [] : [{ place, sentence }]))
  const kept = new Set(said.toSorted((a, b) => a.place - b.place).slice(0, MOST_SENTENCES))
  return said.filter((one) => kept.has(one)).map(({ sentence }) => sentence)
}
