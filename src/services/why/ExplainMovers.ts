// Runs the engine over the movers of a run, in slices: requests and other fibers get their turn between them.
import { Effect } from "effect"
import type { Coin } from "../../domain/Coin.ts"
import type { EvidenceItem } from "../../domain/Evidence.ts"
import { explain } from "../../why/Explain.ts"
import type { Explanation } from "../../domain/Explanation.ts"
import { type Pool, readPool, wideIn } from "../../why/Pool.ts"
import { inputOf, moverCoinOf, type RunFacts } from "../../why/RunFacts.ts"

export interface ExplainedMover {
  readonly coin: Coin
  readonly explanation: Explanation
  /** The feeds do not explain it, so a search for more is worth its calls. */
  readonly needsSearch: boolean
}

/** Items that are read without a break. */
const SLICE = 25

/** Maps in slices, with a break after each. */
export const inSlices = Effect.fnUntraced(function* <A, B>(items: ReadonlyArray<A>, f: (item: A) => B) {
  const mapped: Array<B> = []
  for (let start = 0; start < items.length; start += SLICE) {
    mapped.push(...items.slice(start, start + SLICE).map(f))
    yield* Effect.yieldNow
  }
  return mapped
})

/** Explains coins from what was gathered and, where that does not explain one, from what was found about it before. */
export const explainAll = Effect.fnUntraced(function* (
  coins: ReadonlyArray<Coin>,
  facts: RunFacts,
  found: ReadonlyMap<string, ReadonlyArray<EvidenceItem>>
) {
  const pool = yield* readInSlices(facts.gathered.items, coins)
  const all: Array<ExplainedMover> = []
  for (const coin of coins) {
    const one = yield* explainOne(coin, facts, facts.gathered.items, pool)
    const more = found.get(coin.id) ?? []
    all.push(one.needsSearch && more.length > 0 ? yield* explainWith(one, facts, more) : one)
  }
  return all
})

/** Explains a coin again, with more items about it. */
export const explainWith = Effect.fnUntraced(function* (
  { coin, needsSearch }: Pick<ExplainedMover, "coin" | "needsSearch">,
  facts: RunFacts,
  more: ReadonlyArray<EvidenceItem>
) {
  const evidence = [...facts.gathered.items, ...more]
  const pool = readPool(evidence, [moverCoinOf(coin)])
  yield* Effect.yieldNow
  return { ...(yield* explainOne(coin, facts, evidence, pool)), needsSearch }
})

const explainOne = Effect.fnUntraced(function* (
  coin: Coin,
  facts: RunFacts,
  evidence: ReadonlyArray<EvidenceItem>,
  pool: Pool
) {
  const { explanation } = explain(inputOf(coin, facts, evidence), pool)
  yield* Effect.yieldNow
  return {
    coin,
    explanation,
    needsSearch: explanation.status === "unexplained"
  } satisfies ExplainedMover
})

/** Reads a pool, and in slices what its items say of the market, for which the first mover would otherwise have to wait. */
const readInSlices = Effect.fnUntraced(function* (items: ReadonlyArray<EvidenceItem>, coins: ReadonlyArray<Coin>) {
  const pool = readPool(items, coins.map(moverCoinOf))
  yield* Effect.yieldNow
  yield* inSlices(pool.items, wideIn)
  return pool
})
