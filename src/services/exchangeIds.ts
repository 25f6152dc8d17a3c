// CoinGecko's ids of the exchanges that price coins, by their names in stamps.
import { Effect } from "effect"
import { exchangeSources } from "../sources/catalog/exchangeSources.ts"
import { SourceLabel } from "../sources/catalog/SourceRecord.ts"

const ids: Readonly<Record<keyof typeof exchangeSources, string>> = {
  KRAKEN: "kraken",
  BITSTAMP: "bitstamp",
  BITFINEX: "bitfinex",
  BINANCE: "binance",
  OKX_SPOT: "okex",
  KUCOIN_SPOT: "kucoin",
  CRYPTO_COM: "crypto_com",
  GATE: "gate"
}

export const exchangeIds: Effect.Effect<ReadonlyMap<string, string>> = Effect.map(
  Effect.service(SourceLabel),
  (label) => new Map(Object.values(exchangeSources).map(({ id, name }) => [label(name), ids[id]]))
)
