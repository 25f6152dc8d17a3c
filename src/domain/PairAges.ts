// How old an exchange's pairs are, judged from its answers in a row. A pair that nobody trades any more goes on being answered, often with
// the time of the answer, and a stale copy of an answer may have a new time. So an answer that repeats an earlier one in all its pairs is
// as old as that one. Where an exchange dates only its answer, a pair without a market (bid and ask at most 1 % apart) is as old as its
// last sign of life.
import { hasMarket, type Pair } from "./Pair.ts"

/** What an exchange dates: each pair, or only its answer as a whole. */
export type DatedBy = "pair" | "answer"

/** The answers that are remembered: those of a little more than the two minutes for which a pair is fresh. */
const ANSWERS = 8

type Figures = Pick<Pair, "market" | "bid" | "ask" | "last" | "turnover">

interface Answer {
  readonly received: ReadonlyArray<Pair>
  readonly aged: ReadonlyArray<Pair>
}

/** A pair's figures in the last answer, and the time of its last sign of life; `undefined` if it has shown none. */
interface Life {
  readonly figures: Figures
  readonly seenAt: number | undefined
}

/** What is remembered of an exchange's answers. */
export interface Memory {
  /** The newest first, none twice. */
  readonly answers: ReadonlyArray<Answer>
  /** By the exchange's name of the pair. */
  readonly lives: ReadonlyMap<string, Life>
}

export const noMemory: Memory = { answers: [], lives: new Map() }

const isSame = (a: Figures, b: Figures | undefined): boolean =>
  a.market === b?.market && a.bid === b.bid && a.ask === b.ask && a.last === b.last && a.turnover === b.turnover

/** Whether an answer equals another one in all but its times. Some of an open exchange's hundreds of pairs always change. */
const isRepeated = (some: ReadonlyArray<Pair>, others: ReadonlyArray<Pair>): boolean =>
  some.length === others.length && some.every((pair, n) => isSame(pair, others[n]))

/** Whether a pair was traded or quoted anew. Its turnover of 24 hours falls by itself when trading stops, so only a rise is a sign. */
const isAlive = (now: Figures, before: Figures): boolean =>
  now.bid !== before.bid || now.ask !== before.ask || now.last !== before.last || now.turnover > before.turnover

const lifeOf = (pair: Pair, before: Life | undefined): Life => ({
  figures: pair,
  seenAt: before !== undefined && isAlive(pair, before.figures) ? pair.observedAt : before?.seenAt
})

/** The pairs of an answer with their true times, and what to remember. A pair without any sign of life is left out. */
export const ageOf = (
  memory: Memory,
  received: ReadonlyArray<Pair>,
  datedBy: DatedBy
): { readonly pairs: ReadonlyArray<Pair>; readonly memory: Memory } => {
  const earlier = memory.answers.find((answer) => isRepeated(received, answer.received))
  if (earlier !== undefined) return { pairs: earlier.aged, memory }
  const lives =
    datedBy === "pair"
      ? memory.lives
      : new Map(received.map((pair) => [pair.market, lifeOf(pair, memory.lives.get(pair.market))]))
  const aged =
    datedBy === "pair"
      ? received
      : received.flatMap((pair): ReadonlyArray<Pair> => {
          if (hasMarket(pair)) return [pair]
          const seenAt = lives.get(pair.market)?.seenAt
          return seenAt === undefined ? [] : [{ ...pair, observedAt: Math.min(seenAt, pair.observedAt) }]
        })
  return { pairs: aged, memory: { answers: [{ received, aged }, ...memory.answers].slice(0, ANSWERS), lives } }
}
