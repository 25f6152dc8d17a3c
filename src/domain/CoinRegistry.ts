// CoinGecko's ids of the larger coins, with the ids that CoinPaprika uses for them: joins its rows to the
// canonical id. The figures are of about October 2026 and only seed the sandbox. Coins that are missing here exist too.
import { Schema } from "effect"
import { byMarketCap, type Coin } from "./Coin.ts"
import coinAliases from "./coinAliases.json" with { type: "json" }
import registry from "./coinRegistry.json" with { type: "json" }

const KnownCoin = Schema.Struct({
  /** CoinGecko's identifier, lower case. */
  id: Schema.String,
  /** Lower case, not unique. */
  symbol: Schema.String,
  name: Schema.String,
  price: Schema.Finite,
  circulatingSupply: Schema.Finite,
  /** `null` where the supply has no cap. */
  maxSupply: Schema.NullOr(Schema.Finite),
  totalSupply: Schema.NullOr(Schema.Finite),
  /** What the price is tied to: `usd`, `eur`, `xau`, or another coin by its id; `null` for a price of its own. */
  peg: Schema.NullOr(Schema.String),
  /** CoinPaprika's identifier, where it is certain. */
  paprika: Schema.NullOr(Schema.String)
})

/** One coin of the registry, with figures as of about October 2026. */
export type KnownCoin = typeof KnownCoin.Type

const columns = Object.keys(KnownCoin.fields)

/** Every known coin, by market cap descending. The registry has a row for each, with the columns in this order. */
export const knownCoins: ReadonlyArray<KnownCoin> = Schema.decodeUnknownSync(Schema.Array(KnownCoin))(
  registry.map((row) => Object.fromEntries(row.map((value, column) => [columns[column], value])))
)

/** Symbols and names of other aggregators that differ from CoinGecko's: a coin's id, its symbol, and its names there. */
const aliases = Schema.decodeUnknownSync(
  Schema.Array(Schema.TupleWithRest(Schema.Tuple([Schema.String, Schema.String]), [Schema.String]))
)(coinAliases)

/** A name without case, punctuation and spaces; empty for a name without Latin letters and digits. */
const normalise = (name: string): string =>
  name
    .normalize("NFKD")
    .toLowerCase()
    .replaceAll(/[^a-z0-9]/g, "")

const keyOf = (symbol: string, name: string): string => `${symbol.trim().toLowerCase()}|${normalise(name)}`

const idByKey: ReadonlyMap<string, string> = new Map([
  ...aliases.flatMap(([id, symbol, ...names]) => names.map((name): [string, string] => [keyOf(symbol, name), id])),
  ...knownCoins.map((coin): [string, string] => [keyOf(coin.symbol, coin.name), coin.id])
])

const indexed = (keyOf: (coin: KnownCoin) => string | null): ((key: string) => KnownCoin | undefined) => {
  const coins = new Map(knownCoins.map((coin) => [keyOf(coin), coin]))
  return (key) => coins.get(key)
}

/**
 * The CoinGecko id of a coin that another aggregator lists under a symbol and a name, `null` for a coin that is not in the
 * registry. Both have to match, the name without case, punctuation and spaces: symbols alone are not unique.
 */
export const identify = (symbol: string, name: string): string | null =>
  normalise(name) === "" ? null : (idByKey.get(keyOf(symbol, name)) ?? null)

/** The coin with this CoinGecko id, lower case. */
export const byId = indexed((coin) => coin.id)

export const byPaprikaId = indexed((coin) => coin.paprika)

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
  // The first of an id counts.
  return [...new Map(joined.toReversed().map((coin) => [coin.id, coin])).values()].sort(byMarketCap)
}
