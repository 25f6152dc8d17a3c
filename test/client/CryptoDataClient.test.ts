// What the client adds to the contract: the key, patience with a 429, problems by their names.
import { assert, describe } from "@effect/vitest"
import { BigDecimal, Effect, Fiber, Redacted } from "effect"
import { FetchHttpClient, HttpClient, HttpClientRequest, HttpClientResponse } from "effect/http"
import { HttpApiClient } from "effect/http-api"
import { TestClock } from "effect/testing"
import { Api } from "../../src/api.ts"
import * as Client from "../../src/client/CryptoDataClient.ts"
import { rule } from "../rulesOf.ts"

const answer = {
  data: { id: "bitcoin", symbol: "BTC", fiat: "USD", price: 0.0000001, change_24h: null },
  meta: { source: "CoinGecko", updated: "2026-11-20T12:00:00.000Z", tier: "free" }
}

const problem = (status: number, code: string, title: string, more: object = {}) =>
  JSON.stringify({ type: `/problems/${code}`, status, title, code, ...more })

const refused = (headers: Record<string, string>) =>
  new Response(problem(429, "rate_limited", "Too many requests"), {
    status: 429,
    headers: { "content-type": "application/problem+json", ...headers }
  })

/** A client of a server that answers these, one after the other and the last for ever; and what it was asked. */
const scripted = Effect.fnUntraced(function* (
  responses: ReadonlyArray<() => Response>,
  options: Partial<Client.ClientOptions> = {}
) {
  const asked: Array<HttpClientRequest.HttpClientRequest> = []
  const http = HttpClient.make((request) =>
    Effect.sync(() => {
      const response = responses[Math.min(asked.length, responses.length - 1)] ?? (() => Response.error())
      asked.push(request)
      return HttpClientResponse.fromWeb(request, response())
    })
  )
  const client = yield* Client.make({ baseUrl: "http://prices.test", ...options }).pipe(
    Effect.provideService(HttpClient.HttpClient, http)
  )
  return { asked, price: client.market.price({ params: { id: "bitcoin", fiat: "USD" }, query: {} }) }
})

describe("the client", () => {
  rule("decodes answers, sends the key, and asks the server it was given", function* () {
    const { asked, price } = yield* scripted([() => Response.json(answer)], { key: Redacted.make("cda_key") })
    const { data, meta } = yield* price
    assert.strictEqual(data.price, 1e-7)
    assert.strictEqual(meta.tier, "free")
    assert.deepStrictEqual(
      asked.map(({ headers, url }) => [url.toLowerCase(), headers["x-api-key"]]),
      [["http://prices.test/v1/price/bitcoin/usd", "cda_key"]]
    )
  })

  rule("waits half a minute for the end of an answer, and no longer", function* () {
    const endless = () => new Response(new ReadableStream(), { status: 200 })
    const { asked, price } = yield* scripted([endless, () => Response.json(answer)])
    const waiting = yield* Effect.forkChild(Effect.flip(price), { startImmediately: true })
    yield* TestClock.adjust("29 seconds")
    assert.isUndefined(waiting.pollUnsafe())
    yield* TestClock.adjust("1 second")
    assert.include(String(yield* Fiber.join(waiting)), "no answer in 30s")
    assert.lengthOf(asked, 1)
    assert.strictEqual((yield* price).data.price, 1e-7)
  })

  rule("sends no key where it has none", function* () {
    const { asked, price } = yield* scripted([() => Response.json(answer)])
    yield* price
    assert.isUndefined(asked[0]?.headers["x-api-key"])
  })

  rule("takes its key to no other server: redirects are failures", function* () {
    const asked: Array<RequestInit | undefined> = []
    const fetch: typeof globalThis.fetch = async (_, init) => {
      asked.push(init)
      return Response.redirect("http://elsewhere.test/v1/price/bitcoin/usd")
    }
    const client = yield* Client.make({ baseUrl: "http://prices.test" }).pipe(
      Effect.provide(FetchHttpClient.layer),
      Effect.provideService(FetchHttpClient.Fetch, fetch)
    )
    const price = client.market
      .price({ params: { id: "bitcoin", fiat: "USD" }, query: {} })
      .pipe(
        Effect.provideService(FetchHttpClient.Fetch, fetch),
        Effect.provideService(FetchHttpClient.RequestInit, { credentials: "include" })
      )
    assert.strictEqual((yield* Effect.flip(price))._tag, "HttpClientError")
    assert.deepStrictEqual(
      asked.map((init) => [init?.redirect, init?.credentials]),
      [["manual", "include"]]
    )
  })

  rule("asks again after a 429 when the server says, and not before", function* () {
    const { asked, price } = yield* scripted([() => refused({ "retry-after": "7" }), () => Response.json(answer)])
    const fiber = yield* Effect.forkChild(price, { startImmediately: true })
    yield* TestClock.adjust("6900 millis")
    assert.lengthOf(asked, 1)
    yield* TestClock.adjust("100 millis")
    assert.strictEqual((yield* Fiber.join(fiber)).data.symbol, "BTC")
    assert.lengthOf(asked, 2)
  })

  rule("asks again three times at most, then fails with RateLimited", function* () {
    const { asked, price } = yield* scripted([() => refused({ "retry-after": "1" })])
    const fiber = yield* Effect.forkChild(Effect.flip(price), { startImmediately: true })
    yield* TestClock.adjust("1 minute")
    assert.strictEqual((yield* Fiber.join(fiber))._tag, "RateLimited")
    assert.lengthOf(asked, 4)
  })

  for (const [why, headers] of [
    ["the wait is longer than it may be", { "retry-after": "61" }],
    ["the server does not say how long", {}],
    ["what it says cannot be read", { "retry-after": "soon" }]
  ] as const) {
    rule(`fails at once where ${why}`, function* () {
      const { asked, price } = yield* scripted([() => refused(headers)])
      assert.strictEqual((yield* Effect.flip(price))._tag, "RateLimited")
      assert.lengthOf(asked, 1)
    })
  }

  rule("fails with the problem's class, which has its members", function* () {
    const suggestions = [{ id: "bitcoin", symbol: "BTC", name: "Bitcoin" }]
    const body = problem(404, "unknown_coin", "No such coin", { suggestions })
    const { asked, price } = yield* scripted([
      () => new Response(body, { status: 404, headers: { "content-type": "application/problem+json" } })
    ])
    const meant = yield* price.pipe(
      Effect.as(undefined),
      Effect.catchTag("UnknownCoin", (failure) => Effect.succeed(failure.suggestions))
    )
    assert.deepStrictEqual(meant, suggestions)
    assert.lengthOf(asked, 1)
  })
})

describe("a client that Effect derives from the contract", () => {
  const pair = { from: "bitcoin", to: "NGN" } as const

  const derived = Effect.gen(function* () {
    const sent: Array<unknown> = []
    const http = HttpClient.make((request) =>
      Effect.sync(() => {
        sent.push(Object.fromEntries(request.urlParams))
        return HttpClientResponse.fromWeb(request, Response.json(answer))
      })
    )
    const made = HttpApiClient.make(Api, { baseUrl: "http://prices.test" })
    return { client: yield* Effect.provideService(made, HttpClient.HttpClient, http), sent }
  })

  rule("sends what it is given, numbers without an exponent, and leaves the defaults to the server", function* () {
    const { client, sent } = yield* derived
    yield* Effect.ignore(client.convert({ query: { ...pair, amount: 250 } }))
    yield* Effect.ignore(client.convert({ query: { ...pair, amount: 1e-8, expect: 1400.5, tolerance: 0.5 } }))
    yield* Effect.ignore(client.convert({ query: { ...pair, amount: BigDecimal.fromNumberUnsafe(2), basis: "p2p" } }))
    yield* Effect.ignore(client.fx({ query: {} }))
    assert.deepStrictEqual(sent, [
      { ...pair, amount: "250" },
      { ...pair, amount: "0.00000001", expect: "1400.5", tolerance: "0.5" },
      { ...pair, amount: "2", basis: "p2p" },
      {}
    ])
  })

  rule("sends nothing that the contract does not allow, and the compiler finds most of it", function* () {
    const { client, sent } = yield* derived
    const calls = [
      // @ts-expect-error -- a text is no amount
      client.convert({ query: { ...pair, amount: "250" } }),
      // @ts-expect-error -- a coin's id is a text
      client.convert({ query: { ...pair, from: 1 } }),
      // @ts-expect-error -- `from` has no default
      client.convert({ query: { to: "NGN" } }),
      // @ts-expect-error -- no such basis
      client.convert({ query: { ...pair, basis: "street" } }),
      client.convert({ query: { ...pair, amount: Number.NaN } }),
      client.convert({ query: { ...pair, amount: -1 } })
    ]
    for (const call of calls) assert.strictEqual((yield* Effect.flip(call))._tag, "SchemaError")
    assert.isEmpty(sent)
  })
})

describe("a call without a query", () => {
  rule("asks as one with an empty query does, for endpoints by themselves and in groups", function* () {
    const asked: Array<string> = []
    const http = HttpClient.make((request) =>
      Effect.sync(() => {
        asked.push(request.url.toLowerCase())
        return HttpClientResponse.fromWeb(request, Response.json(answer))
      })
    )
    const client = yield* Effect.provideService(
      Client.make({ baseUrl: "http://prices.test" }),
      HttpClient.HttpClient,
      http
    )
    const params = { id: "bitcoin", fiat: "USD" } as const
    assert.deepStrictEqual(yield* client.market.price({ params }), yield* client.market.price({ params, query: {} }))
    yield* Effect.ignore(client.fx())
    yield* Effect.ignore(client.market.global())
    assert.deepStrictEqual(
      asked.map((url) => url.replace("http://prices.test", "")),
      ["/v1/price/bitcoin/usd", "/v1/price/bitcoin/usd", "/v1/fx", "/v1/global"]
    )
  })
})
