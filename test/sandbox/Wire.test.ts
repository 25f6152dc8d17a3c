// What simulated upstreams answer as time goes on. What they answer at one moment is in replies.txt.
import { assert, layer } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { TestClock } from "effect/testing"
import { isWithinFactor } from "../../src/domain/Plausibility.ts"
import { releaseRates } from "../../src/domain/releaseRates.ts"
import { firstRate } from "../../src/domain/Thresholds.ts"
import { dayMs, hourMs, minuteMs } from "../../src/sandbox/Calendar.ts"
import { currencies } from "../../src/sandbox/Fiats.ts"
import { Sandbox } from "../../src/sandbox/SandboxUpstreams.ts"
import { call, friday, isFriday, read, SandboxTest } from "./support.ts"
import { rulesOf } from "../rulesOf.ts"

const { Finite, String: Text } = Schema
const Rates = Schema.Array(Schema.Struct({ date: Text }))
const File = Schema.Struct({ date: Text, usd: Schema.Record(Text, Finite) })
const Chart = Schema.Struct({ prices: Schema.Array(Schema.Tuple([Finite, Finite])) })

layer(SandboxTest)("the wire of", (it) => {
  const rule = rulesOf(it, isFriday)

  rule("fiats has rates that the release's table expects, so that a first answer is served", function* () {
    const { fiat } = yield* (yield* Sandbox).truth
    const unexpected = currencies.filter((code) => {
      const [rate, expected] = [fiat(code), releaseRates[code]]
      return rate === undefined || expected === undefined || !isWithinFactor(rate, expected, firstRate.factor)
    })
    assert.deepStrictEqual(unexpected, [])
  })

  rule("Frankfurter shows Friday's rates at the weekend", function* () {
    yield* TestClock.setTime(friday + 48 * hourMs)
    const decoded = yield* read(Rates, "FRANKFURTER", "/v2/rates?base=USD&quotes=EUR,NGN")
    assert.deepStrictEqual(
      decoded.map(({ date }) => date),
      ["2026-11-20", "2026-11-20"]
    )
  })

  rule("currency-api has a day's file from 04:00 UTC", function* () {
    const path = (version: string) => `/currency-api@${version}/v1/currencies/usd.min.json`
    yield* TestClock.setTime(friday - 9 * hourMs)
    assert.strictEqual((yield* call("CURRENCY_API", path("2026-11-20"))).status, 404)
    assert.strictEqual((yield* read(File, "CURRENCY_API", path("latest"))).date, "2026-11-19")
    yield* TestClock.setTime(friday - 8 * hourMs)
    const { date, usd } = yield* read(File, "CURRENCY_API", path("2026-11-20"))
    assert.deepStrictEqual([date, usd["aed"]], ["2026-11-20", 3.6725])
  })

  rule("CoinGecko has midnight's point from 00:35 UTC", function* () {
    const midnight = friday + 12 * hourMs
    const last = Effect.map(
      read(Chart, "COINGECKO", "/coins/bitcoin/market_chart?vs_currency=usd&days=3&interval=daily"),
      ({ prices }) => prices.at(-2)?.[0] ?? 0
    )
    yield* TestClock.setTime(midnight + 34 * minuteMs)
    assert.isAtMost(Math.abs((yield* last) - (midnight - dayMs)), 20_000)
    yield* TestClock.setTime(midnight + 35 * minuteMs)
    assert.isAtMost(Math.abs((yield* last) - midnight), 20_000)
  })
})
