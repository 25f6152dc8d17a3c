// The engine at work on the movers of a run, in slices: other fibers have their turn after each.
import { Effect } from "effect"
import type { Coin } from "../domain/Coin.ts"
import type { EvidenceItem } from "../domain/Evidence.ts"
import { explain, type Explained } from "../why/Explain.ts"
import { type PoolItem, readPool } from "../why/Pool.ts"
import type { WhyInput } from "../why/WhyInput.ts"
import { inputOf, moverCoinOf, type RunFacts } from "./WhyInputs.ts"

/** A mover as far as it is explained. */
export interface Explaining {
  readonly coin: Coin
  readonly input: WhyInput
  readonly explained: Explained
  /** Nothing in the feeds explains it, so that the world's news are worth a search. */
  readonly needsSearch: boolean
}

/** As many items as are read without a break. */
const SLICE = 25

/** Maps in slices, with a break after each. */
export const inSlices = Effect.fnUntraced(function* <A, B>(items: ReadonlyArray<A>, size: number, f: (item: A) => B) {
  const mapped: Array<B> = []
  for (let start = 0; start < items.length; start += size) {
    mapped.push(...items.slice(start, start + size).map(f))
    yield* Effect.yieldNow
  }
  return mapped
})

/** Explains all of them from the items gathered and what was found by earlier searches. */
export const explainAll = Effect.fnUntraced(function* (
  coins: ReadonlyArray<Coin>,
  facts: RunFacts,
  found: ReadonlyMap<string, ReadonlyArray<EvidenceItem>>
) {
  const shared = yield* readAll(facts.gathered.items, coins)
  const all: Array<Explaining> = []
  for (const coin of coins) {
    const one = explainOne(coin, facts, facts.gathered.items, shared)
    yield* Effect.yieldNow
    const more = found.get(coin.id) ?? []
    all.push(one.needsSearch && more.length > 0 ? explainAgain(one, facts, more) : one)
    yield* Effect.yieldNow
  }
  return all
})

/** The same with more items about it. */
export const explainAgain = (one: Explaining, facts: RunFacts, more: ReadonlyArray<EvidenceItem>): Explaining => {
  const evidence = [...facts.gathered.items, ...more]
  return { ...explainOne(one.coin, facts, evidence, readPool(evidence, [moverCoinOf(one.coin)])), needsSearch: true }
}

const explainOne = (
  coin: Coin,
  facts: RunFacts,
  evidence: ReadonlyArray<EvidenceItem>,
  pool: ReadonlyArray<PoolItem>
): Explaining => {
  const input = inputOf(coin, coin.change_24h ?? 0, facts, evidence)
  const explained = explain(input, pool)
  return { coin, input, explained, needsSearch: explained.explanation.status === "unexplained" }
}

const prepare = ({ junk, readings, routine }: PoolItem): void => {
  junk()
  routine()
  readings()
}

/** {@link readPool} in slices; the engine sorts by time, and so do we. */
const readAll = Effect.fnUntraced(function* (items: ReadonlyArray<EvidenceItem>, coins: ReadonlyArray<Coin>) {
  const movers = coins.map(moverCoinOf)
  const read: Array<PoolItem> = []
  for (let start = 0; start < items.length; start += SLICE) {
    const slice = readPool(items.slice(start, start + SLICE), movers)
    yield* Effect.yieldNow
    // What the engine would otherwise work out for all items at once, at the first mover.
    for (const item of slice) prepare(item)
    read.push(...slice)
    yield* Effect.yieldNow
  }
  return read.toSorted((a, b) => a.at - b.at || (a.item.id < b.item.id ? -1 : a.item.id > b.item.id ? 1 : 0))
})
