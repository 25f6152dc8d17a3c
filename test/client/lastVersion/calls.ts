// Programs of the version before, as its documents had them; `npm run check` compiles them: additions must not break their types.
// Calls as embedders wrote them before endpoints had optional parameters, and after.
import { CryptoDataClient } from "crypto-data-api/client"
import { Effect } from "effect"

export const program = Effect.gen(function* () {
  const client = yield* CryptoDataClient
  const price = yield* client.market.price({ params: { id: "bitcoin", fiat: "NGN" } })
  const same = yield* client.market.price({ params: { id: "bitcoin", fiat: "NGN" }, query: {} })
  const guarded = yield* client.market.price({ params: { id: "bitcoin", fiat: "NGN" }, query: { max_age: 60 } })
  const figures: ReadonlyArray<number> = [price.data.price, same.data.price, guarded.data.price]
  const fx = yield* client.fx()
  const coins = yield* client.market.coins()
  const page = yield* client.market.coins({ query: { page: 2 } })
  const naira = yield* client.naira()
  const global = yield* client.market.global()
  const [answer, response] = yield* client.naira({ responseMode: "decoded-and-response" })
  return { figures, fx: fx.data.rates, coins: [coins.data, page.data], naira, global, answer, status: response.status }
}).pipe(
  Effect.catchTag("UnknownCoin", ({ suggestions }) => Effect.succeed(suggestions)),
  Effect.catchTag("TooOld", ({ updated }) => Effect.succeed(updated))
)

// @ts-expect-error -- the parameters of a path are needed
export const without = Effect.flatMap(CryptoDataClient, ({ market }) => market.price())

// @ts-expect-error -- as are those of a query that cannot be left out
export const amountless = Effect.flatMap(CryptoDataClient, ({ convert }) => convert())
