// CoinGecko's own SDK and another client of the registry, unchanged but for the base address.
import { assert } from "@effect/vitest"
import {
  AuthenticationError,
  BadRequestError,
  Coingecko,
  NotFoundError,
  UnprocessableEntityError
} from "@coingecko/coingecko-typescript"
import { CoinGeckoClient } from "coingecko-api-v3"
import { Effect } from "effect"
import * as Http from "node:http"
import { COINGECKO_BASE } from "../../../src/api/coingecko/CoinGeckoDialect.ts"
import { RunningService, get, pass, until, onFriday, fridayWithPast } from "../../RunningService.ts"
import { rulesIn } from "../../rulesOf.ts"

let clients = 0

/** An address that nobody else asks from. */
const nextAddress = () => `203.0.113.${clients++ % 250}`

/** The SDK for this address, as a client without a key uses it. */
const sdkOf = (baseUrl: string, address = nextAddress()) =>
  new Coingecko({
    baseURL: `${baseUrl}${COINGECKO_BASE}`,
    defaultHeaders: { "x-cg-demo-api-key": null, "x-forwarded-for": address }
  })

/** The other client, which speaks HTTPS unless told otherwise. */
const otherOf = (baseUrl: string, address = nextAddress()) => {
  const { hostname, port } = new URL(baseUrl)
  const client = new CoinGeckoClient({
    autoRetry: true,
    extraHTTPSOptions: {
      protocol: "http:",
      agent: new Http.Agent(),
      host: hostname,
      port,
      headers: { "x-forwarded-for": address }
    }
  })
  client.baseURL = `${baseUrl}${COINGECKO_BASE}`
  return client
}

const calling = <A>(call: () => Promise<A>) =>
  Effect.flatMap(RunningService, ({ serving }) => serving(Effect.promise(call)))

/** What a call is rejected with. */
const rejected = (call: () => Promise<unknown>) =>
  calling(() =>
    call().then(
      () => assert.fail("nothing was rejected"),
      (error: unknown) => error
    )
  )

/** Asks until the record has the year before, which the service fetches when it is asked for it. */
const withPast = Effect.gen(function* () {
  yield* pass("45 seconds")
  const path = `${COINGECKO_BASE}/coins/bitcoin/market_chart?vs_currency=usd&days=365`
  yield* until(Effect.map(get(path), ({ text }) => JSON.parse(text).prices.length > 360))
})

const usd = { vs_currency: "usd" } as const
const november = { ...usd, from: "2026-11-01", to: "2026-11-07" }
const address = "0xdac17f958d2ee523a2206206994597c13d831ec7"

/** Every endpoint of the SDK that is served here, with its parameters. */
const callsOf = (sdk: Coingecko): Readonly<Record<string, () => Promise<object>>> => ({
  ping: () => sdk.ping.get(),
  currencies: () => sdk.simple.supportedVsCurrencies.get(),
  prices: () =>
    sdk.simple.price.get({
      ids: "bitcoin,tether",
      vs_currencies: "usd,ngn",
      include_market_cap: true,
      include_24hr_vol: true,
      include_24hr_change: true,
      include_last_updated_at: true,
      precision: "2"
    }),
  list: () => sdk.coins.list.get({ include_platform: true }),
  markets: () =>
    sdk.coins.markets.get({
      vs_currency: "eur",
      per_page: 2,
      page: 2,
      sparkline: true,
      price_change_percentage: "24h",
      locale: "en",
      precision: "full"
    }),
  some: () => sdk.coins.markets.get({ ...usd, ids: "tether,bitcoin,nope", order: "market_cap_asc" }),
  coin: () => sdk.coins.getID("bitcoin", { localization: false, tickers: false, community_data: false }),
  tickers: () => sdk.coins.tickers.get("bitcoin", { exchange_ids: "kraken", order: "volume_desc", page: 1 }),
  search: () => sdk.search.get({ query: "usdt" }),
  global: () => sdk.global.get(),
  rates: () => sdk.exchangeRates.get(),
  day: () => sdk.coins.history.get("bitcoin", { date: "15-11-2026", localization: false }),
  chart: () => sdk.coins.marketChart.get("bitcoin", { ...usd, days: "365" }),
  range: () => sdk.coins.marketChart.getRange("bitcoin", { ...november, interval: "daily" }),
  candles: () => sdk.coins.ohlc.get("bitcoin", { ...usd, days: "1" }),
  platforms: () => sdk.assetPlatforms.get(),
  contract: () => sdk.coins.contract.get(address, { id: "ethereum" }),
  contractChart: () => sdk.coins.contract.marketChart.get(address, { id: "ethereum", ...usd, days: "30" }),
  contractRange: () => sdk.coins.contract.marketChart.getRange(address, { id: "ethereum", ...november })
})

/** The same of the other client. */
const otherCallsOf = (client: CoinGeckoClient): Readonly<Record<string, () => Promise<object>>> => ({
  currencies: () => client.simpleSupportedCurrencies(),
  prices: () => client.simplePrice({ ids: "bitcoin", vs_currencies: "usd,ngn", include_last_updated_at: true }),
  list: () => client.coinList({ include_platform: false }),
  markets: () => client.coinMarket({ vs_currency: "ngn", per_page: 1, page: 1 }),
  coin: () => client.coinId({ id: "bitcoin", tickers: false }),
  tickers: () => client.coinIdTickers({ id: "bitcoin" }),
  day: () => client.coinIdHistory({ id: "bitcoin", date: "15-11-2026" }),
  chart: () => client.coinIdMarketChart({ id: "bitcoin", ...usd, days: 30 }),
  range: () => client.coinIdMarketChartRange({ id: "bitcoin", ...usd, from: 1793491200, to: 1793923200 }),
  candles: () => client.coinIdOHLC({ id: "bitcoin", ...usd, days: 1 }),
  search: () => client.search({ query: "tether" }),
  global: () => client.global(),
  rates: () => client.exchangeRates()
})

rulesIn(fridayWithPast)("a client", (rule) => {
  rule("CoinGecko's SDK reads every endpoint, with its parameters", function* () {
    yield* withPast
    const sdk = sdkOf((yield* RunningService).baseUrl)
    for (const [name, call] of Object.entries(callsOf(sdk))) {
      assert.isNotEmpty(Object.keys(yield* calling(call)), name)
    }
    const year = yield* calling(() => sdk.coins.marketChart.get("bitcoin", { ...usd, days: "365" }))
    assert.isAtLeast(year.prices.filter(([stamp = 0]) => stamp % 86_400_000 === 0).length, 364)
    const before = yield* calling(() => sdk.coins.history.get("bitcoin", { date: "2019-01-01" }))
    assert.notProperty(before, "market_data")
    assert.deepStrictEqual(
      yield* calling(() => sdk.coins.contract.marketChart.getRange(address, { id: "ethereum", ...november })),
      yield* calling(() => sdk.coins.marketChart.getRange("tether", november))
    )
  })

  rule("CoinGecko's SDK reports what is refused as its own errors", function* () {
    const sdk = sdkOf((yield* RunningService).baseUrl)
    const unknown = yield* rejected(() => sdk.coins.getID("no-such-coin"))
    assert.instanceOf(unknown, NotFoundError)
    assert.deepInclude(unknown, { status: 404, error: { error: "coin not found" } })
    const category = yield* rejected(() => sdk.coins.markets.get({ ...usd, category: "layer-1" }))
    assert.instanceOf(category, BadRequestError)
    assert.include(String(category), "category")
    const missing = yield* rejected(() => sdk.simple.price.get({ vs_currencies: "usd" }))
    assert.instanceOf(missing, UnprocessableEntityError)
    const keyed = new Coingecko({ baseURL: sdk.baseURL, demoAPIKey: "CG-not-one-of-ours" })
    assert.instanceOf(yield* rejected(() => keyed.ping.get()), AuthenticationError)
  })

  rule("coingecko-api-v3 reads every endpoint, with its parameters, and reports an unknown coin", function* () {
    yield* withPast
    const client = otherOf((yield* RunningService).baseUrl)
    for (const [name, call] of Object.entries(otherCallsOf(client))) {
      assert.isNotEmpty(Object.keys(yield* calling(call)), name)
    }
    assert.include(String(yield* rejected(() => client.coinId({ id: "no-such-coin" }))), "404")
  })
})

/** A call that is refused first. The client waits a second of its own clock, in which one of the service passes. */
const callingAgain = <A>(call: () => Promise<A>) =>
  Effect.gen(function* () {
    const refused = Effect.promise(() => new Promise((resolve) => setTimeout(resolve, 500)))
    const [answer] = yield* Effect.all([calling(call), Effect.andThen(refused, pass("1 second"))], { concurrency: 2 })
    return answer
  })

/** Uses the quota of an address up, and waits until the last second of its window. */
const nearTheEndOfAWindow = Effect.fnUntraced(function* (address: string) {
  const path = `${COINGECKO_BASE}/ping`
  for (let n = 0; n < 60; n++) yield* get(path, { headers: { "x-forwarded-for": address } })
  yield* pass("59200 millis")
  const refused = yield* get(path, { headers: { "x-forwarded-for": address } })
  assert.strictEqual(refused.status, 429)
  assert.strictEqual(refused.headers["retry-after"], "1")
  assert.hasAllKeys(JSON.parse(refused.text).status, ["error_code", "error_message"])
})

rulesIn(onFriday)("a client that is refused", (rule) => {
  rule("asks again after the second that Retry-After names: CoinGecko's SDK", function* () {
    const { baseUrl } = yield* RunningService
    yield* nearTheEndOfAWindow("203.0.113.251")
    const { gecko_says } = yield* callingAgain(() => sdkOf(baseUrl, "203.0.113.251").ping.get())
    assert.strictEqual(gecko_says, "(V3) To the Moon!")
  })

  rule("asks again after the second that Retry-After names: coingecko-api-v3", function* () {
    const { baseUrl } = yield* RunningService
    yield* nearTheEndOfAWindow("203.0.113.252")
    const pong = yield* callingAgain(() => otherOf(baseUrl, "203.0.113.252").ping())
    assert.deepStrictEqual(pong, { gecko_says: "(V3) To the Moon!" })
  })
})
