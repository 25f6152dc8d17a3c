import { assert, describe } from "@effect/vitest"
import { ConfigProvider, Duration, Effect } from "effect"
import { inspect } from "node:util"
import { CoinGecko } from "../../../src/sources/market/CoinGecko.ts"
import * as CoinGeckoPlan from "../../../src/sources/market/CoinGeckoPlan.ts"
import { json, scriptedSource } from "../ScriptedUpstream.ts"
import { rule } from "../../rulesOf.ts"

const over = scriptedSource({ source: CoinGecko, setting: "COINGECKO_BASE_URL", at: Date.UTC(2026, 8, 13, 17, 6) })

describe("CoinGecko plans", () => {
  const plan = (settings: Readonly<Record<string, string>>) =>
    CoinGeckoPlan.make.pipe(Effect.provide(ConfigProvider.layer(ConfigProvider.fromUnknown(settings))))

  const millis = (duration: Duration.Input) => Duration.toMillis(Duration.fromInputUnsafe(duration))

  rule("each has its host, its key header and intervals that its budget can bear", function* () {
    const free = "https://api.coingecko.com/api/v3"
    const paid = "https://pro-api.coingecko.com/api/v3"
    const key = "CG-s3cr3t"
    const cases = [
      [{}, free, {}],
      [{ COINGECKO_API_KEY: key }, free, {}],
      [{ COINGECKO_PLAN: "demo", COINGECKO_API_KEY: key }, free, { "x-cg-demo-api-key": key }],
      [{ COINGECKO_PLAN: "pro", COINGECKO_API_KEY: key }, paid, { "x-cg-pro-api-key": key }]
    ] as const
    for (const [settings, baseUrl, headers] of cases) {
      const made = yield* plan(settings)
      assert.deepStrictEqual<unknown>([made.baseUrl, made.headers], [baseUrl, headers])
      const every = [made.marketsEvery, made.globalEvery, "1 day" as const]
      for (const { calls, per } of made.allowances) {
        const refreshes = every.map((interval) => millis(per) / millis(interval))
        assert.isAtMost(
          refreshes.reduce((sum, count) => sum + count, 0),
          calls,
          inspect(settings)
        )
      }
    }
  })

  rule("a demo month stays within 10,000 calls, look-ups beside every refresh", function* () {
    const { allowances } = yield* plan({ COINGECKO_PLAN: "demo" })
    const { calls = Infinity, onDemand = 0 } = allowances.find(({ per }) => per === "1 day") ?? {}
    assert.isAtMost(calls * 31, 10_000)
    assert.isAtMost(24 * 10 + 24 * 2 + 1 + onDemand, calls)
  })

  rule("an unknown plan stops the source from being made", function* () {
    const error = yield* Effect.flip(plan({ COINGECKO_PLAN: "gold" }))
    assert.strictEqual(error._tag, "ConfigError")
  })

  rule("its intervals and its key in the header reach the host", function* () {
    const headers = { keyless: "none", demo: "x-cg-demo-api-key", pro: "x-cg-pro-api-key" }
    const intervals = { keyless: [1, 5, 20], demo: [6, 60, 60], pro: [1, 2, 10] }
    const plans = ["keyless", "demo", "pro"] as const
    for (const COINGECKO_PLAN of plans) {
      const settings = { COINGECKO_PLAN, COINGECKO_API_KEY: "CG-s3cr3t" }
      const { coins, global, hourlyPrices, requests } = yield* over(() => json([]), { settings })
      const every = [coins, global, hourlyPrices].map((feed) => Duration.toMinutes(feed.every))
      assert.deepStrictEqual(every, intervals[COINGECKO_PLAN])
      yield* Effect.flip(coins.get)
      const sent = requests()[0]?.headers[headers[COINGECKO_PLAN]]
      assert.strictEqual(sent, COINGECKO_PLAN === "keyless" ? undefined : "CG-s3cr3t")
    }
  })
})
