import { History, RateKind, RatesOfRecord } from "crypto-data-api"
import { BigDecimal, Console, DateTime, Effect, Layer, Schedule } from "effect"

const program = Effect.gen(function* () {
  const { value } = yield* RatesOfRecord
  const day = DateTime.formatIsoDateUtc(DateTime.subtract(yield* DateTime.now, { days: 2 }))
  const amount = BigDecimal.fromStringUnsafe("0.25")
  // A first start fetches the past first.
  const { rate, result, source } = yield* Effect.retry(value(amount, "bitcoin", "USD", RateKind.Closing({ day })), {
    schedule: Schedule.spaced("2 seconds"),
    times: 30
  })
  yield* Console.log(
    `${day}: 0.25 BTC at ${BigDecimal.format(rate)} is ${BigDecimal.format(result)} USD, says ${source}`
  )
})

const layer = RatesOfRecord.layer.pipe(Layer.provide(History.layerSqlite("./data/history.sqlite")))
await Effect.runPromise(Effect.provide(program, layer))
