import { CurrencyApi, DataSet, ExchangeRates, Frankfurter, OfficialRates, Snapshot } from "crypto-data-api"
import { Console, DateTime, Effect, Layer } from "effect"

/** A source that always has this value. */
const fake = Effect.fn(function* <A>(source: string, value: A) {
  const now = yield* DateTime.now
  const snapshot = Snapshot.make({ value, source, observedAt: now, retrievedAt: now })
  return yield* DataSet.make({ key: source, source, every: "1 hour", fetch: Effect.succeed(snapshot) })
})

const sources = Effect.gen(function* () {
  const day = DateTime.formatIsoDateUtc(yield* DateTime.now)
  const fx = yield* fake("My bank", { rates: { USD: 1, EUR: 0.9 }, observed: { USD: day, EUR: day } })
  const official_rate = yield* fake("My central bank", { rate: 1500, date: day })
  return Layer.merge(Frankfurter.layerTest({ fx, official_rate }), CurrencyApi.layerTest({ fx }))
})

// The service under test is real. Its sources and the services below it are not.
const official = Effect.succeed({ _tag: "Missing", reason: "official_rate_missing" } as const)
const rates = ExchangeRates.layerNoDeps.pipe(
  Layer.provide([Layer.unwrap(sources), OfficialRates.layerTest({ current: official })])
)

const program = Effect.gen(function* () {
  const { current } = yield* ExchangeRates
  const { source, value } = yield* current
  yield* Console.log(`1 USD is ${value.rates["EUR"]} EUR, says ${source}`)
})

await Effect.runPromise(Effect.provide(program, rates))
