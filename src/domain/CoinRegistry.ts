// CoinGecko's ids of the larger coins, with the ids that CoinPaprika and CoinLore use for them: joins their rows to the
// canonical id. The figures are of about October 2026 and only seed the sandbox. Coins that are missing here exist too.
import { Schema } from "effect"
import registry from "./coinRegistry.json" with { type: "json" }

/** What a coin's price is tied to: a fiat, gold, or another coin by its id. */
export type Peg = "usd" | "eur" | "xau" | (string & {})

/** One coin of the registry, with figures as of about October 2026. */
export interface KnownCoin {
  /** CoinGecko's identifier, lower case. */
  readonly id: string
  /** Lower case, not unique. */
  readonly symbol: string
  readonly name: string
  readonly price: number
  readonly circulatingSupply: number
  /** `null` where the supply has no cap. */
  readonly maxSupply: number | null
  readonly totalSupply: number | null
  /** Of stablecoins, wrapped and staked coins; `null` for a coin with a price of its own. */
  readonly peg: Peg | null
  /** CoinPaprika's identifier, where it is certain. */
  readonly paprika: string | null
  /** CoinLore's identifier, where it is certain. */
  readonly coinlore: string | null
}

const Row = Schema.Tuple([
  Schema.String,
  Schema.String,
  Schema.String,
  Schema.Finite,
  Schema.Finite,
  Schema.NullOr(Schema.Finite),
  Schema.NullOr(Schema.Finite),
  Schema.NullOr(Schema.String),
  Schema.NullOr(Schema.String),
  Schema.NullOr(Schema.String)
])

/** Every known coin, by market cap descending. */
export const knownCoins: ReadonlyArray<KnownCoin> = Schema.decodeUnknownSync(Schema.Array(Row))(registry).map(
  ([id, symbol, name, price, circulatingSupply, maxSupply, totalSupply, peg, paprika, coinlore]) => ({
    id,
    symbol,
    name,
    price,
    circulatingSupply,
    maxSupply,
    totalSupply,
    peg,
    paprika,
    coinlore
  })
)

/** Symbols and names of other aggregators that differ from CoinGecko's. */
const aliases: ReadonlyArray<readonly [id: string, symbol: string, ...names: ReadonlyArray<string>]> = [
  ["binancecoin", "BNB", "Binance Coin"],
  ["the-open-network", "TON", "The Open Network"],
  ["usd-coin", "USDC", "USD Coin", "USDCoin"],
  ["ripple", "XRP", "Ripple", "XRP Ledger"],
  ["tether", "USDT", "Tether USDt", "Tether USD"],
  ["staked-ether", "STETH", "Staked Ether", "Lido Staked ETH", "stETH"],
  ["cosmos", "ATOM", "Cosmos"],
  ["hedera-hashgraph", "HBAR", "Hedera Hashgraph", "Hedera HBAR"],
  ["crypto-com-chain", "CRO", "Crypto.com Coin", "Crypto.com Chain"],
  ["leo-token", "LEO", "UNUS SED LEO"],
  ["near", "NEAR", "Near"],
  ["polygon-ecosystem-token", "POL", "POL", "Polygon", "Polygon Ecosystem Token", "POL (prev. MATIC)"],
  ["matic-network", "MATIC", "Polygon", "Matic Network"],
  ["elrond-erd-2", "EGLD", "Elrond", "MultiversX (Elrond)"],
  ["blockstack", "STX", "Blockstack"],
  ["injective-protocol", "INJ", "Injective Protocol"],
  ["theta-token", "THETA", "Theta", "Theta Token"],
  ["iota", "MIOTA", "IOTA"],
  ["kucoin-shares", "KCS", "KuCoin Token", "KuCoin Shares"],
  ["gatechain-token", "GT", "GateToken", "GateChain Token"],
  ["havven", "SNX", "Synthetix Network Token", "Synthetix Network"],
  ["basic-attention-token", "BAT", "Basic Attention Token"],
  ["curve-dao-token", "CRV", "Curve DAO Token", "Curve"],
  ["trust-wallet-token", "TWT", "Trust Wallet Token"],
  ["fetch-ai", "FET", "Fetch.ai", "ASI Alliance"],
  ["oasis-network", "ROSE", "Oasis Network"],
  ["terra-luna", "LUNC", "Terra Classic"],
  ["dai", "DAI", "Multi-Collateral DAI"],
  ["immutable-x", "IMX", "Immutable X", "ImmutableX"],
  ["render-token", "RNDR", "Render", "Render Token"],
  ["render-token", "RENDER", "Render Token"],
  ["whitebit", "WBT", "WhiteBIT Token"],
  ["eigenlayer", "EIGEN", "EigenLayer", "EigenCloud"],
  ["xdce-crowd-sale", "XDC", "XinFin Network", "XinFin"],
  ["enjincoin", "ENJ", "Enjin"],
  ["ankr", "ANKR", "Ankr"],
  ["bancor", "BNT", "Bancor"],
  ["band-protocol", "BAND", "Band Protocol"],
  ["nano", "NANO", "Nano"],
  ["stratis", "STRAX", "Stratis"],
  ["frax-share", "FXS", "Frax Share"],
  ["quant-network", "QNT", "Quant Network"],
  ["flare-networks", "FLR", "Flare Networks", "Flare Network"],
  ["internet-computer", "ICP", "Internet Computer (DFINITY)"],
  ["bitcoin-cash-sv", "BSV", "Bitcoin Cash SV", "BSV"]
]

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

const coinsById: ReadonlyMap<string, KnownCoin> = new Map(knownCoins.map((coin) => [coin.id, coin]))

const indexed = (key: (coin: KnownCoin) => string | null): ReadonlyMap<string, KnownCoin> =>
  new Map(
    knownCoins.flatMap((coin): ReadonlyArray<[string, KnownCoin]> => {
      const value = key(coin)
      return value === null ? [] : [[value, coin]]
    })
  )

const coinsByPaprikaId = indexed((coin) => coin.paprika)
const coinsByCoinloreId = indexed((coin) => coin.coinlore)

/**
 * The CoinGecko id of a coin that another aggregator lists under a symbol and a name, `null` for a coin that is not in the
 * registry. Both have to match, the name without case, punctuation and spaces: symbols alone are not unique.
 */
export const identify = (symbol: string, name: string): string | null =>
  normalise(name) === "" ? null : (idByKey.get(keyOf(symbol, name)) ?? null)

/** The coin with this CoinGecko id, lower case. */
export const byId = (id: string): KnownCoin | undefined => coinsById.get(id)

export const byPaprikaId = (id: string): KnownCoin | undefined => coinsByPaprikaId.get(id)

export const byCoinloreId = (id: string): KnownCoin | undefined => coinsByCoinloreId.get(id)
