import { SpotPrices } from "crypto-data-api"
import { Console, Effect } from "effect"

const program = Effect.flatMap(SpotPrices, ({ current, listen }) => {
  const bitcoin = Effect.map(current, (prices) => prices.get("bitcoin"))
  return listen(Effect.flatMap(bitcoin, (found) => Console.log(found?.value.price, found?.source)))
})
await Effect.runPromise(program.pipe(Effect.andThen(Effect.never), Effect.provide(SpotPrices.layer)))
