// Sources of P2P markets (venues, order books) and of fiat rates.
import { listed, perMinute } from "./SourceRecord.ts"

const p2pPage = {
  licence:
    "None granted: an undocumented endpoint whose robots.txt disallows robots; switch it off with SOURCES_DISABLED",
  redistribution: "no",
  // The built-in markets take 15 calls a minute. The rest is for retries, for polls that coincide and for an operator's own markets.
  allowances: perMinute(20, { onDemand: 0 }),
  dataSets: ["p2p"]
} as const

const exchange = {
  licence: "Documented public API; no licence to pass its data on was found",
  redistribution: "unclear",
  allowances: perMinute(6, { onDemand: 3 }),
  dataSets: ["order_book"]
} as const

/** In order of fallback. */
export const rateSources = listed({
  BYBIT_P2P: {
    name: "Bybit P2P",
    baseUrl: "https://api2.bybit.com",
    attribution: "Rate derived from public advertisements on Bybit P2P",
    link: "https://www.bybit.com/en/p2p",
    ...p2pPage,
    dataSets: ["p2p", "p2p_configuration"]
  },
  BITGET_P2P: {
    name: "Bitget P2P",
    baseUrl: "https://www.bitget.com",
    attribution: "Rate derived from public advertisements on Bitget P2P",
    link: "https://www.bitget.com/p2p-trade",
    ...p2pPage
  },
  BINANCE_P2P: {
    name: "Binance P2P",
    baseUrl: "https://www.binance.com",
    attribution: "Rate derived from public advertisements on Binance P2P",
    link: "https://p2p.binance.com",
    ...p2pPage,
    licence: "None found: a public list that Binance documents for assistants; switch it off with SOURCES_DISABLED",
    redistribution: "unclear"
  },
  QUIDAX: {
    name: "Quidax",
    baseUrl: "https://openapi.quidax.io/exchange-open-api/api/v1",
    olderBaseUrls: ["https://app.quidax.io/api/v1"],
    attribution: "Market data by Quidax",
    link: "https://www.quidax.com",
    ...exchange
  },
  LUNO: {
    name: "Luno",
    baseUrl: "https://api.luno.com",
    attribution: "Market data by Luno",
    link: "https://www.luno.com",
    ...exchange
  },
  VALR: {
    name: "VALR",
    baseUrl: "https://api.valr.com",
    attribution: "Market data by VALR",
    link: "https://www.valr.com",
    ...exchange
  },
  CBN: {
    name: "CBN",
    baseUrl: "https://www.cbn.gov.ng",
    attribution: "Official exchange rates by the Central Bank of Nigeria",
    link: "https://www.cbn.gov.ng/rates/ExchRateByCurrency.html",
    licence: "cbn.gov.ng legal notice; may be passed on unaltered and with attribution",
    redistribution: "attribution",
    allowances: perMinute(4, { onDemand: 0 }),
    dataSets: ["nfem", "all_rates"]
  },
  FRANKFURTER: {
    name: "Frankfurter",
    baseUrl: "https://api.frankfurter.dev",
    attribution:
      "Reference rates of central banks, collected by Frankfurter; naira rates by the Central Bank of Nigeria",
    link: "https://frankfurter.dev",
    licence: "each central bank's own terms; Frankfurter itself asks for nothing",
    redistribution: "attribution",
    allowances: perMinute(10, { onDemand: 9 }),
    dataSets: ["fx", "official_rate"]
  },
  CURRENCY_API: {
    name: "currency-api",
    baseUrl: "https://cdn.jsdelivr.net/npm/@fawazahmed0",
    attribution: "Rates by currency-api (fawazahmed0)",
    link: "https://github.com/fawazahmed0/exchange-api",
    licence: "CC0-1.0",
    redistribution: "yes",
    allowances: perMinute(10, { onDemand: 9 }),
    dataSets: ["fx"]
  }
})
