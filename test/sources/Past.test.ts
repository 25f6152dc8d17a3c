import { NodeHttpServer } from "@effect/platform-node"
import { assert } from "@effect/vitest"
import { type Config, Effect, Layer, Logger } from "effect"
import { TestClock } from "effect/testing"
import { createServer } from "node:http"
import { Sandbox } from "../../src/sandbox/SandboxUpstreams.ts"
import { upstreamNames } from "../../src/sandbox/Wires.ts"
import { SourceError } from "../../src/sources/client/SourceError.ts"
import type { Requirements } from "../../src/sources/client/SourceService.ts"
import { Frankfurter } from "../../src/sources/fx/Frankfurter.ts"
import { CurrencyApi } from "../../src/sources/fx/CurrencyApi.ts"
import { CoinGecko } from "../../src/sources/market/CoinGecko.ts"
import { CoinPaprika } from "../../src/sources/market/CoinPaprika.ts"
import { p2pMarkets } from "../../src/domain/P2pMarket.ts"
import { Cbn } from "../../src/sources/fx/Cbn.ts"
import { Quidax } from "../../src/sources/p2p/Quidax.ts"
import { json, overHttp, scriptedUpstream } from "./ScriptedUpstream.ts"
import { rulesIn } from "../rulesOf.ts"

const DAY = 86_400_000
const HOUR = 3_600_000
const NOON = Date.UTC(2026, 10, 20, 12)
const TODAY = NOON - 12 * 3_600_000

const server = NodeHttpServer.layer(() => createServer(), {
  port: 0,
  host: "127.0.0.1",
  gracefulShutdownTimeout: "1 second"
})

/** Runs over sources that speak to a simulated world, at noon of a Friday. */
const overSandbox = <A, E, E2, I>(source: Layer.Layer<I, E2, Requirements>, effect: Effect.Effect<A, E, I>) =>
  Effect.gen(function* () {
    yield* TestClock.setTime(NOON)
    const { baseUrls } = yield* Sandbox
    const settings = Object.fromEntries(upstreamNames.map((name) => [`${name}_BASE_URL`, baseUrls[name]]))
    return yield* Effect.provide(effect, overHttp(source, settings))
  })

rulesIn(Layer.fresh(Sandbox.layer.pipe(Layer.provide(server))))("the past according to", (rule) => {
  rule("CoinGecko: the closes of 365 days, each stamped near its midnight, without the point of now", function* () {
    const { world } = yield* Sandbox
    const { source, value } = yield* overSandbox(
      CoinGecko.layerNoDeps,
      Effect.flatMap(CoinGecko, (gecko) => gecko.closes("bitcoin", "day", "backfill"))
    )
    assert.strictEqual(source, "CoinGecko")
    assert.deepStrictEqual(
      value.map(({ bucket }) => bucket),
      Array.from({ length: 365 }, (_, n) => TODAY - (365 - n) * DAY)
    )
    for (const { bucket, close, high, low, observedAt, open } of value) {
      assert.isAtMost(Math.abs(observedAt - bucket - DAY), 20_000)
      assert.strictEqual(close, world.market.price("bitcoin", observedAt))
      assert.deepStrictEqual([open, high, low], [null, null, null])
    }
  })

  rule("CoinGecko and Quidax: hours up to the last that has ended", function* () {
    const { world } = yield* Sandbox
    const { value } = yield* overSandbox(
      CoinGecko.layerNoDeps,
      Effect.flatMap(CoinGecko, (gecko) => gecko.closes("bitcoin", "hour", "backfill"))
    )
    const all = Array.from({ length: 480 }, (_, n) => NOON - (480 - n) * HOUR)
    assert.deepStrictEqual(
      value.slice(-479).map(({ bucket }) => bucket),
      all.slice(1)
    )
    for (const { bucket, close, observedAt } of value) {
      assert.isAtMost(Math.abs(observedAt - bucket - HOUR), 20_000)
      assert.strictEqual(close, world.market.price("bitcoin", observedAt))
    }
    const candles = yield* overSandbox(
      Quidax.layerNoDeps,
      Effect.flatMap(Quidax, (quidax) => quidax.candles(p2pMarkets.NGN, "hour", "backfill"))
    )
    assert.isAbove(candles.value.length, 850)
    assert.isTrue(candles.value.every(({ bucket, observedAt }) => observedAt === bucket + HOUR - 1))
    assert.isAtLeast(candles.value.at(-1)?.bucket ?? 0, NOON - 3 * HOUR)
  })

  rule("Frankfurter: what was published for each day, no weekends filled in, and the CBN's own rates", function* () {
    const { all, official } = yield* overSandbox(
      Frankfurter.layerNoDeps,
      Effect.flatMap(Frankfurter, ({ days, officialDays }) =>
        Effect.all({
          all: days("2026-10-01", "2026-10-31", "backfill"),
          official: officialDays("2026-10-01", "2026-10-31", "backfill")
        })
      )
    )
    const euros = all.value.filter(({ code }) => code === "EUR")
    assert.strictEqual(euros.length, 22)
    assert.isFalse(euros.some(({ date }) => ["2026-10-03", "2026-10-04"].includes(date)))
    assert.strictEqual(official.source, "CBN via Frankfurter")
    // 1 October is a holiday in Nigeria.
    assert.strictEqual(official.value.length, 21)
    assert.strictEqual(official.value[0]?.date, "2026-10-02")
  })

  rule("CoinPaprika: closes of a year, for coins whose id is known; a morning's price closes no day", function* () {
    const { world } = yield* Sandbox
    const [first, last] = [TODAY - 365 * DAY, TODAY - DAY]
    const ask = (id: string, from = first) =>
      overSandbox(
        CoinPaprika.layerNoDeps,
        Effect.flatMap(CoinPaprika, ({ closes }) => closes(id, from, last, "backfill"))
      )
    const { source, value } = yield* ask("bitcoin")
    assert.strictEqual(source, "CoinPaprika")
    assert.deepStrictEqual(
      value.map(({ bucket }) => bucket),
      Array.from({ length: 365 }, (_, n) => first + n * DAY)
    )
    for (const { bucket, close } of value) assert.strictEqual(close, world.market.price("bitcoin", bucket + DAY))
    assert.include((yield* Effect.flip(ask("nonsuch"))).message, "not known")
    assert.include((yield* Effect.flip(ask("bitcoin", first - 30 * DAY))).message, "402")

    const upstream = yield* scriptedUpstream(() =>
      json([
        { timestamp: "2026-11-19T00:00:00Z", price: 90_000.5, volume_24h: 1, market_cap: 1 },
        { timestamp: "2026-11-20T09:00:00Z", price: 91_000, volume_24h: null, market_cap: null },
        { timestamp: "2026-11-20T00:00:00Z" }
      ])
    )
    const odd = yield* Effect.flatMap(CoinPaprika, ({ closes }) => closes("bitcoin", first, last, "backfill")).pipe(
      Effect.provide(overHttp(CoinPaprika.layerNoDeps, { COINPAPRIKA_BASE_URL: upstream.url })),
      Effect.provide(Logger.layer([]))
    )
    assert.deepStrictEqual(
      odd.value.map(({ bucket, close }) => [bucket, close]),
      [[TODAY - 2 * DAY, 90_000.5]]
    )
  })

  rule("currency-api: the rates of a day by its own version, none where it has no such version", function* () {
    const ask = (day: string) =>
      overSandbox(
        CurrencyApi.layerNoDeps,
        Effect.flatMap(CurrencyApi, (api) => api.day(day, "backfill"))
      )
    const { source, value } = yield* ask("2026-10-05")
    assert.strictEqual(source, "currency-api")
    const codes = value.map(({ code }) => code)
    assert.includeMembers(codes, ["EUR", "GBP", "NGN", "JPY"])
    assert.notInclude(codes, "BTC")
    assert.notInclude(codes, "USD")
    assert.isTrue(value.every(({ date }) => date === "2026-10-05"))
    assert.deepStrictEqual((yield* ask("2023-10-05")).value, [])
  })

  rule("the CBN: every day of its list, oldest first, one rate a day", function* () {
    const { source, value } = yield* overSandbox(
      Cbn.layerNoDeps,
      Effect.flatMap(Cbn, (cbn) => cbn.days("backfill"))
    )
    assert.strictEqual(source, "CBN")
    assert.strictEqual(value.length, 522)
    assert.deepStrictEqual(
      value.map(({ date }) => date),
      value.map(({ date }) => date).toSorted()
    )
  })

  rule("Quidax: days with trades that have ended, without absurd highs", function* () {
    const { value } = yield* overSandbox(
      Quidax.layerNoDeps,
      Effect.flatMap(Quidax, (quidax) => quidax.candles(p2pMarkets.NGN, "day", "backfill"))
    )
    assert.isAbove(value.length, 850)
    assert.isBelow(value.length, 999)
    assert.strictEqual(value.at(-1)?.bucket, TODAY - DAY)
    assert.isAbove(value.filter(({ high }) => high === null).length, 20)
    for (const { close, high } of value) assert.isAtMost(high ?? close, close * 1.2)
  })

  rule("an older host of Quidax, in seconds; a volume of 0 is no trade", function* () {
    yield* TestClock.setTime(NOON)
    const rows = [
      [(TODAY - DAY) / 1000, "1390", "729000.0", "1000.0", "1400", "3.5"],
      [TODAY - 2 * DAY, 1380, 1400, 1370, 1390, 2],
      [TODAY - 3 * DAY, "1370.7", "1370.7", "1370.7", "1370.7", "0.0"],
      "no row"
    ]
    const upstream = yield* scriptedUpstream(() => json({ status: "success", data: rows }))
    const { value } = yield* Effect.flatMap(Quidax, (quidax) => quidax.candles(p2pMarkets.NGN, "day", "backfill")).pipe(
      Effect.provide(overHttp(Quidax.layerNoDeps, { QUIDAX_BASE_URL: upstream.url }))
    )
    assert.deepStrictEqual(
      value.map(({ bucket, close, high, low, open }) => [(bucket - TODAY) / DAY, open, high, low, close]),
      [
        [-2, 1380, 1400, 1370, 1390],
        [-1, 1390, null, null, 1400]
      ]
    )
    assert.strictEqual(value[1]?.observedAt, TODAY - 1)
  })

  rule("whom it tells in another format is a failure, not a past of which nothing is known", function* () {
    yield* TestClock.setTime(NOON)
    const rows = [{ time: TODAY, usd: "1.2.3" }]
    const failing = Effect.fnUntraced(function* <I, A>(
      source: {
        readonly terms: { readonly id: string }
        readonly layerNoDeps: Layer.Layer<I, Config.ConfigError, Requirements>
      },
      asked: Effect.Effect<A, SourceError, I>,
      body: unknown
    ) {
      const { url } = yield* scriptedUpstream(() => json(body))
      const over = overHttp(source.layerNoDeps, { [`${source.terms.id}_BASE_URL`]: url })
      const failure = yield* Effect.flip(Effect.provide(asked, over))
      assert.strictEqual(failure instanceof SourceError && failure.reason._tag, "Undecodable", source.terms.id)
    })
    const at = [TODAY - DAY, TODAY - DAY, "backfill"] as const
    yield* failing(
      CoinGecko,
      CoinGecko.use(({ closes }) => closes("bitcoin", "day", "backfill")),
      { prices: rows }
    )
    yield* failing(
      CoinPaprika,
      CoinPaprika.use(({ closes }) => closes("bitcoin", ...at)),
      rows
    )
    const candles = Quidax.use((quidax) => quidax.candles(p2pMarkets.NGN, "day", "backfill"))
    yield* failing(Quidax, candles, { status: "success", data: rows })
  })
})
