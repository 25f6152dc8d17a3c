// What the exchanges' tickers become: pairs in dollars and stablecoins, row by row, or a reason why there are none.
import { assert, describe } from "@effect/vitest"
import { Context, Effect, Layer, Option } from "effect"
import { KeyValueStore } from "effect/persistence"
import { TestClock } from "effect/testing"
import { Kraken } from "../../../src/sources/exchange/Kraken.ts"
import { Okx } from "../../../src/sources/exchange/Okx.ts"
import {
  hasRecordings,
  json,
  overHttp,
  recording,
  type ScriptedAnswer,
  scriptedUpstream,
  whileTimePasses
} from "../ScriptedUpstream.ts"
import { rule } from "../../rulesOf.ts"
import {
  binance,
  bitfinex,
  type Case,
  cases,
  date,
  dated,
  kraken,
  krakenSays,
  kucoin,
  NOW,
  okx,
  SECONDS,
  scripted
} from "./exchangeCases.ts"

const pairsOf = ({ source }: Case, answer: ScriptedAnswer, headers = date) =>
  Effect.flatMap(source.make(krakenSays(dated(answer, headers))), ({ tickers }) => whileTimePasses(tickers.get))

const failureOf = (...asked: Parameters<typeof pairsOf>) =>
  Effect.map(Effect.flip(pairsOf(...asked)), ({ reason }) => reason)

describe.each(cases.map((one) => [one.source.name, one] as const))("%s", (_, one) => {
  const pair = {
    market: one.market,
    base: "BTC",
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
