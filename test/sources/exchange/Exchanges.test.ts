// What the exchanges' tickers become: pairs in dollars and stablecoins, row by row, or a reason why there are none.
import { assert, describe } from "@effect/vitest"
import { Context, Effect, Layer, Option } from "effect"
import { KeyValueStore } from "effect/persistence"
import { TestClock } from "effect/testing"
import { Binance } from "../../../src/sources/exchange/Binance.ts"
import { Bitfinex } from "../../../src/sources/exchange/Bitfinex.ts"
import { Bitstamp } from "../../../src/sources/exchange/Bitstamp.ts"
import { CryptoCom } from "../../../src/sources/exchange/CryptoCom.ts"
import { Gate } from "../../../src/sources/exchange/Gate.ts"
import { Kraken } from "../../../src/sources/exchange/Kraken.ts"
import { KuCoin } from "../../../src/sources/exchange/KuCoin.ts"
import { Okx } from "../../../src/sources/exchange/Okx.ts"
import {
  hasRecordings,
  json,
  overHttp,
  recording,
  type ScriptedAnswer,
  scriptedSource,
  scriptedUpstream,
  whileTimePasses
} from "../ScriptedUpstream.ts"
import { rule } from "../../rulesOf.ts"

const NOW = Date.UTC(2026, 10, 20, 12)
const SECONDS = NOW / 1000
const date = { date: new Date(NOW - 5000).toUTCString() }

const dated = (answer: ScriptedAnswer, headers: Readonly<Record<string, string>> = date): ScriptedAnswer =>
  typeof answer === "string" ? answer : { ...answer, headers: { ...answer.headers, ...headers } }

const kraken = (ask: string) => ({
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

const names = {
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

const krakenSays = (tickers: ScriptedAnswer) => (request: { readonly url: string }) =>
  request.url.endsWith("AssetPairs") ? json(names) : tickers

const bitstamp = {
  pair: "BTC/USD",
  last: "100",
  bid: "99.8",
  ask: "100.2",
  vwap: "98",
  volume: "2000",
  timestamp: `${SECONDS}`
}
const okx = { instId: "BTC-USDT", last: "100", bidPx: "99.8", askPx: "100.2", volCcy24h: "200000", ts: `${NOW}` }
const kucoin = {
  symbol: "BTC-USDT",
  symbolName: "BTC-USDT",
  buy: "99.8",
  sell: "100.2",
  last: "100",
  volValue: "200000"
}
const binance = {
  symbol: "BTCUSDT",
  lastPrice: "100",
  bidPrice: "99.8",
  askPrice: "100.2",
  quoteVolume: "200000",
  closeTime: NOW
}
const bitfinex = ["tBTCUSD", 99.8, 5, 100.2, 5, 1, 0.01, 100, 2000, 110, 90]

const cryptoCom = { i: "BTC_USD", a: "100", b: "99.8", k: "100.2", v: "2000", vv: "199000.5", t: NOW }
const gate = {
  currency_pair: "BTC_USDT",
  last: "100",
  lowest_ask: "100.2",
  highest_bid: "99.8",
  base_volume: "2000",
  quote_volume: "200000"
}

interface Case {
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
  readonly base: string
  readonly quote: "USD" | "USDT"
  readonly market: string
  readonly turnover: number
  readonly observedAt: number
  /** Refusals with status 200. */
  readonly refusals: ReadonlyArray<unknown>
}

const scripted = (
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

const cases: ReadonlyArray<Case> = [
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
    base: "BTC",
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
    base: "BTC",
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
    base: "BTC",
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
    base: "BTC",
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
    base: "BTC",
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
    base: "BTC",
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
    base: "BTC",
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
    base: "BTC",
    quote: "USDT",
    market: "BTC_USDT",
    turnover: 200_000,
    observedAt: NOW - 5000,
    refusals: [{ label: "TOO_MANY_REQUESTS", message: "slow down" }]
  }
]

const pairsOf = ({ source }: Case, answer: ScriptedAnswer, headers = date) =>
  Effect.flatMap(source.make(krakenSays(dated(answer, headers))), ({ tickers }) => whileTimePasses(tickers.get))

const failureOf = (...asked: Parameters<typeof pairsOf>) =>
  Effect.map(Effect.flip(pairsOf(...asked)), ({ reason }) => reason)

describe.each(cases.map((one) => [one.source.name, one] as const))("%s", (_, one) => {
  const pair = {
    market: one.market,
    base: one.base,
    quote: one.quote,
    bid: 99.8,
    ask: 100.2,
    last: 100,
    turnover: one.turnover,
    observedAt: one.observedAt
  } as const

  rule("is asked for all pairs in one call", function* () {
    const { tickers, urls } = yield* one.source.make(krakenSays(dated(json(one.body([one.row])))))
    assert.deepStrictEqual((yield* whileTimePasses(tickers.get)).value, [pair])
    assert.deepStrictEqual(urls(), one.paths)
  })

  rule("loses a bad row and no other, and takes a new member", function* () {
    const rows = [...one.others, ...one.bad, one.more]
    assert.deepStrictEqual((yield* pairsOf(one, json(one.body(rows)))).value, [pair])
    const many = Array.from({ length: 500 }, () => one.others[0])
    assert.deepStrictEqual((yield* pairsOf(one, json(one.body([...many, one.row])))).value, [pair])
  })

  rule("has failed where it says so with status 200, where no row fits and where nothing is in it", function* () {
    for (const refusal of one.refusals) {
      assert.strictEqual((yield* failureOf(one, json(refusal)))._tag, "Rejected", JSON.stringify(refusal))
    }
    const failures = [
      [json(one.body(one.bad)), "Undecodable"],
      [json(one.body([])), "Unusable"],
      [json(one.body(one.others)), "Unusable"],
      [{ status: 200, body: "<html>" }, "Undecodable"],
      [{ status: 302, body: "" }, "BadStatus"],
      [{ status: 403, body: "" }, "BadStatus"]
    ] as const
    for (const [answer, tag] of failures) assert.strictEqual((yield* failureOf(one, answer))._tag, tag)
  })

  rule("keeps the time of an answer that it repeats to the digit, whatever time it gives now", function* () {
    let later = 0
    const { tickers } = yield* one.source.make((request) => {
      const body = JSON.stringify(one.body([one.row])).replaceAll(String(NOW), String(NOW + later))
      const answer = { status: 200, body: body.replaceAll(`"${SECONDS}"`, `"${SECONDS + later / 1000}"`) }
      return krakenSays(dated(answer, { date: new Date(NOW - 5000 + later).toUTCString() }))(request)
    })
    const first = yield* whileTimePasses(tickers.get)
    later = 60_000
    yield* TestClock.adjust("1 minute")
    const second = yield* whileTimePasses(tickers.get)
    assert.deepStrictEqual(second.observedAt, first.observedAt)
    assert.isAbove(second.retrievedAt.epochMilliseconds, first.retrievedAt.epochMilliseconds)
  })

  rule("is never newer than our clock", function* () {
    const body = JSON.stringify(one.body([one.row]))
      .replaceAll(String(NOW), String(NOW + 30_000))
      .replaceAll(`"${SECONDS}"`, `"${SECONDS + 30}"`)
    const ahead = { date: new Date(NOW + 86_400_000).toUTCString() }
    const { observedAt, retrievedAt, value } = yield* pairsOf(one, { status: 200, body }, ahead)
    assert.isAtMost(value[0]?.observedAt ?? Infinity, retrievedAt.epochMilliseconds)
    assert.isAtMost(observedAt.epochMilliseconds, retrievedAt.epochMilliseconds)
  })
})

describe("the names of Kraken's pairs", () => {
  rule("outlive a failure to fetch them again, which is repeated each ten minutes", function* () {
    let areAway = false
    const tickers = dated(json(cases[0]?.body([cases[0].row])))
    const { tickers: set, urls } = yield* scripted(
      Kraken,
      "KRAKEN"
    )((request) =>
      areAway && request.url.endsWith("AssetPairs") ? { status: 503, body: "" } : krakenSays(tickers)(request)
    )
    const asked = () => urls().filter((url) => url.endsWith("AssetPairs")).length
    yield* whileTimePasses(set.get)
    areAway = true
    yield* TestClock.adjust("6 hours")
    assert.lengthOf((yield* whileTimePasses(set.get)).value, 1)
    const after = asked()
    yield* TestClock.adjust("1 minute")
    yield* whileTimePasses(set.get)
    assert.strictEqual(asked(), after)
    yield* TestClock.adjust("10 minutes")
    yield* whileTimePasses(set.get)
    assert.isAbove(asked(), after)
  })
})

describe("tickers that are saved", () => {
  rule("are read back as they were", function* () {
    yield* TestClock.setTime(NOW)
    const store = yield* Layer.build(KeyValueStore.layerMemory)
    const small = { ...okx, instId: "PEPE-USDC", last: "0.0000012", bidPx: "", askPx: null, volCcy24h: "1e6" }
    const { url } = yield* scriptedUpstream(() => json({ code: "0", data: [okx, small] }))
    const built = Effect.map(
      Effect.provideContext(Layer.build(overHttp(Okx.layerNoDeps, { OKX_SPOT_BASE_URL: url })), store),
      (context) => Context.get(context, Okx).tickers
    )
    const said = yield* whileTimePasses(Effect.flatMap(built, ({ get }) => get))
    const restored = Option.getOrThrow(yield* Effect.flatMap(built, ({ last }) => last))
    assert.deepStrictEqual([restored.value, restored.observedAt], [said.value, said.observedAt])
    assert.lengthOf(said.value, 2)
  })
})

describe("names of an exchange's own", () => {
  const marketsOf = (name: string, rows: ReadonlyArray<unknown>) =>
    Effect.gen(function* () {
      const one = cases.find(({ source }) => source.name === name)
      assert.isDefined(one)
      const { value } = yield* pairsOf(one, json(one.body(rows)))
      return value.map(({ base, market, quote }) => `${market} ${base}/${quote}`)
    })

  rule("of pairs that price a fiat are taken, whichever side the fiat is on; no other pair in a fiat is", function* () {
    assert.deepStrictEqual(
      yield* marketsOf(
        "Kraken",
        ["ETHEUR", "SOLEUR", "EURUSD"].map((name) => [name, kraken("100.2")])
      ),
      ["ETHEUR ETH/EUR", "EURUSD EUR/USD"]
    )
    const rows = ["BTCEUR", "USDTTRY", "SOLEUR", "EURUSDT", "BTCFDUSD", "BTCDAI", "USDTNGN", "USDTARS"]
    assert.deepStrictEqual(
      yield* marketsOf(
        "Binance",
        rows.map((symbol) => ({ ...binance, symbol, quoteVolume: "9000" + (symbol === "EURUSDT" ? "0" : "") }))
      ),
      ["BTCEUR BTC/EUR", "USDTTRY USDT/TRY", "EURUSDT EUR/USDT"]
    )
    assert.deepStrictEqual(yield* marketsOf("OKX", [{ ...okx, instId: "USDT-SGD" }]), ["USDT-SGD USDT/SGD"])
  })

  rule("are translated", function* () {
    assert.deepStrictEqual(yield* marketsOf("Kraken", [["XDGUSDT", kraken("100.2")]]), ["XDGUSDT DOGE/USDT"])
    const rows = ["tUSTUSD", "tDOGE:USD", "tBTCUST", "tUDCUSD", "tIOTUSD"].map((name) => [name, ...bitfinex.slice(1)])
    assert.deepStrictEqual(yield* marketsOf("Bitfinex", rows), [
      "tUSTUSD USDT/USD",
      "tDOGE:USD DOGE/USD",
      "tBTCUST BTC/USDT",
      "tUDCUSD USDC/USD",
      "tIOTUSD IOTA/USD"
    ])
    assert.deepStrictEqual(yield* marketsOf("Binance", [{ ...binance, symbol: "USDCUSDT" }]), ["USDCUSDT USDC/USDT"])
    const renamed = { ...kucoin, symbol: "MATIC-USDT", symbolName: "POL-USDT" }
    assert.deepStrictEqual(yield* marketsOf("KuCoin", [renamed]), ["MATIC-USDT POL/USDT"])
  })
})

describe.skipIf(!hasRecordings)("recorded answers (skipped where ../shared/samples is missing)", () => {
  rule("of Kraken and Binance are read", function* () {
    const [kraken, binance] = [cases[0], cases[3]]
    assert.isDefined(kraken)
    assert.isDefined(binance)
    const body = recording("kraken/ticker-XBTUSD.2026-09-19.json")
    const [bitcoin] = (yield* pairsOf(kraken, { status: 200, body })).value
    assert.deepStrictEqual(
      [bitcoin?.base, bitcoin?.bid, bitcoin?.ask, bitcoin?.last],
      ["BTC", 81_416, 81_416.1, 81_412.2]
    )
    assert.closeTo(bitcoin?.turnover ?? 0, 2208.745 * 81_232.388, 100)
    // The documented row is of a pair in bitcoin, so that nothing of it is taken; its members fit.
    const row = recording("binance-spot/ticker-24hr.docs.json")
    assert.strictEqual((yield* failureOf(binance, { status: 200, body: `[${row}]` }))._tag, "Unusable")
    const inDollars = row.replace("BNBBTC", "BNBUSDT").replace("15.30000000", "99000.5")
    const [bnb] = (yield* pairsOf(binance, { status: 200, body: `[${inDollars}]` })).value
    assert.deepStrictEqual([bnb?.base, bnb?.bid, bnb?.ask, bnb?.turnover], ["BNB", 4, 4.000002, 99_000.5])
  })
})
