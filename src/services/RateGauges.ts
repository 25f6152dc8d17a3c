// Gauges of the P2P rates themselves, so that an operator's alarms see what callers get. An unknown figure is NaN,
// which exceeds no threshold. The time of the last known rate stays, so that alarms can use its age.
import { DateTime, Effect, Metric, Option } from "effect"
import { derived } from "../domain/Decimal.ts"
import type { Market } from "./MarketRate.ts"
import { P2pMarkets } from "./P2pMarkets.ts"
import { PATIENCE } from "./Readiness.ts"

const gauge = (name: string, description: string) => (attributes: Readonly<Record<string, string>>) =>
  Metric.gauge(name, { description, attributes })

const rate = gauge(
  "cda_rate",
  "Units of the fiat for 1 USDT, by kind: buy, sell, mid, official; NaN while it is not known"
)
const premium = gauge(
  "cda_premium_percent",
  "How far the mid is above the official rate, in percent; NaN while it is not known"
)
const observed = gauge(
  "cda_rate_observed_timestamp_seconds",
  "When the last known rate was observed, in seconds since 1970"
)

const orNaN = (figure: number | null | undefined): number =>
  figure === null || figure === undefined ? NaN : derived(figure)

export const make = Effect.gen(function* () {
  const { followed } = yield* P2pMarkets
  const measureMarket = Effect.fnUntraced(function* (fiat: string, market: Market) {
    const pair = `USDT/${fiat}`
    const known = yield* market.rate.pipe(Effect.option, Effect.timeoutOption(PATIENCE), Effect.map(Option.flatten))
    const value = Option.getOrUndefined(known)?.value
    const official = value?.official._tag === "Published" ? value.official.snapshot.value.rate : null
    const figures = { buy: value?.buy, sell: value?.sell, mid: value?.mid, official }
    for (const [kind, each] of Object.entries(figures)) {
      yield* Metric.update(rate({ pair, kind }), orNaN(each))
    }
    yield* Metric.update(premium({ pair }), orNaN(value?.premium))
    if (Option.isSome(known) && value?.mid !== null) {
      yield* Metric.update(observed({ pair }), DateTime.toEpochMillis(known.value.observedAt) / 1000)
    }
  })
  return Effect.forEach(followed, ([fiat, market]) => measureMarket(fiat, market), {
    concurrency: "unbounded",
    discard: true
  })
})
