// Gauges that depend on the time of reading: the age of data sets, the rates, whether the service is ready. Each scrape
// sets them.
import { Context, Effect, Metric } from "effect"
import { loop } from "../domain/loop.ts"
import * as CoinGauges from "./CoinGauges.ts"
import * as RateGauges from "./RateGauges.ts"
import * as Readiness from "./Readiness.ts"
import * as SourceGauges from "./SourceGauges.ts"

const ready = Metric.gauge("cda_ready", {
  description: "1 while every data set that users rely on is fresh enough to serve, as /readyz says; else 0"
})

/** Whether the gauges are set every 5 s without a scrape, because metrics are exported. */
export const MeasuresUnasked = Context.Reference<boolean>("crypto-data-api/services/Gauges/MeasuresUnasked", {
  defaultValue: () => false
})

export const make = Effect.gen(function* () {
  const readiness = yield* Readiness.make
  const setReady = Effect.flatMap(readiness, ({ status }) => Metric.update(ready, status === "fail" ? 0 : 1))
  const measure = Effect.all([yield* SourceGauges.make, yield* RateGauges.make, yield* CoinGauges.make, setReady], {
    discard: true
  })
  if (yield* MeasuresUnasked) yield* Effect.forkScoped(loop("metrics", "5 seconds", measure))
  return measure
})
