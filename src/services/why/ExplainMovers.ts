// Runs the engine over the movers of a run, in slices: requests and other fibers get their turn between them.
import { Effect } from "effect"
import type { Coin } from "../../domain/Coin.ts"
import type { Explanation } from "../../domain/Explanation.ts"
import { decompose, isMarketWide, isSectorWide } from "../../why/Decomposition.ts"
import { explain } from "../../why/Explain.ts"
import { readPool } from "../../why/Pool.ts"
import { inputOf, moverCoinOf, type RunFacts } from "../../why/RunFacts.ts"
import { wideIn } from "../../why/WideEvents.ts"

/** Items per slice. */
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

/** Explains coins from the gathered facts. `ratios`: volume ratios by id. */
export const explainAll = Effect.fnUntraced(function* (
  coins: ReadonlyArray<Coin>,
  facts: RunFacts,
  ratios: ReadonlyMap<string, number>
) {
  const { items } = facts.gathered
  const pool = readPool(items, coins.map(moverCoinOf))
  yield* Effect.yieldNow
  const inputs = coins.map((coin) => inputOf(coin, facts, items))
  // Caches the market-wide events of all items in slices; else the first mover that needs them would block.
  const wide = inputs.filter(({ coin, market, move }) => {
    const parts = decompose(coin.id, move.changePct, market)
    return isMarketWide(parts) || isSectorWide(parts)
  })
  for (const sign of new Set(wide.map(({ move }) => Math.sign(move.changePct))))
    yield* inSlices(pool.items, wideIn(sign))
  const all: Array<Explanation> = []
  for (const input of inputs) {
    const { explanation } = explain(input, pool)
    all.push({ ...explanation, volume_ratio_7d: ratios.get(input.coin.id) ?? null })
    yield* Effect.yieldNow
  }
  return all
})
