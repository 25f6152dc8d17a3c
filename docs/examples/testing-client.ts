import { CryptoDataClient } from "crypto-data-api/client"
import { BigDecimal, Console, Effect, Layer } from "effect"
import { HttpClient, HttpClientResponse } from "effect/http"

// The program under test: it pays unless the rate has moved.
const program = Effect.gen(function* () {
  const { convert } = yield* CryptoDataClient
  const query = { from: "tether", to: "NGN", basis: "customer", expect: 1200, tolerance: 0.5 } as const
  const { data } = yield* convert({ query })
  yield* Console.log(`pay ${BigDecimal.format(data.result)} NGN`)
}).pipe(Effect.catchTag("RateMoved", ({ rate }) => Console.log(`do not pay: the rate is ${rate}`)))

// What the service answers. No server runs, and no request leaves the process.
const problem = {
  type: "/problems/rate_moved",
  title: "Rate moved",
  status: 409,
  detail: "The rate is 1398.84425, further than 0.5 % from the expected 1200.",
  instance: "f0350243-2",
  code: "rate_moved",
  rate: 1398.84425,
  expected: 1200,
  deviation: 16.5703541667
}
const http = HttpClient.make((request) =>
  Effect.sync(() => {
    const headers = { "content-type": "application/problem+json" }
    return HttpClientResponse.fromWeb(request, Response.json(problem, { status: 409, headers }))
  })
)

const client = CryptoDataClient.layer({ baseUrl: "http://rates.test" }).pipe(
  Layer.provide(Layer.succeed(HttpClient.HttpClient, http))
)

await Effect.runPromise(Effect.provide(program, client))
