import { Naira, Unavailable } from "crypto-data-api"
import { Console, DateTime, Effect } from "effect"

// The program under test: what a desk pays for 1 USDT, 1 % below the mid.
const offer = Effect.gen(function* () {
  const { mid } = yield* Naira
  const { value } = yield* mid
  return `we pay ${value * 0.99} NGN`
}).pipe(Effect.catchTag("Unavailable", ({ retryAfter }) => Effect.succeed(`closed for ${retryAfter} s`)))

const now = DateTime.makeUnsafe("2026-11-20T12:00:00Z")
const open = Naira.layerTest({
  mid: Effect.succeed({ value: 1500, source: "A desk of mine", observedAt: now, retrievedAt: now })
})
const closed = Naira.layerTest({ mid: Effect.fail(new Unavailable({ question: "the naira rate", retryAfter: 30 })) })

const program = Effect.gen(function* () {
  yield* Console.log(yield* Effect.provide(offer, open))
  yield* Console.log(yield* Effect.provide(offer, closed))
})

await Effect.runPromise(program)
