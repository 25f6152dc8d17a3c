// What each CoinGecko plan lets us do: host, key header, calls, and the intervals that follow from them.
import { Config, type Duration, Effect, Option, Redacted } from "effect"
import type * as Budget from "../client/Budget.ts"

/** A plan in use. */
export interface CoinGeckoPlan {
  readonly baseUrl: string
  readonly allowances: ReadonlyArray<Budget.Allowance>
  readonly marketsEvery: Duration.Input
  readonly globalEvery: Duration.Input
  /** Own quotes in other fiats; `null` where the budget has no room for them. */
  readonly quotesEvery: Duration.Input | null
  /** Hourly prices of a week; a megabyte each time. */
  readonly historyEvery: Duration.Input
  /** How long after a start the less urgent data waits: a small budget's first minute is for what callers ask. */
  readonly lessUrgentAfter: Duration.Input
  /** The key, in the header the plan wants it in. */
  readonly headers: Readonly<Record<string, string>>
}

const publicHost = "https://api.coingecko.com/api/v3"

// The demo month of 10,000 calls is kept day by day.
const plans = {
  keyless: {
    baseUrl: publicHost,
    keyHeader: null,
    allowances: [{ calls: 3, per: "1 minute", onDemand: 2 }],
    marketsEvery: "1 minute",
    globalEvery: "5 minutes",
    quotesEvery: null,
    historyEvery: "20 minutes",
    lessUrgentAfter: "65 seconds"
  },
  demo: {
    baseUrl: publicHost,
    keyHeader: "x-cg-demo-api-key",
    allowances: [
      { calls: 30, per: "1 minute" },
      { calls: 322, per: "1 day", onDemand: 32 }
    ],
    marketsEvery: "6 minutes",
    globalEvery: "1 hour",
    quotesEvery: null,
    historyEvery: "1 hour",
    lessUrgentAfter: 0
  },
  pro: {
    baseUrl: "https://pro-api.coingecko.com/api/v3",
    keyHeader: "x-cg-pro-api-key",
    allowances: [{ calls: 200, per: "1 minute" }],
    marketsEvery: "1 minute",
    globalEvery: "2 minutes",
    quotesEvery: "1 minute",
    historyEvery: "10 minutes",
    lessUrgentAfter: 0
  }
} as const

/** `COINGECKO_PLAN`: which plan is in use. */
export const plan = Config.Literals(["keyless", "demo", "pro"], "COINGECKO_PLAN").pipe(
  Config.withDefault("keyless" as const)
)

/** `COINGECKO_API_KEY`: the key of a demo or pro plan. */
export const key = Config.Redacted("COINGECKO_API_KEY").pipe(Config.option)

/** The plan in use, from the settings. */
export const make: Effect.Effect<CoinGeckoPlan, Config.ConfigError> = Effect.gen(function* () {
  const { keyHeader, ...rest } = plans[yield* plan]
  const secret = yield* key
  const headers = keyHeader !== null && Option.isSome(secret) ? { [keyHeader]: Redacted.value(secret.value) } : {}
  return { ...rest, headers }
})
