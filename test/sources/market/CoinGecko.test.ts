import { assert, describe, it } from "@effect/vitest"
import { DateTime, Effect } from "effect"
import { TestClock } from "effect/testing"
import { CoinGecko } from "../../../src/sources/market/CoinGecko.ts"
import global from "../fixtures/coingecko-global.json" with { type: "json" }
import markets from "../fixtures/coingecko-markets.json" with { type: "json" }
import { json, type ScriptedAnswer, type ScriptedRequest, reasonOf, scriptedSource } from "../ScriptedUpstream.ts"
import { rule, rulesOf } from "../../rulesOf.ts"

const NOW = Date.UTC(2026, 8, 13, 17, 6)

/** Answers by path, with the fixtures unless told. */
const answers =
  (overrides: Readonly<Record<string, ScriptedAnswer | ((query: URLSearchParams) => ScriptedAnswer)>>) =>
  ({ url }: ScriptedRequest): ScriptedAnswer => {
    const { pathname, searchParams } = new URL(url, "http://upstream")
    const answer = { ...fixtures, ...overrides }[pathname] ?? { status: 404, body: "{}" }
    return typeof answer === "function" ? answer(searchParams) : answer
  }

const fixtures: Readonly<Record<string, ScriptedAnswer>> = {
  "/coins/markets": json(markets),
  "/global": json(global),
  "/coins/list": json([
    { id: "bitcoin", symbol: "btc", name: "Bitcoin", platforms: { "": "" } },
    { id: "", symbol: "", name: "", platforms: {} },
    {
      id: "tether",
      symbol: "usdt",
      name: "Tether",
      platforms: {
        ethereum: "0xdac17f958d2ee523a2206206994597c13d831ec7",
        kava: null,
        near: "",
        celo: "0x".repeat(200)
      }
    },
    { id: "silent", symbol: "slnt", name: "Silent" }
  ])
}

const over = scriptedSource({ source: CoinGecko, setting: "COINGECKO_BASE_URL", at: NOW })

/** CoinGecko over an upstream that answers so. */
const coinGecko = (overrides: Parameters<typeof answers>[0] = {}, settings: Readonly<Record<string, string>> = {}) =>
  over(answers(overrides), { settings })

const iso = (time: DateTime.Utc | null | undefined) =>
  time === null || time === undefined ? time : DateTime.formatIso(time)

const ruleWith = rulesOf(it, coinGecko())

describe("CoinGecko markets", () => {
  ruleWith("asks for the 250 largest in full precision, and maps all that a row says", function* ({ coins, requests }) {
    const { source, value } = yield* coins.get
    assert.strictEqual(source, "CoinGecko")
    assert.deepStrictEqual(
      requests().map(({ url }) => Object.fromEntries(new URL(url, "http://upstream").searchParams)),
      [
        {
          vs_currency: "usd",
          order: "market_cap_desc",
          per_page: "250",
          page: "1",
          price_change_percentage: "1h,24h,7d",
          precision: "full"
        }
      ]
    )
    const { ath_date, updated, ...bitcoin } = value[0] ?? { ath_date: null, updated: null }
    assert.deepStrictEqual<unknown>(bitcoin, {
      id: "bitcoin",
      symbol: "BTC",
      name: "Bitcoin",
      rank: 1,
      price: 77_301,
      market_cap: 1_552_357_998_317,
      volume_24h: 16_016_246_944,
      circulating_supply: 20_081_990,
      total_supply: 20_081_990,
      max_supply: 21_000_000,
      change_1h: 0.0412,
      change_24h: -0.0943,
      change_7d: 2.31,
      high_24h: 77_812.5,
      low_24h: 76_604,
      ath: 126_080,
      image: "https://coin-images.coingecko.com/coins/images/1/large/bitcoin.png"
    })
    assert.strictEqual(iso(ath_date), "2025-10-06T18:57:42.558Z")
    assert.strictEqual(iso(updated), "2026-09-13T17:05:10.000Z")
  })

  ruleWith("a bad row loses itself, not the page; a rank that occurs twice is no fault", function* ({ coins }) {
    const { value } = yield* coins.get
    assert.deepStrictEqual(
      value.map(({ id, rank }) => [id, rank]),
      [
        ["bitcoin", 1],
        ["tether", 3],
        ["figure-heloc", 9],
        ["zcash", 9],
        ["newcoin", null],
        ["zero-cap", null]
      ]
    )
  })

  ruleWith("a row keeps its own time, 15 h behind; the page has the newest row's", function* ({ coins }) {
    const { observedAt, retrievedAt, value } = yield* coins.get
    assert.strictEqual(iso(value[2]?.updated), "2026-09-13T01:20:10.000Z")
    assert.strictEqual(iso(observedAt), "2026-09-13T17:05:10.000Z")
    assert.strictEqual(retrievedAt.epochMilliseconds, NOW)
  })

  rule("a row's time up to a minute ahead is now; a row stamped further ahead is left out", function* () {
    const { coins } = yield* coinGecko({
      "/coins/markets": json([
        { ...markets[0], last_updated: "2026-09-13T17:07:00.000Z" },
        { ...markets[1], current_price: null, market_cap: null, last_updated: "2026-09-13T17:07:01.000Z" }
      ])
    })
    const { observedAt, value } = yield* coins.get
    assert.deepStrictEqual(
      value.map(({ id, updated }) => [id, updated.epochMilliseconds]),
      [["bitcoin", NOW]]
    )
    assert.strictEqual(observedAt.epochMilliseconds, NOW)
  })

  ruleWith("null is null wherever it may stand, and so are caps, supplies and prices of 0", function* ({ coins }) {
    const { value } = yield* coins.get
    const { id, name, symbol, updated, ...rest } = value[4] ?? { id: "", name: "", symbol: "", updated: null }
    assert.deepStrictEqual([id, symbol, name, iso(updated)], ["newcoin", "NEW", "New Coin", "2026-09-13T17:05:10.000Z"])
    assert.strictEqual(Object.keys(rest).length, 15)
    for (const [field, said] of Object.entries(rest)) assert.isNull(said, field)
    const { circulating_supply, market_cap, price, total_supply, volume_24h } = value[5] ?? {}
    assert.deepStrictEqual<unknown>(
      [price, market_cap, circulating_supply, total_supply],
      [0.0000031, null, null, null]
    )
    assert.strictEqual(volume_24h, 0)
  })

  rule("fields that only come when asked for may be missing", function* () {
    const { coins } = yield* coinGecko({
      "/coins/markets": json([
        { id: "x", symbol: "x", name: "X", current_price: 1, last_updated: "2026-09-13T17:05:10.000Z" }
      ])
    })
    const { value } = yield* coins.get
    assert.deepStrictEqual(
      value.map(({ change_1h, change_7d, price }) => [price, change_1h, change_7d]),
      [[1, null, null]]
    )
  })

  rule("an empty first page is a failure, an empty seventh the end of the list", function* () {
    const { coins, page } = yield* coinGecko({ "/coins/markets": json([]) })
    assert.deepInclude(yield* reasonOf(coins.get), { _tag: "Unusable", detail: "an empty list of coins" })
    assert.deepStrictEqual((yield* page(7)).value, [])
  })

  rule("a page of which no row can be read is a failure, whichever it is", function* () {
    const { coins, page } = yield* coinGecko({ "/coins/markets": json([{ id: "bitcoin" }, null, 7]) })
    assert.deepInclude(yield* reasonOf(coins.get), { _tag: "Undecodable" })
    assert.deepInclude(yield* reasonOf(page(7)), { _tag: "Undecodable" })
  })

  rule("coins are looked up by id, and unknown ids are missing", function* () {
    const { coinsById, requests } = yield* coinGecko({
      "/coins/markets": (query) => {
        const ids = query.get("ids")?.split(",") ?? []
        return json(markets.filter(({ id }) => ids.includes(id)))
      }
    })
    const { value } = yield* coinsById(["zcash", "no-such-coin", "bitcoin"])
    assert.sameMembers(
      value.map(({ id }) => id),
      ["zcash", "bitcoin"]
    )
    assert.deepStrictEqual((yield* coinsById(["no-such-coin"])).value, [])
    assert.include(requests()[0]?.url, "per_page=250")
  })
})

describe("CoinGecko global and registry", () => {
  ruleWith("global figures are those in USD, as of their own second", function* ({ global }) {
    const { observedAt, value } = yield* global.get
    assert.deepStrictEqual(value, {
      market_cap: 2_621_040_321_355.0405,
      volume_24h: 95_133_256_404.37308,
      market_cap_change_24h: -1.6081983639177684,
      btc_dominance: 57.9539332566265,
      eth_dominance: 9.58227145398409,
      active_coins: 17_397
    })
    assert.strictEqual(iso(observedAt), "2026-09-13T17:00:00.000Z")
  })

  rule("a market cap of 0 is not believed, and its absence is another format", function* () {
    const without = (total_market_cap: unknown) =>
      Effect.flatMap(
        coinGecko({
          "/global": json({ data: { ...global.data, total_market_cap } })
        }),
        ({ global }) => reasonOf(global.get)
      )
    assert.deepInclude(yield* without({ usd: 0 }), { _tag: "Unusable" })
    assert.deepInclude(yield* without({ btc: 1 }), { _tag: "Undecodable" })
  })

  ruleWith(
    "the registry holds every id that is one, tickers in upper case, and the contracts that have an address",
    function* ({ registry }) {
      assert.deepStrictEqual((yield* registry.get).value, [
        { id: "bitcoin", symbol: "BTC", name: "Bitcoin", platforms: {} },
        {
          id: "tether",
          symbol: "USDT",
          name: "Tether",
          platforms: { ethereum: "0xdac17f958d2ee523a2206206994597c13d831ec7" }
        },
        { id: "silent", symbol: "SLNT", name: "Silent", platforms: null }
      ])
    }
  )

  it.effect("an empty registry is a failure", () =>
    Effect.flatMap(
      coinGecko({
        "/coins/list": json([])
      }),
      ({ registry }) => Effect.map(reasonOf(registry.get), (reason) => assert.deepInclude(reason, { _tag: "Unusable" }))
    )
  )

  rule("a registry of less than half the ids of before is a failure, for three days", function* () {
    const ids = (count: number) =>
      json(Array.from({ length: count }, (_, n) => ({ id: `c${n}`, symbol: "c", name: "C" })))
    let list = ids(100)
    const { registry } = yield* coinGecko({
      get "/coins/list"() {
        return list
      }
    })
    yield* registry.get
    list = ids(49)
    yield* TestClock.adjust("25 hours")
    assert.deepInclude(yield* reasonOf(registry.get), { _tag: "Unusable" })
    yield* TestClock.adjust("2 days")
    assert.lengthOf((yield* registry.get).value, 49)
  })
})
