// How old an exchange's pairs are, judged from successive answers. Exchanges go on listing a pair without trades, often with the time of
// the answer, and a stale copy of an answer may have a new time. So an answer that repeats an earlier one in all its pairs is as old as that
// one. Where an exchange dates only its answer, a pair without a market (bid and ask at most 1 % apart) is as old as its last change.
import { hasMarket, type Pair } from "./Pair.ts"

/** What an exchange dates: each pair, or only its answer as a whole. */
export type DatedBy = "pair" | "answer"

/** The answers that are remembered: those of a little more than the two minutes for which a pair is fresh. */
const ANSWERS = 8

type Figures = Pick<Pair, "bid" | "ask" | "last" | "turnover">

/** An answer's pairs as a short text that differs for other pairs, and its newest time. */
interface Answer {
  readonly print: string
  readonly at: number
}

/** A pair's figures in the last answer, and the time of its last sign of life; `undefined` if it has shown none. */
interface Life extends Figures {
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

/** The sums of two hashes (FNV-1a) of each pair, in any order. The answers themselves would take megabytes. */
const printOf = (pairs: ReadonlyArray<Pair>): string => {
  let [sum, otherSum] = [0, 0]
  for (const { ask, bid, last, market, turnover } of pairs) {
    const text = `${market} ${bid} ${ask} ${last} ${turnover}`
    let [one, other] = [0x811c9dc5, 0x050c5d1f]
    for (let n = 0; n < text.length; n++) {
      one = Math.imul(one ^ text.charCodeAt(n), 0x01000193)
      other = Math.imul(other ^ text.charCodeAt(n), 0x01000197)
    }
    sum = (sum + one) | 0
    otherSum = (otherSum + other) | 0
  }
  return `${pairs.length} ${sum} ${otherSum}`
}

/** Whether a pair was traded or quoted anew. Its turnover of 24 hours falls by itself when trading stops, so only a rise is a sign. */
const isAlive = (now: Figures, before: Figures): boolean =>
  now.bid !== before.bid || now.ask !== before.ask || now.last !== before.last || now.turnover > before.turnover

const lifeOf = ({ ask, bid, last, observedAt, turnover }: Pair, before: Life | undefined): Life => {
  const figures = { bid, ask, last, turnover }
  return { ...figures, seenAt: before !== undefined && isAlive(figures, before) ? observedAt : before?.seenAt }
}

/** The pairs of an answer with their true times, and what to remember. A pair without any sign of life is left out. */
export const ageOf = (
  { answers, lives }: Memory,
  received: ReadonlyArray<Pair>,
  datedBy: DatedBy
): { readonly pairs: ReadonlyArray<Pair>; readonly memory: Memory } => {
  const print = printOf(received)
  const earlier = answers.find((answer) => answer.print === print)
  const at = earlier?.at ?? received.reduce((newest, { observedAt }) => Math.max(newest, observedAt), 0)
  const memory: Memory =
    earlier === undefined
      ? {
          answers: [{ print, at }, ...answers].slice(0, ANSWERS),
          lives:
            datedBy === "pair"
              ? lives
              : new Map(received.map((pair) => [pair.market, lifeOf(pair, lives.get(pair.market))]))
        }
      : { answers, lives }
  const pairs = received.flatMap((pair): ReadonlyArray<Pair> => {
    const isDated = datedBy === "pair" || hasMarket(pair)
    const seenAt = isDated ? pair.observedAt : memory.lives.get(pair.market)?.seenAt
    return seenAt === undefined ? [] : [{ ...pair, observedAt: Math.min(seenAt, pair.observedAt, at) }]
  })
  return { pairs, memory }
}
