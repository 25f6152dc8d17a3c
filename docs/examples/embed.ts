import { Conversions, Naira } from "crypto-data-api"
import { Console, DateTime, Effect, Layer } from "effect"

const program = Effect.gen(function* () {
  const { rate } = yield* Naira
  const { price } = yield* Conversions
  const naira = yield* rate
  const bitcoin = yield* price("bitcoin", "NGN")
  yield* Console.log(
    `1 USDT sells for ${naira.value.sell} NGN, says ${naira.source} at ${DateTime.formatIso(naira.observedAt)}`
  )
  yield* Console.log(`1 BTC is ${bitcoin.price} NGN, says ${bitcoin.source}`)
})

await Effect.runPromise(Effect.provide(program, Layer.mergeAll(Naira.layer, Conversions.layer)))
