// A list of coins in its one order, each coin once, with an index by id.
import { Array as Arr } from "effect"
import { byMarketCap, type Coin } from "./Coin.ts"

/** Coins by market cap, and by id. */
export interface CoinList {
  readonly coins: ReadonlyArray<Coin>
  readonly byId: ReadonlyMap<string, Coin>
}

/** Sorts, and keeps the first of rows that share an id. */
export const make = (rows: Iterable<Coin>): CoinList => {
  const byId = new Map<string, Coin>()
  for (const coin of Arr.sort(rows, byMarketCap)) if (!byId.has(coin.id)) byId.set(coin.id, coin)
  return { coins: [...byId.values()], byId }
}
