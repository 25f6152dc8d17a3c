// CoinGecko's plans: host, key header, budget of calls, and the polling intervals that fit into it.
import { Config, Effect, Option, Redacted } from "effect"
import { catalog } from "../catalog/SourceCatalog.ts"
import type { Allowance } from "../catalog/SourceRecord.ts"

// `historyEvery`: the interval of hourly prices of a week, about 1 MB. `lessUrgentAfter` delays less urgent data after a start, so that a
// small budget serves callers first. The demo plan's 10,000 calls a month are budgeted by the day.
const plans = {
  keyless: {
    baseUrl: catalog.COINGECKO.baseUrl,
    keyHeader: null,
    allowances: catalog.COINGECKO.allowances,
    marketsEvery: "1 minute",
    globalEvery: "5 minutes",
    historyEvery: "20 minutes",
    lessUrgentAfter: "65 seconds"
  },
  demo: {
    baseUrl: catalog.COINGECKO.baseUrl,
    keyHeader: "x-cg-demo-api-key",
    allowances: [
      { calls: 30, per: "1 minute", onDemand: 20 },
      { calls: 322, per: "1 day", onDemand: 32 }
    ],
    marketsEvery: "6 minutes",
    globalEvery: "1 hour",
    historyEvery: "1 hour",
    lessUrgentAfter: 0
  },
  pro: {
    baseUrl: "https://pro-api.coingecko.com/api/v3",
    keyHeader: "x-cg-pro-api-key",
    allowances: [{ calls: 200, per: "1 minute", onDemand: 190 }],
    marketsEvery: "1 minute",
    globalEvery: "2 minutes",
    historyEvery: "10 minutes",
    lessUrgentAfter: 0
  }
} as const

/** `COINGECKO_PLAN`: the plan in use. */
export const plan = Config.Literals(["keyless", "demo", "pro"], "COINGECKO_PLAN").pipe(
  Config.withDefault("keyless" as const)
)

/** `COINGECKO_API_KEY`: the key of a demo or pro plan. */
export const key = Config.Redacted("COINGECKO_API_KEY").pipe(Config.option)

/** The plan in use, from the settings, with the key in the plan's header. */
export const make = Effect.gen(function* () {
  const { keyHeader, ...rest } = plans[yield* plan]
  const allowances: ReadonlyArray<Allowance> = rest.allowances
  const secret = yield* key
  const headers: Readonly<Record<string, string>> =
    keyHeader !== null && Option.isSome(secret) ? { [keyHeader]: Redacted.value(secret.value) } : {}
  return { ...rest, allowances, headers }
})
