// Sources of coins, prices and figures of the whole market.
import { listed } from "./SourceRecord.ts"

/** In order of fallback. */
export const marketSources = listed({
  COINGECKO: {
    name: "CoinGecko",
    baseUrl: "https://api.coingecko.com/api/v3",
    attribution: "Data provided by CoinGecko",
    link: "https://www.coingecko.com",
    coinPage: "https://www.coingecko.com/en/coins/{id}",
    marketPage: "https://www.coingecko.com/en/global-charts",
    licence: "CoinGecko API terms; attribution required, free plans for personal use",
    redistribution: "unclear",
    // The plan without a key; `CoinGeckoPlan` has the others.
    allowances: [
      { calls: 3, per: "1 minute", onDemand: 2 },
      // The polls take up to seven.
      { calls: 15, per: "5 minutes", onDemand: 8 }
    ],
    dataSets: ["coins", "global", "registry"]
  },
  COINPAPRIKA: {
    name: "CoinPaprika",
    baseUrl: "https://api.coinpaprika.com/v1",
    attribution: "Data provided by CoinPaprika",
    link: "https://coinpaprika.com",
    marketPage: "https://coinpaprika.com/market-overview/",
    licence:
      "CoinPaprika API terms; the data is free and attribution appreciated, commercial use is defined separately",
    redistribution: "unclear",
    // All free users share 20,000 calls a month. The two data sets take 288 a day; eight are left for retries.
    allowances: [
      { calls: 4, per: "1 minute", onDemand: 2 },
      { calls: 320, per: "1 day", onDemand: 24 }
    ],
    dataSets: ["coins", "global"]
  }
})
