// An aggregator beside CoinGecko: ids of its own for every coin, names that differ from CoinGecko's, and a
// row that carries Bitcoin's symbol without being Bitcoin.
import type { KnownCoin } from "../../domain/CoinRegistry.ts"
import type { CoinState } from "../CoinMarket.ts"
import { slug } from "../Wire.ts"

const names: Readonly<Record<string, string>> = {
  binancecoin: "Binance Coin",
  "usd-coin": "USD Coin",
  cosmos: "Cosmos",
  "leo-token": "UNUS SED LEO",
  havven: "Synthetix Network Token"
}

/** A coin that exists without a price at any aggregator. */
export const priceless = "velas"

export const nameOf = (coin: KnownCoin): string => names[coin.id] ?? coin.name

/** CoinPaprika's id of a coin; built by its pattern if the registry has none. */
export const paprikaIdOf = (coin: KnownCoin): string => coin.paprika ?? `${coin.symbol}-${slug(nameOf(coin))}`

/** A coin as an aggregator lists it. */
export type Listed = Omit<CoinState, "high24h" | "low24h" | "observedAt">

/** A coin that is not what its symbol says, listed last and known to neither CoinGecko nor the registry. */
export const impostor: Listed = {
  coin: {
    id: "batcat-classic",
    symbol: "btc",
    name: "Batcat Classic",
    price: 0.000_031_7,
    circulatingSupply: 1e9,
    maxSupply: null,
    totalSupply: 1e9,
    peg: null,
    paprika: "btc-batcat-classic"
  },
  price: 0.000_031_7,
  marketCap: 31_700,
  volume: 12.5,
  change1h: 0,
  change24h: 0,
  change7d: 0,
  ath: 0.000_031_7,
  athAt: 1_620_000_000_000
}
