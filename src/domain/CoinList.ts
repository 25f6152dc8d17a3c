// Coins in order of market cap, each once, with an index by id.
import { Array as Arr } from "effect"
import { byMarketCap, type Coin } from "./Coin.ts"

/**
 * The coins of one refresh: by market cap descending, null caps last, then id; and by id. If several sources contribute, `sources` has
 * the source of each coin's price, and `figures` that of its other figures.
 */
export interface CoinList {
  readonly sources?: ReadonlyMap<string, string>
  readonly figures?: ReadonlyMap<string, string>
  readonly coins: ReadonlyArray<Coin>
  readonly byId: ReadonlyMap<string, Coin>
}

/** Sorts the rows. Of rows with the same id, the one with the larger cap wins. */
export const make = (rows: Iterable<Coin>): CoinList => {
  const byId = new Map<string, Coin>()
  for (const coin of Arr.sort(rows, byMarketCap)) if (!byId.has(coin.id)) byId.set(coin.id, coin)
  return { coins: [...byId.values()], byId }
}
