// What the lists of aggregators say of coins, to identify the coins of pairs.
import type { Coin } from "../domain/Coin.ts"
import { type Aggregated, type Candidate, candidatesOf } from "../domain/PairIdentity.ts"
import { memoized } from "../domain/rememberEach.ts"
import type { Row, RowsByKey } from "./judge/Judge.ts"

/** `minute`: since 1970. `ages`: the maximum age of prices, in milliseconds, by the key of their data set. */
export const aggregatedAt = memoized(
  (minute: number, ages: ReadonlyMap<string, number>, ...rowsBySource: ReadonlyArray<RowsByKey<Coin>>): Aggregated => {
    const isFresh = ({ key, observedAt }: Row<Coin>) =>
      minute * 60_000 <= observedAt.epochMilliseconds + (ages.get(key) ?? 0)
    const pricesOf = (id: string): ReadonlyArray<number> =>
      rowsBySource.flatMap((rows) => {
        const row = rows.get(id)
        return row === undefined || !isFresh(row) ? [] : (row.value.price ?? [])
      })
    const coins = new Map(
      rowsBySource.toReversed().flatMap((rows) => Array.from(rows, ([id, { value }]) => [id, value] as const))
    )
    const candidates = Array.from(coins.values(), ({ id, name, rank, symbol }): Candidate => {
      return { id, name, rank, symbol, prices: pricesOf(id) }
    })
    const fresh = rowsBySource.filter((rows) => rows.values().some(isFresh))
    const isListed = (id: string) => (fresh.length === 0 ? undefined : fresh.some((rows) => rows.has(id)))
    return { candidates: candidatesOf(candidates), pricesOf, isListed }
  }
)
