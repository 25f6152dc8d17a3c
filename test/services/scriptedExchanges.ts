// All exchanges, with the tickers and candles that a test gives them.
import { Layer } from "effect"
import type { Pair } from "../../src/domain/Pair.ts"
import type * as DataSet from "../../src/sources/dataset/DataSet.ts"
import { Binance } from "../../src/sources/exchange/Binance.ts"
import { Bitfinex } from "../../src/sources/exchange/Bitfinex.ts"
import { Bitstamp } from "../../src/sources/exchange/Bitstamp.ts"
import type { Candles } from "../../src/sources/exchange/candles.ts"
import { CryptoCom } from "../../src/sources/exchange/CryptoCom.ts"
import { Gate } from "../../src/sources/exchange/Gate.ts"
import { Kraken } from "../../src/sources/exchange/Kraken.ts"
import { KuCoin } from "../../src/sources/exchange/KuCoin.ts"
import { Okx } from "../../src/sources/exchange/Okx.ts"

export const exchangeNames = [
  "Kraken",
  "Bitstamp",
  "Bitfinex",
  "Binance",
  "OKX",
  "KuCoin",
  "Crypto.com",
  "Gate"
] as const

type Name = (typeof exchangeNames)[number]

export const layerExchanges = (
  tickers: (name: Name) => DataSet.DataSet<ReadonlyArray<Pair>>,
  candles?: (name: Name) => Candles
) => {
  const of = (name: Name) => ({ tickers: tickers(name), ...(candles !== undefined && { candles: candles(name) }) })
  return Layer.mergeAll(
    Kraken.layerTest({ tickers: tickers("Kraken") }),
    Okx.layerTest({ tickers: tickers("OKX") }),
    CryptoCom.layerTest({ tickers: tickers("Crypto.com") }),
    Gate.layerTest({ tickers: tickers("Gate") }),
    Bitstamp.layerTest(of("Bitstamp")),
    Bitfinex.layerTest(of("Bitfinex")),
    Binance.layerTest(of("Binance")),
    KuCoin.layerTest(of("KuCoin"))
  )
}
