import { SpotPrices } from "crypto-data-api"
import { Console, Effect } from "effect"

const bitcoin = Effect.flatMap(SpotPrices, ({ price }) => price("bitcoin"))
const program = Effect.flatMap(bitcoin, ({ source, value }) => Console.log(value.price, source))
await Effect.runPromise(program.pipe(Effect.provide(SpotPrices.layer)))
