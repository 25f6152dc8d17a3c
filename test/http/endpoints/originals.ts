// Every parameter that the originals have on the paths that are served here, with values that the originals take: CoinGecko's by its
// OpenAPI document of 2026-06-22, Frankfurter's by its code of 2026-08. What is not served of theirs is in `../cases.json`.
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { COINGECKO_BASE } from "../../../src/api/coingecko/CoinGeckoDialect.ts"
import type { It } from "../../api/endpoints.ts"
import { get } from "../../RunningService.ts"
import { rulesOf } from "../../rulesOf.ts"

const F = "/compat/frankfurter"
const B = "/compat/btcpay"
const Y = "/compat/yadio.io"
const usdt = "0xdac17f958d2ee523a2206206994597c13d831ec7"

/** A switch, as libraries of several languages write it. */
const flag = ["true", "false", "True", "FALSE", "1", "0", "yes", "t", "", "%20"]
const precision = ["full", "FULL", "0", "2", "18", ""]
const order = ["market_cap_desc", "MARKET_CAP_DESC", ""]
const vs = ["usd", "USD", "%20ngn", "sats", "ltc", "sol", "xrp", "bnb"]
const pricing = {
  include_market_cap: flag,
  include_24hr_vol: flag,
  include_24hr_change: flag,
  include_last_updated_at: flag,
  precision,
  vs_currencies: ["usd,%20NGN,", "usd,,eur", "usd,no-such", "ltc,bch,dot,link,xlm"]
}
const coin = {
  localization: flag,
  tickers: flag,
  market_data: flag,
  community_data: flag,
  developer_data: flag,
  sparkline: flag,
  include_categories_details: flag,
  dex_pair_format: ["contract_address", "symbol", ""]
}
const chart = { vs_currency: vs, precision, interval: ["daily", "hourly", "Daily", ""] }
const days = { days: ["1", "7", "07", "90", "365", "max", "MAX", "14.0"] }
const range = {
  from: ["1763596800", "1763596800.5", "2025-11-20", "2025-11-20T10:00:00Z"],
  to: ["1763683200", "2025-11-21"]
}
const date = [
  "20-11-2026",
  "1-11-2026",
  "2026-11-01",
  "2026-11-1",
  "01/11/2026",
  "1.11.2026",
  "2026/11/01",
  "20261101",
  "2026-11-01T10:00Z"
]
const filters = {
  base: ["USD", "usd", "", "%20usd"],
  from: ["USD", "usd", ""],
  symbols: ["EUR,GBP", "eur,%20gbp,", "GBP,USDT", "NGN,X", ""],
  to: ["GBP", "gbp,", ""],
  amount: ["1", "10.50", "1e3", ".5", "5.", "%2B5", ""]
}

/** A path with what it requires, and the values of each parameter that are answered. */
const taken: ReadonlyArray<readonly [path: string, parameters: Readonly<Record<string, ReadonlyArray<string>>>]> = [
  [`${COINGECKO_BASE}/ping`, { x: [""] }],
  [
    `${COINGECKO_BASE}/simple/price?ids=bitcoin&vs_currencies=usd`,
    {
      ...pricing,
      names: [""],
      symbols: [""],
      include_tokens: ["top", "all", ""],
      ids: ["Bitcoin,%20tether,", "no-such,bitcoin"]
    }
  ],
  [
    `${COINGECKO_BASE}/simple/token_price/ethereum?contract_addresses=${usdt}&vs_currencies=usd`,
    { ...pricing, contract_addresses: [usdt.toUpperCase().replace("X", "x"), `${usdt},%20${usdt},`] }
  ],
  [`${COINGECKO_BASE}/coins/list`, { include_platform: flag, status: ["active", "Active", ""] }],
  [
    `${COINGECKO_BASE}/coins/markets?vs_currency=usd&ids=bitcoin`,
    {
      vs_currency: vs,
      ids: ["bitcoin,%20tether,", "BITCOIN", "no-such"],
      names: [""],
      symbols: [""],
      category: [""],
      include_tokens: ["top"],
      order: [...order, "id_asc", "Volume_Desc"],
      per_page: ["1", "250", ""],
      page: ["1", "2", ""],
      sparkline: flag,
      price_change_percentage: ["1h,24h", "1h,%2024h,", "1H", ""],
      locale: ["en", "zh-tw", ""],
      precision,
      include_rehypothecated: ["false", "False", "0", "no", ""]
    }
  ],
  [`${COINGECKO_BASE}/coins/bitcoin`, coin],
  [`${COINGECKO_BASE}/coins/ethereum/contract/${usdt}`, coin],
  [
    `${COINGECKO_BASE}/coins/bitcoin/tickers`,
    {
      exchange_ids: ["binance,%20Kraken,", "no-such", ""],
      include_exchange_logo: flag,
      page: ["1", "2", ""],
      order: ["trust_score_desc", "trust_score_asc", "Volume_Desc", "volume_asc", ""],
      depth: flag,
      dex_pair_format: ["contract_address", "symbol", ""]
    }
  ],
  [`${COINGECKO_BASE}/asset_platforms`, { filter: [""] }],
  [`${COINGECKO_BASE}/search?query=bit`, { query: ["BIT", "%20bit", "usdt"] }],
  [`${COINGECKO_BASE}/coins/bitcoin/history?date=20-11-2026`, { date, localization: flag }],
  [`${COINGECKO_BASE}/coins/bitcoin/market_chart?vs_currency=usd&days=1`, { ...chart, ...days }],
  [
    `${COINGECKO_BASE}/coins/bitcoin/market_chart/range?vs_currency=usd&from=1763596800&to=1763683200`,
    { ...chart, ...range }
  ],
  [`${COINGECKO_BASE}/coins/ethereum/contract/${usdt}/market_chart?vs_currency=usd&days=1`, { ...chart, ...days }],
  [`${COINGECKO_BASE}/coins/bitcoin/ohlc?vs_currency=usd&days=1`, { ...chart, ...days }],
  [`${F}/v1/latest?x=`, filters],
  [`${F}/latest?x=`, filters],
  [`${F}/v1/current?x=`, filters],
  [`${F}/current?x=`, filters],
  [
    `${F}/v2/rates?x=`,
    {
      base: ["usd", "USD", ""],
      quotes: ["eur,%20GBP,", ""],
      providers: [""],
      group: [""],
      expand: [""],
      date: [...date, ""]
    }
  ],
  [`${F}/v2/rate/usd/eur?x=`, { date: [...date, ""], providers: [""], expand: [""] }],
  [
    `${B}/api/rates?currencyPairs=BTC_NGN`,
    { currencyPairs: ["btc_ngn", "BTC_NGN,%20LTC_USD,", "BTCUSD"], storeId: ["", "x"] }
  ],
  [
    `${B}/rates?currencyPairs=BTC_NGN`,
    { currencyPairs: ["btc_ngn", "BTC_NGN,%20LTC_USD,", "BTCUSD"], storeId: ["", "x"] }
  ],
  [`${B}/rates/btc/usd?x=`, { storeId: ["", "x"] }],
  [`${Y}/convert/1e3/usd/ngn`, { x: [""] }],
  [`${Y}/convert/.5/USD/Ngn`, { x: [""] }],
  [`${Y}/rate/ngn`, { x: [""] }]
]

/** On a service with everything. */
export const originals = (it: It) => {
  const rule = rulesOf(it, Effect.void)

  rule("a parameter of an original takes what it takes there", function* () {
    const refused: Array<string> = []
    for (const [path, parameters] of taken) {
      for (const [name, values] of Object.entries(parameters)) {
        for (const value of values) {
          // The last one of a name counts.
          const url = `${path}${path.includes("?") ? "&" : "?"}${name}=${value}`
          const { status, text } = yield* get(url)
          if (status !== 200) refused.push(`${url}: ${status} ${text.slice(0, 200)}`)
        }
      }
    }
    assert.deepStrictEqual(refused, [])
  })

  rule("a path of an original means the same whatever the slashes and the method", function* () {
    for (const [path] of taken) {
      const [before = "", query] = path.split("?")
      const whole = yield* get(path)
      const end = query === undefined ? "" : `?${query}`
      const doubled = before.replace(/\/(v1|v2|v3|api|rates|convert|rate|latest|current)\b/, "//$1")
      assert.notStrictEqual(doubled, before)
      for (const other of [`${before}/${end}`, `${doubled}${end}`]) {
        const { status, text } = yield* get(other)
        assert.deepStrictEqual([other, status, text], [other, whole.status, whole.text])
      }
      assert.strictEqual((yield* get(path, { method: "HEAD" })).status, whole.status, path)
      assert.strictEqual((yield* get(path, { method: "OPTIONS" })).status, 204, path)
    }
  })

  rule("a parameter of an original is the last one where it is repeated", function* () {
    const { text } = yield* get(`${COINGECKO_BASE}/simple/price?ids=bitcoin&vs_currencies=usd&ids=tether&ids=`)
    assert.match(JSON.parse(text).error, /^Missing parameter ids$/)
    const last = yield* get(`${COINGECKO_BASE}/simple/price?ids=bitcoin&vs_currencies=usd&ids=tether`)
    assert.deepStrictEqual(Object.keys(JSON.parse(last.text)), ["tether"])
  })
}
