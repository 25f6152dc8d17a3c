// The candles of exchanges: those of the simulated world, over real HTTP, and what is refused or left out.
import { NodeHttpServer } from "@effect/platform-node"
import { assert, describe } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import { createServer } from "node:http"
import { type CandleExchange, exchangeCandles, listedSince } from "../../../src/sandbox/ExchangeCandles.ts"
import { Sandbox } from "../../../src/sandbox/SandboxUpstreams.ts"
import { upstreamNames } from "../../../src/sandbox/Wires.ts"
import { Binance } from "../../../src/sources/exchange/Binance.ts"
import { Bitfinex } from "../../../src/sources/exchange/Bitfinex.ts"
import { Bitstamp } from "../../../src/sources/exchange/Bitstamp.ts"
import type { CandleQuery } from "../../../src/sources/exchange/candles.ts"
import { KuCoin } from "../../../src/sources/exchange/KuCoin.ts"
import {
  json,
  overHttp,
  reasonOf,
  type ScriptedAnswer,
  type ScriptedRequest,
  scriptedSource,
  whileTimePasses
} from "../ScriptedUpstream.ts"
import { rule, rulesIn } from "../../rulesOf.ts"

const DAY = 86_400_000
const HOUR = 3_600_000
const NOON = Date.UTC(2026, 10, 20, 12)
const TODAY = NOON - 12 * HOUR

const server = NodeHttpServer.layer(() => createServer(), {
  port: 0,
  host: "127.0.0.1",
  gracefulShutdownTimeout: "1 second"
})

/** Their candles have the same type. */
const one = (source: typeof Bitstamp | typeof Bitfinex | typeof Binance | typeof KuCoin) => source as typeof Binance

interface Case {
  readonly name: CandleExchange
  readonly source: typeof Binance
  readonly market: string
  readonly quote: "USD" | "USDT"
  readonly id: string
  /** So many days are compared. */
  readonly days: number
  /** The body of rows, each a start in milliseconds with open 10, high 12, low 9, close 11 and a turnover of 1100. */
  readonly body: (starts: ReadonlyArray<number>) => unknown
  readonly refusal: unknown
  readonly bad: unknown
}

const cases: ReadonlyArray<Case> = [
  {
    name: "bitstamp",
    source: one(Bitstamp),
    market: "BTC/USD",
    quote: "USD",
    id: "bitcoin",
    days: Infinity,
    body: (starts) => ({
      data: {
        pair: "BTC/USD",
        ohlc: starts.map((at) => ({
          timestamp: `${at / 1000}`,
          open: "10",
          high: "12",
          low: "9",
          close: "11",
          volume: "100"
        }))
      }
    }),
    refusal: { status: "error", reason: "x" },
    bad: { data: { ohlc: [{ timestamp: "soon" }] } }
  },
  {
    name: "bitfinex",
    source: one(Bitfinex),
    market: "tBTCUSD",
    quote: "USD",
    id: "bitcoin",
    days: 1600,
    body: (starts) => starts.map((at) => [at, 10, 11, 12, 9, 100]),
    refusal: ["error", 10_020, "limit: invalid"],
    bad: [["soon", 1, 2, 3, 4, 5]]
  },
  {
    name: "binance",
    source: Binance,
    market: "LTCUSDT",
    quote: "USDT",
    id: "litecoin",
    days: 1600,
    body: (starts) => starts.map((at) => [at, "10", "12", "9", "11", "100", at + DAY - 1, "1100", 7, "1", "1", "0"]),
    refusal: { code: -1121, msg: "Invalid symbol." },
    bad: [[1, "ten"]]
  },
  {
    name: "kucoin",
    source: one(KuCoin),
    market: "LTC-USDT",
    quote: "USDT",
    id: "litecoin",
    days: 1600,
    body: (starts) => ({
      code: "200000",
      data: starts.map((at) => [`${at / 1000}`, "10", "11", "12", "9", "100", "1100"])
    }),
    refusal: { code: "400100", msg: "x" },
    bad: { code: "200000", data: [["soon"]] }
  }
]

const days = (market: string, first: number, last = TODAY): CandleQuery => {
  return { market, interval: "day", first, last, urgency: "backfill" }
}

rulesIn(Layer.fresh(Sandbox.layer.pipe(Layer.provide(server))))("candles of the simulated", (rule) => {
  for (const { days: most, id, market, name, quote, source } of cases) {
    rule(`${name}: the finished days and hours that are asked for`, function* () {
      yield* TestClock.setTime(NOON)
      const { baseUrls, world } = yield* Sandbox
      const settings = Object.fromEntries(upstreamNames.map((one) => [`${one}_BASE_URL`, baseUrls[one]]))
      const asked = (query: CandleQuery) =>
        source.pipe(
          Effect.flatMap(({ candles }) => candles(query)),
          Effect.provide(overHttp(source.layerNoDeps, settings))
        )
      const found = yield* whileTimePasses(asked(days(market, Math.max(0, TODAY - most * DAY))))
      const first = Math.max(listedSince(world, name, id), TODAY - most * DAY)
      const pair = { id, base: "", quote }
      const truth = exchangeCandles(world, name, pair, { at: NOON, last: TODAY - DAY, length: DAY, most: 10_000 })
      const expected = truth.filter(({ start }) => start >= first)
      assert.deepStrictEqual(
        found.value.map(({ bucket }) => bucket),
        expected.map(({ start }) => start)
      )
      assert.isAbove(expected.length, 700)
      for (const [n, { close, high, low, open, turnover }] of expected.entries()) {
        const one = found.value[n]
        assert.isDefined(one)
        const pairs = [
          [one?.open, open],
          [one?.high, high],
          [one?.low, low],
          [one?.close, close],
          [one?.volume, turnover]
        ] as const
        for (const [said, real] of pairs) assert.approximately(said ?? 0, real, real * 1e-8)
      }
      const span = { first: NOON - 30 * HOUR, last: NOON }
      const hours = yield* whileTimePasses(asked({ ...days(market, 0), interval: "hour", ...span }))
      assert.deepStrictEqual(
        hours.value.map(({ bucket }) => bucket),
        Array.from({ length: 30 }, (_, n) => NOON - (30 - n) * HOUR),
        "the running hour is no candle"
      )
    })
  }
})

describe("candles", () => {
  const over = ({ name, source }: Case) =>
    scriptedSource({
      source,
      setting: `${name.toUpperCase()}${name === "kucoin" ? "_SPOT" : ""}_BASE_URL`,
      at: NOON
    })
  const asking = (
    one: Case,
    answer: (request: ScriptedRequest, count: number) => ScriptedAnswer,
    first = TODAY - 5 * DAY
  ) =>
    Effect.gen(function* () {
      let count = 0
      const { candles, urls } = yield* over(one)((request) => answer(request, count++))
      return { urls, asked: whileTimePasses(candles(days(one.market, first))) }
    })

  for (const one of cases) {
    const start = (days: number) => TODAY - days * DAY
    rule(
      `of ${one.name} are put in order; those of another day's start, of the running day and double ones are left out`,
      function* () {
        const starts = [start(2), start(4), start(1), start(0), start(3) + HOUR, start(4), start(5), start(6)]
        const { asked, urls } = yield* asking(one, () => json(one.body(starts)))
        const { value } = yield* asked
        // No more rows than days are asked for, in one call.
        const range = one.name === "kucoin" ? `startAt=${start(5) / 1000}` : "limit=6"
        assert.lengthOf(urls(), 1)
        assert.include(urls()[0], range)
        const expected = [5, 4, 2, 1].map((days) => {
          return { bucket: start(days), open: 10, high: 12, low: 9, close: 11, volume: 1100 }
        })
        assert.deepStrictEqual(value, expected)
      }
    )

    rule(`of ${one.name}: a copy from a cache has none of the day that ran when it was made`, function* () {
      const body = JSON.stringify(one.body([start(2), start(1)]))
      const { asked } = yield* asking(one, () => ({ status: 200, headers: { age: String((13 * HOUR) / 1000) }, body }))
      assert.deepStrictEqual(
        (yield* asked).value.map(({ bucket }) => bucket),
        [start(2)]
      )
    })

    rule(`of ${one.name}: a refusal fails, unknown rows fail, two empty pages end`, function* () {
      for (const [body, tag] of [
        [one.refusal, "Rejected"],
        [one.bad, "Undecodable"],
        ["<html>", "Undecodable"]
      ] as const) {
        const { asked } = yield* asking(one, () => json(body))
        assert.strictEqual((yield* reasonOf(asked))._tag, tag)
      }
      const { asked, urls } = yield* asking(one, () => json(one.body([])))
      assert.deepStrictEqual((yield* asked).value, [])
      assert.strictEqual(urls().length, 2)
    })

    rule(`of ${one.name}: an exchange that ignores the range is not asked for ever`, function* () {
      const { asked, urls } = yield* asking(one, () => json(one.body([start(2), start(1)])), 0)
      assert.strictEqual((yield* asked).value.length, 2)
      // A page that is not full is the last one, but at KuCoin, where it is a span of days.
      assert.strictEqual(urls().length, one.name === "kucoin" ? 2 : 1)
    })
  }

  rule("that cannot be true, or without a trade, are left out", function* () {
    const binance = cases.find(({ name }) => name === "binance")
    assert.isDefined(binance)
    if (binance === undefined) return
    const at = (days: number, ...figures: ReadonlyArray<string>) => [TODAY - days * DAY, ...figures, "1", 5, "1100", 7]
    const rows = [
      at(9, "10", "12", "9", "11"),
      at(8, "10", "12", "9", "900"),
      at(7, "10", "8", "9", "11"),
      at(6, "-10", "12", "9", "11"),
      at(5, "10", "1200", "9", "11"),
      [TODAY - 4 * DAY, "11", "11", "11", "11", "0", 5, "0", 0],
      at(3, "10", "12", "0", "11"),
      at(2, "1000", "1200", "900", "1100"),
      at(1, "10", "12", "9", "11")
    ]
    const { asked } = yield* asking(binance, () => json(rows), TODAY - 9 * DAY)
    const { value } = yield* asked
    assert.deepStrictEqual(
      value.map(({ bucket }) => (TODAY - bucket) / DAY),
      [9, 1]
    )
  })

  rule(
    "that a backfill asks for are all there after an empty page, and wait while calls are withheld, and a caller's not for as long",
    function* () {
      const binance = cases.find(({ name }) => name === "binance")
      assert.isDefined(binance)
      if (binance === undefined) return
      const page = (request: ScriptedRequest, count: number) => {
        const end = Number(new URL(request.url, "http://binance.test").searchParams.get("endTime"))
        const isLost = count === 1
        return json(binance.body(Array.from({ length: isLost ? 0 : 1000 }, (_, n) => end + 1 - (n + 1) * DAY)))
      }
      const backfill = yield* asking(binance, page, TODAY - 3000 * DAY)
      assert.strictEqual((yield* backfill.asked).value.length, 3000, "the page that was empty once was asked for again")
      assert.strictEqual(backfill.urls().length, 5)
      const bitfinex = cases.find(({ name }) => name === "bitfinex")
      assert.isDefined(bitfinex)
      if (bitfinex === undefined) return
      const { candles } = yield* over(bitfinex)(() => json(bitfinex.body([TODAY - DAY])))
      const asked = candles({ ...days(bitfinex.market, TODAY - DAY), urgency: "on_demand" })
      const failure = yield* Effect.flip(whileTimePasses(Effect.replicateEffect(asked, 31)))
      assert.strictEqual(failure.reason._tag, "OverBudget")
    }
  )
})
