// The currencies whose street rate is known to differ from the official one by more than 5 %. If the market of such a currency is not
// followed, its official rate is marked, and APIs that cannot show the mark omit it.

export interface StreetCurrency {
  /** The largest difference in the source, percent of the official rate; `null` if it has no figures. */
  readonly difference: number | null
  /** The day or month of the difference. */
  readonly date: string
  /** The URL of the source. */
  readonly source: string
}

/** By ISO 4217 code. Each difference is computed from the two rates in the comment above it. */
export const streetCurrencies: Readonly<Record<string, StreetCurrency>> = {
  // 430 on the street, 166 at the central bank.
  AOA: { difference: 159, date: "2017-12", source: "https://www.destak.pt/artigo/323287" },
  ARS: { difference: null, date: "2024-10-31", source: "https://github.com/fawazahmed0/exchange-api/issues/109" },
  // 9.32 is the central bank's own reference for the parallel market, 6.96 its official rate.
  BOB: { difference: 34, date: "2025-12-01", source: "https://www.latinnews.com/component/k2/item/108306.html" },
  // 531 and 24.
  CUP: { difference: 2113, date: "2026-04-28", source: "https://github.com/fedixyz/fedi/issues/60" },
  // 210, the middle of 209 and 211, and 135.24.
  DZD: {
    difference: 55,
    date: "2023-03-26",
    source:
      "https://california18.com/exchange-rate-bank-of-algeria-and-black-market-the-dinar-against-foreign-currencies-on-march-26/9820422023/"
  },
  // 174 and 137.
  ETB: {
    difference: 27,
    date: "2025-08-07",
    source: "https://dabafinance.com/en/news/ethiopia-birr-depreciation-parallel-market-imf-reform-pressure"
  },
  // 360,000 and 41,341.
  IRR: { difference: 771, date: "2022-12-11", source: "https://github.com/Formicka/exchangerate.host/issues/190" },
  // 32,525 and 1,510.
  LBP: { difference: 2054, date: "2022-08-18", source: "https://github.com/btcpayserver/btcpayserver/pull/4048" },
  // 8.3 and 1.4.
  LYD: { difference: 493, date: "2017-04-10", source: "http://uk.reuters.com/article/libya-currency-idUKL8N1HI486" },
  // 4,500 and 2,100.
  MMK: {
    difference: 114,
    date: "2026-01",
    source:
      "https://pixelation.org/exchange-rate-dollar-to-myanmar-kyat-why-the-official-number-is-only-half-the-story-1e88"
  },
  // 1,800 and 1,063.86.
  MWK: { difference: 69, date: "2023-06", source: "https://times.mw/dollar-hits-k1800-on-black-market" },
  // 270 and 55.
  SDG: {
    difference: 391,
    date: "2021-01",
    source:
      "https://www.saudi24news.com/2021/01/the-foreign-exchange-market-in-khartoum-has-exploded-the-dollar-is-jumping-to-unprecedented-prices-and-the-sterling-and-the-euro-are-recording-crazy-numbers.html"
  },
  // The source states the difference.
  VES: { difference: 85, date: "2026-01", source: "https://www.binance.bh/it/square/hashtag/dolarbinance" }
}

/** Whether a currency has a known street rate. `code`: in upper case. */
export const hasStreetRate = (code: string): boolean => Object.hasOwn(streetCurrencies, code)
