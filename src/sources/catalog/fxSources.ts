// Sources of fiat rates.
import { listed, perMinute } from "./SourceRecord.ts"

/** In order of fallback. */
export const fxSources = listed({
  FRANKFURTER: {
    name: "Frankfurter",
    baseUrl: "https://api.frankfurter.dev",
    attribution:
      "Reference rates of central banks, collected by Frankfurter; naira rates by the Central Bank of Nigeria",
    link: "https://frankfurter.dev",
    licence: "each central bank's own terms; Frankfurter itself asks for nothing",
    redistribution: "attribution",
    allowances: perMinute(10),
    dataSets: ["fx", "official_rate"]
  },
  CURRENCY_API: {
    name: "currency-api",
    baseUrl: "https://cdn.jsdelivr.net/npm/@fawazahmed0",
    attribution: "Rates by currency-api (fawazahmed0)",
    link: "https://github.com/fawazahmed0/exchange-api",
    licence: "CC0-1.0",
    redistribution: "yes",
    allowances: perMinute(10),
    dataSets: ["fx"]
  }
})
