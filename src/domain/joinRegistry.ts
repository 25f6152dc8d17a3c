// Joins the rows of an aggregator with ids of its own to CoinGecko's ids.
import { byMarketCap, type Coin } from "./Coin.ts"
import { byId, identify, type KnownCoin } from "./CoinRegistry.ts"

/**
 * The coins of the rows that the registry knows, by market cap, under CoinGecko's id, symbol and name. A coin is listed
 * once: a row that is joined by its own id is preferred to one that is joined by symbol and name, then the larger cap.
 */
export const joinRegistry = <Row extends { readonly id: string; readonly symbol: string; readonly name: string }>(
  rows: ReadonlyArray<Row>,
  byOwnId: (id: string) => KnownCoin | undefined,
  figures: (row: Row) => Omit<Coin, "id" | "symbol" | "name">
): ReadonlyArray<Coin> => {
  const joinedBy = (find: (row: Row) => KnownCoin | undefined): ReadonlyArray<Coin> =>
    rows
      .flatMap((row) => {
        const known = find(row)
        return known === undefined
          ? []
          : [{ ...figures(row), id: known.id, symbol: known.symbol.toUpperCase(), name: known.name }]
      })
      .sort(byMarketCap)
  const joined = [
    ...joinedBy((row) => byOwnId(row.id)),
    ...joinedBy((row) => (byOwnId(row.id) === undefined ? byId(identify(row.symbol, row.name) ?? "") : undefined))
  ]
  const coins = new Map<string, Coin>()
  for (const coin of joined) if (!coins.has(coin.id)) coins.set(coin.id, coin)
  return [...coins.values()].sort(byMarketCap)
}
