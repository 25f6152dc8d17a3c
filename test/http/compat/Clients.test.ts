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

rulesIn(fridayWithPast)("a client", (rule) => {
  rule("CoinGecko's SDK reads every endpoint of the present, with its parameters", function* () {
    const { baseUrl } = yield* RunningService
    yield* pass("45 seconds")
    const sdk = sdkOf(baseUrl)
    assert.strictEqual((yield* calling(() => sdk.ping.get())).gecko_says, "(V3) To the Moon!")
    const vs = yield* calling(() => sdk.simple.supportedVsCurrencies.get())
    assert.includeMembers([...vs], ["usd", "ngn", "eur", "gbp", "inr", "zar", "aed", "cad", "jpy", "btc", "eth"])
    const prices = yield* calling(() =>
      sdk.simple.price.get({
        ids: "bitcoin,tether",
        vs_currencies: "usd,ngn",
        include_market_cap: true,
        include_24hr_vol: true,
        include_24hr_change: true,
        include_last_updated_at: true,
        precision: "2"
      })
    )
    assert.hasAllKeys(prices, ["bitcoin", "tether"])
    assert.hasAllKeys(prices["tether"], [
      ...["usd", "ngn"].flatMap((vs) => [vs, `${vs}_market_cap`, `${vs}_24h_vol`, `${vs}_24h_change`]),
      "last_updated_at"
    ])
    assert.match(String(prices["bitcoin"]?.usd), /^\d+(\.\d{1,2})?$/)
    const list = yield* calling(() => sdk.coins.list.get({ include_platform: true }))
    assert.deepInclude(
      list.find(({ id }) => id === "tether"),
      { symbol: "usdt", name: "Tether" }
    )
    assert.property(list.find(({ id }) => id === "tether")?.platforms, "ethereum")
    const markets = yield* calling(() =>
      sdk.coins.markets.get({
        vs_currency: "eur",
        per_page: 2,
        page: 2,
        sparkline: true,
        price_change_percentage: "24h",
        locale: "en",
        precision: "full"
      })
    )
    assert.lengthOf(markets, 2)
    assert.isAbove(markets[0]?.price_change_percentage_24h_in_currency ?? -100, -100)
    const some = yield* calling(() =>
      sdk.coins.markets.get({ vs_currency: "usd", ids: "tether,bitcoin,nope", order: "market_cap_asc" })
    )
    assert.deepStrictEqual(
      some.map(({ id }) => id),
      ["tether", "bitcoin"]
    )
    const bitcoin = yield* calling(() =>
      sdk.coins.getID("bitcoin", { localization: false, tickers: false, community_data: false })
    )
    assert.isAbove(bitcoin.market_data?.current_price?.["btc"] ?? 0, 0)
    assert.notProperty(bitcoin, "tickers")
    const listed = yield* calling(() =>
      sdk.coins.tickers.get("bitcoin", { exchange_ids: "kraken", order: "volume_desc", page: 1 })
    )
    assert.strictEqual(listed.name, "Bitcoin")
    const found = yield* calling(() => sdk.search.get({ query: "usdt" }))
    assert.strictEqual(found.coins[0]?.id, "tether")
    const global = yield* calling(() => sdk.global.get())
    assert.isAbove(global.data.total_market_cap["ngn"] ?? 0, global.data.total_market_cap["usd"] ?? Infinity)
    const { rates } = yield* calling(() => sdk.exchangeRates.get())
    assert.deepInclude(rates["btc"], { value: 1, type: "crypto" })
    assert.deepInclude(rates["ngn"], { name: "Nigerian Naira", type: "fiat" })
  })

  rule("CoinGecko's SDK reads the past: a day, charts and candles", function* () {
    yield* withPast
    const sdk = sdkOf((yield* RunningService).baseUrl)
    const day = yield* calling(() => sdk.coins.history.get("bitcoin", { date: "15-11-2026", localization: false }))
    assert.isAbove(day.market_data.current_price?.["usd"] ?? 0, 1)
    const before = yield* calling(() => sdk.coins.history.get("bitcoin", { date: "2019-01-01" }))
    assert.notProperty(before, "market_data")
    const year = yield* calling(() => sdk.coins.marketChart.get("bitcoin", { vs_currency: "usd", days: "365" }))
    const stamps = year.prices.map(([stamp = 0]) => stamp)
    const midnights = stamps.filter((stamp) => stamp % 86_400_000 === 0)
    assert.isAtLeast(midnights.length, 364)
    assert.isAtMost(stamps.length - midnights.length, 1)
    assert.deepStrictEqual(
      stamps,
      stamps.toSorted((a, b) => a - b)
    )
    assert.strictEqual(year.total_volumes.length, stamps.length)
    const range = yield* calling(() =>
      sdk.coins.marketChart.getRange("bitcoin", {
        vs_currency: "eur",
        from: "2026-11-01",
        to: "1794009600",
        interval: "daily"
      })
    )
    assert.deepStrictEqual(
      range.prices.map(([stamp = 0]) => new globalThis.Date(stamp).toISOString().slice(0, 10)),
      ["2026-11-01", "2026-11-02", "2026-11-03", "2026-11-04", "2026-11-05", "2026-11-06", "2026-11-07"]
    )
    const candles = yield* calling(() => sdk.coins.ohlc.get("bitcoin", { vs_currency: "usd", days: "1" }))
    const [, open = 0, high = 0, low = 0, close = 0] = candles.at(-1) ?? []
    assert.isTrue(low > 0 && low <= open && low <= close && high >= open && high >= close)
  })

  rule("CoinGecko's SDK reads coins by contract, with charts, also in sats", function* () {
    yield* withPast
    const sdk = sdkOf((yield* RunningService).baseUrl)
    const address = "0xdac17f958d2ee523a2206206994597c13d831ec7"
    const platforms = yield* calling(() => sdk.assetPlatforms.get())
    assert.include(
      platforms.map(({ id }) => id),
      "ethereum"
    )
    const tether = yield* calling(() => sdk.coins.contract.get(address, { id: "ethereum" }))
    assert.strictEqual(tether.id, "tether")
    const query = { vs_currency: "usd", days: "30" } as const
    assert.deepStrictEqual(
      yield* calling(() => sdk.coins.contract.marketChart.get(address, { id: "ethereum", ...query })),
      yield* calling(() => sdk.coins.marketChart.get("tether", query))
    )
    const span = { vs_currency: "usd", from: "2026-11-01", to: "2026-11-07" }
    assert.deepStrictEqual(
      yield* calling(() => sdk.coins.contract.marketChart.getRange(address, { id: "ethereum", ...span })),
      yield* calling(() => sdk.coins.marketChart.getRange("tether", span))
    )
    const chart = (vs_currency: string) =>
      calling(() => sdk.coins.marketChart.get("ethereum", { vs_currency, days: "30" }))
    const [inBitcoin, inSats] = [(yield* chart("btc")).prices, (yield* chart("sats")).prices]
    assert.isAbove(inSats.length, 20)
    assert.strictEqual(inSats.length, inBitcoin.length)
    for (const [n, [, sats = NaN]] of inSats.entries()) {
      assert.closeTo(sats / (inBitcoin[n]?.[1] ?? NaN) / 1e8, 1, 1e-9)
    }
  })

  rule("CoinGecko's SDK reports an unknown coin and an unsupported parameter as its own errors", function* () {
    const sdk = sdkOf((yield* RunningService).baseUrl)
    const unknown = yield* rejected(() => sdk.coins.getID("no-such-coin"))
    assert.instanceOf(unknown, NotFoundError)
    assert.deepInclude(unknown, { status: 404, error: { error: "coin not found" } })
    const category = yield* rejected(() => sdk.coins.markets.get({ vs_currency: "usd", category: "layer-1" }))
    assert.instanceOf(category, BadRequestError)
    assert.include(String(category), "category")
    const gold = yield* rejected(() => sdk.coins.markets.get({ vs_currency: "xau" }))
    assert.include(String(gold), "invalid vs_currency")
    const missing = yield* rejected(() => sdk.simple.price.get({ vs_currencies: "usd" }))
    assert.instanceOf(missing, UnprocessableEntityError)
    const key = yield* rejected(() =>
      new Coingecko({ baseURL: sdk.baseURL, demoAPIKey: "CG-not-one-of-ours" }).ping.get()
    )
    assert.instanceOf(key, AuthenticationError)
  })

  rule("coingecko-api-v3 reads every endpoint, with its parameters", function* () {
    yield* withPast
    const client = otherOf((yield* RunningService).baseUrl)
    assert.include(yield* calling(() => client.simpleSupportedCurrencies()), "ngn")
    const prices = yield* calling(() =>
      client.simplePrice({ ids: "bitcoin", vs_currencies: "usd,ngn", include_last_updated_at: true })
    )
    assert.hasAllKeys(prices["bitcoin"], ["usd", "ngn", "last_updated_at"])
    assert.isAbove((yield* calling(() => client.coinList({ include_platform: false }))).length, 100)
    const [first] = yield* calling(() => client.coinMarket({ vs_currency: "ngn", per_page: 1, page: 1 }))
    assert.strictEqual(first?.id, "bitcoin")
    const bitcoin = yield* calling(() => client.coinId({ id: "bitcoin", tickers: false }))
    assert.strictEqual(bitcoin.symbol, "btc")
    assert.strictEqual((yield* calling(() => client.coinIdTickers({ id: "bitcoin" }))).name, "Bitcoin")
    const day = yield* calling(() => client.coinIdHistory({ id: "bitcoin", date: "15-11-2026" }))
    assert.isAbove(day.market_data?.current_price?.["eur"] ?? 0, 1)
    const chart = yield* calling(() => client.coinIdMarketChart({ id: "bitcoin", vs_currency: "usd", days: 30 }))
    assert.isAtLeast(chart.prices.length, 29)
    const range = yield* calling(() =>
      client.coinIdMarketChartRange({ id: "bitcoin", vs_currency: "usd", from: 1793491200, to: 1793923200 })
    )
    // Days until the hours of the past are recorded, then hours; both ends are in the range.
    assert.include([6, 121], range.prices.length)
    assert.strictEqual(range.prices[0]?.[0], 1_793_491_200_000)
    assert.strictEqual(range.prices.at(-1)?.[0], 1_793_923_200_000)
    const candles = yield* calling(() => client.coinIdOHLC({ id: "bitcoin", vs_currency: "usd", days: 1 }))
    assert.lengthOf(candles.at(-1) ?? [], 5)
    const found = yield* calling(() => client.search({ query: "tether" }))
    assert.strictEqual(found.coins?.[0]?.id, "tether")
    assert.isAbove((yield* calling(() => client.global())).data?.active_cryptocurrencies ?? 0, 1)
    assert.property((yield* calling(() => client.exchangeRates())).rates, "eur")
    const unknown = yield* rejected(() => client.coinId({ id: "no-such-coin" }))
    assert.include(String(unknown), "404")
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
