// Gauges of the prices of the coins that the setting METRICS_COINS names. An unknown price is NaN, and its time stays.
import { Config, DateTime, Effect, Metric, Option, Schema } from "effect"
import { coinIdOf, isAskable } from "../domain/CoinId.ts"
import { atMost } from "../sources/client/SourceSettings.ts"
import { Coins } from "./Coins.ts"
import { PATIENCE } from "./Readiness.ts"

export const MOST_MEASURED = 100

const Id = Schema.String.check(Schema.makeFilter((text) => isAskable(coinIdOf(text.trim()))))

/** `METRICS_COINS`: ids of coins. */
export const measuredCoins: Config.Config<ReadonlyArray<string>> = Config.Array(Id, "METRICS_COINS").pipe(
  Config.map((ids) => ids.map((id) => coinIdOf(id.trim()))),
  Config.withDefault([]),
  atMost(MOST_MEASURED)
)

const gauge = (name: string, description: string) => (coin: string) =>
  Metric.gauge(name, { description, attributes: { coin } })

const price = gauge("cda_coin_price_usd", "USD for 1 coin of METRICS_COINS; NaN while it is not known")
const observed = gauge(
  "cda_coin_price_observed_timestamp_seconds",
  "When the last known price of a coin was observed, in seconds since 1970"
)

export const make = Effect.gen(function* () {
  const coins = yield* Coins
  // `SettingsCheck` reports a faulty value before the start.
  const ids = yield* Effect.orDie(measuredCoins)
  const measure = Effect.fnUntraced(function* (id: string) {
    const found = yield* coins.coin(id).pipe(Effect.option, Effect.timeoutOption(PATIENCE), Effect.map(Option.flatten))
    const coin = Option.getOrUndefined(found)
    const known = coin?.value.price ?? null
    yield* Metric.update(price(id), known ?? NaN)
    if (coin !== undefined && known !== null) {
      yield* Metric.update(observed(id), DateTime.toEpochMillis(coin.observedAt) / 1000)
    }
  })
  return Effect.forEach(ids, measure, { concurrency: "unbounded", discard: true })
})
