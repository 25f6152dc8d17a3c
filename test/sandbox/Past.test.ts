import { assert, layer } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { TestClock } from "effect/testing"
import { dayMs, hourMs, minuteMs } from "../../src/sandbox/Calendar.ts"
import { Sandbox } from "../../src/sandbox/SandboxUpstreams.ts"
import * as Shapes from "./shapes.ts"
import { call, friday, rows, SandboxTest, isFriday, read } from "./support.ts"
import { rulesOf } from "../rulesOf.ts"

const Series = Schema.Array(Schema.Tuple([Schema.Finite, Schema.Finite]))
const Chart = Schema.Struct({ prices: Series })

const chart = (path: string) => Effect.map(read(Chart, "COINGECKO", path), ({ prices }) => prices)

const Candles = Schema.Struct({
  data: Schema.Array(
    Schema.Tuple([Schema.Finite, Schema.String, Schema.String, Schema.String, Schema.String, Schema.String])
  )
})

/** How far a stamp is from the nearest boundary, in ms. */
const off = (stamp: number, step: number) => Math.abs(stamp - Math.round(stamp / step) * step)

layer(SandboxTest)("the past on the wire of", (it) => {
  const rule = rulesOf(it, isFriday)

  rule("CoinGecko has a point for each midnight of a year, some seconds off, and one of now", function* () {
    const { world } = yield* Sandbox
    const prices = yield* chart("/coins/bitcoin/market_chart?vs_currency=usd&days=365&interval=daily")
    assert.strictEqual(prices.length, 366)
    assert.deepStrictEqual(prices.at(-1), [friday, world.market.price("bitcoin", friday) ?? 0])
    const midnights = prices.slice(0, -1).map(([stamp]) => stamp)
    for (const stamp of midnights) assert.isAtMost(off(stamp, dayMs), 20_000)
    assert.isAbove(midnights.filter((stamp) => stamp % dayMs > dayMs / 2).length, 100)
    for (const [stamp, price] of prices) assert.strictEqual(price, world.market.price("bitcoin", stamp))
  })

  it.effect("CoinGecko has midnight's point from 00:35 UTC", () =>
    Effect.gen(function* () {
      const midnight = friday + 12 * hourMs
      const last = Effect.map(
        chart("/coins/bitcoin/market_chart?vs_currency=usd&days=3&interval=daily"),
        (prices) => prices.at(-2)?.[0] ?? 0
      )
      yield* TestClock.setTime(midnight + 34 * minuteMs)
      assert.isAtMost(Math.abs((yield* last) - (midnight - dayMs)), 20_000)
      yield* TestClock.setTime(midnight + 35 * minuteMs)
      assert.isAtMost(Math.abs((yield* last) - midnight), 20_000)
    })
  )

  rule("CoinGecko has hours of 20 days, and nothing older than 365 days", function* () {
    const prices = yield* chart("/coins/ethereum/market_chart?vs_currency=usd&days=20")
    assert.strictEqual(prices.length, 481)
    const refused = yield* call("COINGECKO", "/coins/bitcoin/market_chart?vs_currency=usd&days=366")
    assert.strictEqual(refused.status, 401)
    assert.include(refused.text, '"error_code":10012')
    assert.strictEqual((yield* call("COINGECKO", "/coins/nonsuch/market_chart?vs_currency=usd&days=1")).status, 404)
    assert.strictEqual((yield* chart("/coins/zama/market_chart?vs_currency=usd&days=365&interval=daily")).length, 4)
  })

  rule("Frankfurter has a row for each published day and quote of a range", function* () {
    const range = "from=2026-11-13&to=2026-11-20"
    const rates = (query: string) => rows(Shapes.FrankfurterRow, "FRANKFURTER", `/v2/rates?base=USD&${query}`)
    const all = yield* rates(`quotes=EUR,AED,NGN&${range}`)
    const daysOf = (code: string) => all.filter(({ quote }) => quote === code).map(({ date }) => date.slice(8))
    // Friday's are published at 15:00, after noon.
    assert.deepStrictEqual(daysOf("EUR"), ["13", "16", "17", "18", "19"])
    assert.deepStrictEqual(daysOf("NGN"), ["13", "16", "17", "18", "19"])
    assert.deepStrictEqual(daysOf("AED"), ["13", "14", "15", "16", "17", "18", "19", "20"])
    const [live] = yield* rates("quotes=NGN")
    assert.deepStrictEqual(
      all.findLast(({ quote }) => quote === "NGN"),
      live
    )
    assert.strictEqual((yield* rates(`providers=CBN&quotes=NGN&${range}`)).length, 5)
    assert.strictEqual((yield* call("FRANKFURTER", "/v2/rates?base=USD&from=2019-01-01")).status, 422)
  })

  rule("the CBN has two years of business days", function* () {
    const all = yield* rows(Shapes.CbnRate, "CBN", "/api/GetAllExchangeRates")
    const dollars = all.filter(({ currency }) => currency === "US DOLLAR")
    assert.strictEqual(dollars.length, 522)
  })

  rule("Quidax has candles, newest first, some without a trade and some with an absurd high", function* () {
    const { data } = yield* read(Candles, "QUIDAX", "/markets/usdtngn/k?period=1440&limit=730")
    assert.strictEqual(data.length, 730)
    assert.strictEqual(data[0]?.[0], friday - 12 * hourMs)
    data.forEach(([start, open, , , close, volume], n) => {
      assert.strictEqual(start, friday - 12 * hourMs - n * dayMs)
      const before = data[n + 1]?.[4]
      if (volume === "0.0" && before !== undefined) assert.deepStrictEqual([open, close], [before, before])
    })
    assert.isAbove(data.filter(([, , , , , volume]) => volume === "0.0").length, 20)
    assert.isAbove(data.filter(([, , high]) => high === "729000.0").length, 10)
    assert.strictEqual((yield* call("QUIDAX", "/markets/usdtngn/k?period=7&limit=5")).status, 400)
  })
})
