// What each exchange sends: rows that count, others that do not, bad ones and refusals.
import { Binance } from "../../../src/sources/exchange/Binance.ts"
import { Bitfinex } from "../../../src/sources/exchange/Bitfinex.ts"
import { Bitstamp } from "../../../src/sources/exchange/Bitstamp.ts"
import { CryptoCom } from "../../../src/sources/exchange/CryptoCom.ts"
import { Gate } from "../../../src/sources/exchange/Gate.ts"
import { Kraken } from "../../../src/sources/exchange/Kraken.ts"
import { KuCoin } from "../../../src/sources/exchange/KuCoin.ts"
import { Okx } from "../../../src/sources/exchange/Okx.ts"
import { json, type ScriptedAnswer, scriptedSource } from "../ScriptedUpstream.ts"

export const NOW = Date.UTC(2026, 10, 20, 12)
export const SECONDS = NOW / 1000
export const date = { date: new Date(NOW - 5000).toUTCString() }

export const dated = (answer: ScriptedAnswer, headers: Readonly<Record<string, string>> = date): ScriptedAnswer =>
  typeof answer === "string" ? answer : { ...answer, headers: { ...answer.headers, ...headers } }

export const kraken = (ask: string) => ({
  a: [ask, "1", "1.000"],
  b: ["99.8", "2", "2.000"],
  c: ["100", "0.1"],
  v: ["1", "2000"],
  p: ["98", "100"],
  t: [1, 2],
  l: ["98", "98"],
  h: ["101", "101"],
  o: "100"
})

export const names = {
  error: [],
  result: {
    XXBTZUSD: { wsname: "XBT/USD", status: "online", base: "XXBT" },
    XDGUSDT: { wsname: "XDG/USDT", status: "online" },
    XTZUSD: { wsname: "XTZ/USD", status: "cancel_only" },
    ETHEUR: { wsname: "ETH/EUR", status: "online" },
    SOLEUR: { wsname: "SOL/EUR", status: "online" },
    EURUSD: { wsname: "EUR/USD", status: "online" },
    BROKEN: { wsname: 7 }
  }
}

export const krakenSays = (tickers: ScriptedAnswer) => (request: { readonly url: string }) =>
  request.url.endsWith("AssetPairs") ? json(names) : tickers

export const bitstamp = {
  pair: "BTC/USD",
  last: "100",
  bid: "99.8",
  ask: "100.2",
  vwap: "98",
  volume: "2000",
  timestamp: `${SECONDS}`
}
export const okx = { instId: "BTC-USDT", last: "100", bidPx: "99.8", askPx: "100.2", volCcy24h: "200000", ts: `${NOW}` }
export const kucoin = {
  symbol: "BTC-USDT",
  symbolName: "BTC-USDT",
  buy: "99.8",
  sell: "100.2",
  last: "100",
  volValue: "200000"
}
export const binance = {
  symbol: "BTCUSDT",
  lastPrice: "100",
  bidPrice: "99.8",
  askPrice: "100.2",
  quoteVolume: "200000",
  closeTime: NOW
}
export const bitfinex = ["tBTCUSD", 99.8, 5, 100.2, 5, 1, 0.01, 100, 2000, 110, 90]

export const cryptoCom = { i: "BTC_USD", a: "100", b: "99.8", k: "100.2", v: "2000", vv: "199000.5", t: NOW }
export const gate = {
  currency_pair: "BTC_USDT",
  last: "100",
  lowest_ask: "100.2",
  highest_bid: "99.8",
  base_volume: "2000",
  quote_volume: "200000"
}

export interface Case {
  readonly source: { readonly name: string; readonly make: ReturnType<typeof scripted> }
  /** The paths that are asked for. */
  readonly paths: ReadonlyArray<string>
  /** A body of these rows. */
  readonly body: (rows: ReadonlyArray<unknown>) => unknown
  readonly row: unknown
  /** The same pair with a member that is not documented. */
  readonly more: unknown
  /** Rows that are well-formed and no pair that counts. */
  readonly others: ReadonlyArray<unknown>
  /** Rows that are not. */
  readonly bad: ReadonlyArray<unknown>
  readonly quote: "USD" | "USDT"
  readonly market: string
  readonly turnover: number
  readonly observedAt: number
  /** Refusals with status 200. */
  readonly refusals: ReadonlyArray<unknown>
}

export const scripted = (
  source:
    | typeof Kraken
    | typeof Bitstamp
    | typeof Bitfinex
    | typeof Binance
    | typeof Okx
    | typeof KuCoin
    | typeof CryptoCom
    | typeof Gate,
  setting: string
) => scriptedSource({ source: source as typeof Okx, setting: `${setting}_BASE_URL`, at: NOW })

export const cases: ReadonlyArray<Case> = [
  {
    source: { name: "Kraken", make: scripted(Kraken, "KRAKEN") },
    paths: ["/0/public/AssetPairs", "/0/public/Ticker"],
    body: (rows) => ({ error: [], result: Object.fromEntries(rows as ReadonlyArray<[string, unknown]>) }),
    row: ["XXBTZUSD", kraken("100.2")],
    more: ["XXBTZUSD", { ...kraken("100.2"), x: { y: 1 } }],
    others: [
      ["XTZUSD", kraken("100.2")],
      ["SOLEUR", kraken("100.2")],
      ["UNKNOWN", kraken("100.2")]
    ],
    bad: [
      ["XDGUSDT", { ...kraken("100.2"), b: ["n/a"] }],
      ["XDGUSDT", null]
    ],
    quote: "USD",
    market: "XXBTZUSD",
    turnover: 200_000,
    observedAt: NOW - 5000,
    refusals: [{ error: ["EGeneral:Temporary lockout"] }, { error: [] }]
  },
  {
    source: { name: "Bitstamp", make: scripted(Bitstamp, "BITSTAMP") },
    paths: ["/api/v2/ticker/"],
    body: (rows) => rows,
    row: bitstamp,
    more: { ...bitstamp, market_type: "SPOT", percent_change_24: "x" },
    others: [
      { ...bitstamp, pair: "LTC/EUR" },
      { ...bitstamp, market_type: "PERPETUAL" },
      { ...bitstamp, pair: "ETH/USD", volume: "0" }
    ],
    bad: [{ ...bitstamp, bid: "many" }, { ...bitstamp, pair: "BTC/USD\n" }, 5],
    quote: "USD",
    market: "BTC/USD",
    turnover: 196_000,
    observedAt: NOW,
    refusals: [{ status: "error", reason: "slow down" }]
  },
  {
    source: { name: "Bitfinex", make: scripted(Bitfinex, "BITFINEX") },
    paths: ["/v2/tickers?symbols=ALL"],
    body: (rows) => rows,
    row: bitfinex,
    more: [...bitfinex, "more", null],
    others: [
      ["fUSD", 0.1, 0.1, 30, 1, 0.1, 2, 1, 0, 0, 0.1, 1],
      ["tBTCF0:USTF0", ...bitfinex.slice(1)],
      ["tLTCEUR", ...bitfinex.slice(1)]
    ],
    bad: [["tETHUSD", "99"], ["tETHUSD"], {}],
    quote: "USD",
    market: "tBTCUSD",
    turnover: 200_000,
    observedAt: NOW - 5000,
    refusals: [["error", 10_020, "limit: invalid"]]
  },
  {
    source: { name: "Binance", make: scripted(Binance, "BINANCE") },
    paths: ["/api/v3/ticker/24hr"],
    body: (rows) => rows,
    row: binance,
    more: { ...binance, count: 5, x: [] },
    others: [
      { ...binance, symbol: "BTCFDUSD" },
      { ...binance, symbol: "BNBBTC" },
      { ...binance, symbol: "USDT" }
    ],
    bad: [{ ...binance, closeTime: "soon" }, { ...binance, symbol: "" }, null],
    quote: "USDT",
    market: "BTCUSDT",
    turnover: 200_000,
    observedAt: NOW,
    refusals: [{ code: -1003, msg: "Too many requests" }]
  },
  {
    source: { name: "OKX", make: scripted(Okx, "OKX_SPOT") },
    paths: ["/api/v5/market/tickers?instType=SPOT"],
    body: (data) => ({ code: "0", msg: "", data }),
    row: okx,
    more: { ...okx, sodUtc8: "1", x: {} },
    others: [
      { ...okx, instId: "USDT-ARS" },
      { ...okx, instId: "LTC-EUR" },
      { ...okx, instId: "BTC-EUR", volCcy24h: "0" },
      { ...okx, volCcy24h: "" }
    ],
    bad: [{ ...okx, ts: "" }, { ...okx, last: [] }, []],
    quote: "USDT",
    market: "BTC-USDT",
    turnover: 200_000,
    observedAt: NOW,
    refusals: [
      { code: "50011", msg: "Too many", data: [] },
      { code: "50001", msg: "" }
    ]
  },
  {
    source: { name: "KuCoin", make: scripted(KuCoin, "KUCOIN_SPOT") },
    paths: ["/api/v1/market/allTickers"],
    body: (ticker) => ({ code: "200000", data: { time: NOW, ticker } }),
    row: kucoin,
    more: { ...kucoin, changeRate: null, x: 1 },
    others: [
      { ...kucoin, symbol: "ETH-BTC", symbolName: "ETH-BTC" },
      { ...kucoin, volValue: null }
    ],
    bad: [{ ...kucoin, buy: {} }, { ...kucoin, symbol: 5 }, "x"],
    quote: "USDT",
    market: "BTC-USDT",
    turnover: 200_000,
    observedAt: NOW,
    refusals: [{ code: "429000", msg: "Too many requests" }]
  },
  {
    source: { name: "Crypto.com", make: scripted(CryptoCom, "CRYPTO_COM") },
    paths: ["/exchange/v1/public/get-tickers"],
    body: (data) => ({ id: -1, method: "public/get-tickers", code: 0, result: { data } }),
    row: cryptoCom,
    more: { ...cryptoCom, h: null, l: "98", c: null, oi: "0", x: [] },
    others: [
      { ...cryptoCom, i: "BTCUSD-PERP" },
      { ...cryptoCom, i: "BTCUSD-261225" },
      { ...cryptoCom, i: "ETH_USD", a: null, b: null, k: null, v: null },
      { ...cryptoCom, i: "ETH_USD", v: "0" }
    ],
    bad: [{ ...cryptoCom, t: null }, { ...cryptoCom, a: "many" }, { ...cryptoCom, i: null }, null],
    quote: "USD",
    market: "BTC_USD",
    turnover: 200_000,
    observedAt: NOW,
    refusals: [
      { code: 42_901, message: "TOO_MANY_REQUESTS" },
      { code: 50_001, result: { data: [] } }
    ]
  },
  {
    source: { name: "Gate", make: scripted(Gate, "GATE") },
    paths: ["/api/v4/spot/tickers"],
    body: (rows) => rows,
    row: gate,
    more: { ...gate, change_percentage: null, etf_net_value: "", x: {} },
    others: [
      { ...gate, currency_pair: "BTC3L_USDT", etf_net_value: "0.02", etf_leverage: "3.1" },
      { ...gate, currency_pair: "ETH_BTC" },
      { ...gate, currency_pair: "ETH_USDT", quote_volume: null }
    ],
    bad: [{ ...gate, last: {} }, { ...gate, currency_pair: "" }, { ...gate, etf_net_value: [] }, 5],
    quote: "USDT",
    market: "BTC_USDT",
    turnover: 200_000,
    observedAt: NOW - 5000,
    refusals: [{ label: "TOO_MANY_REQUESTS", message: "slow down" }]
  }
]
