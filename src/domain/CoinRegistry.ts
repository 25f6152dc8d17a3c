// CoinGecko's ids of the larger coins, with CoinPaprika's ids for them, to join rows of other aggregators to CoinGecko's ids.
// The list is not complete. The figures are from about October 2026 and only seed the sandbox.
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
  /** `null` if the supply has no cap. */
  maxSupply: Schema.NullOr(Schema.Finite),
  totalSupply: Schema.NullOr(Schema.Finite),
  /** What the price is pegged to: `usd`, `eur`, `xau`, or another coin by its id; `null` without a peg. */
  peg: Schema.NullOr(Schema.String),
  /** CoinPaprika's identifier; `null` if uncertain. */
  paprika: Schema.NullOr(Schema.String)
})

/** One coin of the registry, with figures as of about October 2026. */
export type KnownCoin = typeof KnownCoin.Type

const columns = Object.keys(KnownCoin.fields)

/** Every known coin, by market cap descending. A row of the registry has its columns in the order of `KnownCoin`. */
export const knownCoins: ReadonlyArray<KnownCoin> = Schema.decodeUnknownSync(Schema.Array(KnownCoin))(
  registry.map((row) => Object.fromEntries(row.map((value, column) => [columns[column], value])))
)

/** Symbols and names of other aggregators that differ from CoinGecko's: id, symbol, names. */
const aliases = Schema.decodeUnknownSync(
  Schema.Array(Schema.TupleWithRest(Schema.Tuple([Schema.String, Schema.String]), [Schema.String]))
)(coinAliases)

/** Drops case, punctuation and spaces; empty for a name without Latin letters and digits. */
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
 * The CoinGecko id of a coin that another aggregator lists under a symbol and a name; `null` if the registry lacks it. Both
 * must match, because symbols are not unique. Case, punctuation and spaces of the name do not matter.
 */
export const identify = (symbol: string, name: string): string | null =>
  normalise(name) === "" ? null : (idByKey.get(keyOf(symbol, name)) ?? null)

/** The coin with this CoinGecko id, lower case. */
export const byId = indexed((coin) => coin.id)

export const byPaprikaId = indexed((coin) => coin.paprika)

/**
 * The rows whose coins are in the registry, by market cap, with CoinGecko's id, symbol and name. Each coin occurs once: a row
 * matched by its own id wins over one matched by symbol and name, then the larger cap wins.
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
  // Reversed, so that the first row of an id wins.
  return [...new Map(joined.toReversed().map((coin) => [coin.id, coin])).values()].sort(byMarketCap)
}
