import { CryptoDataClient } from "crypto-data-api/client"
import { Config, Console, Effect, Layer } from "effect"
import { FetchHttpClient } from "effect/http"

const program = Effect.gen(function* () {
  const { convert, market } = yield* CryptoDataClient
  const { data, meta } = yield* market.price({ params: { id: "bitcoin", fiat: "USD" } })
  yield* Console.log(`${data.symbol}: ${data.price} ${data.fiat}, says ${meta.source}`)
  const { data: same } = yield* convert({ query: { from: "EUR", to: "EUR" } })
  yield* Console.log(`${same.from} to ${same.to}: ${same.rate}`)
  yield* market
    .coin({ params: { id: "bitcoinn" } })
    .pipe(Effect.catchTag("UnknownCoin", ({ suggestions }) => Console.log(`Perhaps ${suggestions[0]?.id}?`)))
})

const layer = Layer.unwrap(
  Effect.map(Config.String("CRYPTO_DATA_URL").pipe(Config.withDefault("http://localhost:3000")), (baseUrl) =>
    CryptoDataClient.layer({ baseUrl })
  )
)

await Effect.runPromise(program.pipe(Effect.provide(layer), Effect.provide(FetchHttpClient.layer)))
