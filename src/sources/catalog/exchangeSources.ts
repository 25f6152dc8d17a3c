// Exchanges whose spot pairs price coins.
import { listed, lookUpsPerMinute, perMinute } from "./SourceRecord.ts"

const spot = {
  licence: "Documented public API; no licence to pass its data on was found",
  redistribution: "unclear",
  // Polls take three calls a minute; the rest is for retries.
  allowances: perMinute(8, { onDemand: 0 }),
  dataSets: ["tickers"]
} as const

/** Exchanges with pairs in USD come first. */
export const exchangeSources = listed({
  KRAKEN: {
    name: "Kraken",
    baseUrl: "https://api.kraken.com",
    attribution: "Market data by Kraken",
    link: "https://www.kraken.com",
    ...spot
  },
  BITSTAMP: {
    name: "Bitstamp",
    baseUrl: "https://www.bitstamp.net",
    attribution: "Market data by Bitstamp",
    link: "https://www.bitstamp.net",
    // Published limit: 10,000 calls in 10 minutes.
    candleAllowances: lookUpsPerMinute(600),
    ...spot
  },
  BITFINEX: {
    name: "Bitfinex",
    baseUrl: "https://api-pub.bitfinex.com",
    attribution: "Market data by Bitfinex",
    link: "https://www.bitfinex.com",
    // Published limit: 30 calls a minute for candles.
    candleAllowances: lookUpsPerMinute(30),
    ...spot
  },
  BINANCE: {
    name: "Binance",
    baseUrl: "https://data-api.binance.vision",
    attribution: "Market data by Binance",
    link: "https://www.binance.com",
    // Published limit: a weight of 6,000 a minute; a call weighs 2.
    candleAllowances: lookUpsPerMinute(600),
    ...spot,
    licence: "Documented public API; Binance points to its general terms, which grant no passing on"
  },
  OKX_SPOT: {
    name: "OKX",
    baseUrl: "https://www.okx.com",
    attribution: "Market data by OKX",
    link: "https://www.okx.com",
    ...spot,
    licence: "OKX API agreement of 2026-03-26; no licence to pass its data on was found"
  },
  KUCOIN_SPOT: {
    name: "KuCoin",
    baseUrl: "https://api.kucoin.com",
    attribution: "Market data by KuCoin",
    link: "https://www.kucoin.com",
    // Published limit: a weight of 2,000 in 30 seconds; a call weighs 3.
    candleAllowances: lookUpsPerMinute(600),
    ...spot
  },
  CRYPTO_COM: {
    name: "Crypto.com",
    baseUrl: "https://api.crypto.com",
    attribution: "Market data by Crypto.com",
    link: "https://crypto.com/exchange",
    ...spot
  },
  GATE: {
    name: "Gate",
    baseUrl: "https://api.gateio.ws",
    attribution: "Market data by Gate",
    link: "https://www.gate.com",
    ...spot
  }
})
