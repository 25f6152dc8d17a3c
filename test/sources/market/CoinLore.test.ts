import { assert, describe, it } from "@effect/vitest"
import { Clock, DateTime, Effect } from "effect"
import { TestClock } from "effect/testing"
import { CoinLore } from "../../../src/sources/market/CoinLore.ts"
import globalBody from "../fixtures/coinlore-global.json" with { type: "json" }
import firstPage from "../fixtures/coinlore-page.json" with { type: "json" }
import {
  hasRecordings,
  json,
  recording,
  type ScriptedRequest,
  whileTimePasses,
  scriptedSource
} from "../ScriptedUpstream.ts"
import { rulesOf } from "../../rulesOf.ts"

const rule = rulesOf(it, Effect.void)

const start = DateTime.makeUnsafe("2018-10-03T09:53:00Z").epochMilliseconds

const source = scriptedSource({ source: CoinLore, setting: "COINLORE_BASE_URL", path: "/api", at: start })

const emptyPage = { data: [], info: firstPage.info }

/** The first page as given, the others empty. */
const pages =
  (first: unknown, ...others: ReadonlyArray<unknown>) =>
  ({ url }: ScriptedRequest) => {
    const n = Number(/start=(\d+)/.exec(url)?.[1] ?? 0) / 100
    return json(n === 0 ? first : (others[n - 1] ?? emptyPage))
  }

const listOf = (first: unknown, ...others: ReadonlyArray<unknown>) =>
  Effect.flatMap(source(pages(first, ...others)), (coinLore) => whileTimePasses(coinLore.coins.get))

const [bitcoin, ...rest] = firstPage.data

const page = (rows: ReadonlyArray<unknown>, time: unknown = firstPage.info.time) => ({
  data: rows,
  info: { coins_num: 1969, time }
})

const bitcoinOf = (change: Readonly<Record<string, unknown>>) =>
  Effect.map(listOf(page([{ ...bitcoin, ...change }, ...rest])), (snapshot) =>
    snapshot.value.find((coin) => coin.id === "bitcoin")
  )

describe("CoinLore list", () => {
  rule("maps rows of text to coins under CoinGecko's ids", function* () {
    const snapshot = yield* listOf(firstPage)
    assert.strictEqual(snapshot.source, "CoinLore")
    assert.deepStrictEqual(
      snapshot.value.map((coin) => coin.id),
      ["bitcoin", "ethereum", "dogecoin", "shiba-inu"]
    )
    const [first] = snapshot.value
    assert.deepStrictEqual(first, {
      id: "bitcoin",
      symbol: "BTC",
      name: "Bitcoin",
      rank: 1,
      price: 6456.52,
      market_cap: 111586042785.56,
      volume_24h: 3997655362.9586277,
      circulating_supply: 17282687,
      total_supply: 17282687,
      max_supply: 21000000,
      change_1h: 0.05,
      change_24h: -1.47,
      change_7d: -1.07,
      updated: DateTime.makeUnsafe("2018-10-03T09:52:35Z"),
      high_24h: null,
      low_24h: null,
      ath: null,
      ath_date: null,
      image: null
    })
  })

  it.effect(
    "reads numbers as numbers, as text and with an exponent; blank, null, absent and 0 supplies are unknown",
    () =>
      Effect.gen(function* () {
        const { value } = yield* listOf(firstPage)
        const [, ether, doge, shib] = value
        assert.strictEqual(ether?.volume_24h, 1702518664.71)
        assert.strictEqual(ether?.max_supply, null)
        assert.strictEqual(doge?.max_supply, null)
        assert.deepStrictEqual(
          [shib?.price, shib?.total_supply, shib?.max_supply, shib?.change_7d],
          [3.54e-8, null, null, null]
        )
        assert.strictEqual((yield* bitcoinOf({ msupply: undefined }))?.max_supply, null)
        assert.strictEqual((yield* bitcoinOf({ price_usd: "0" }))?.price, null)
        assert.strictEqual((yield* bitcoinOf({ price_usd: "-1.0" }))?.price, null)
      })
  )

  rule("loses a bad row, not the list", function* () {
    assert.isUndefined(yield* bitcoinOf({ price_usd: "Infinity" }))
    assert.isUndefined(yield* bitcoinOf({ market_cap_usd: "1,000" }))
    assert.isUndefined(yield* bitcoinOf({ id: 90 }))
  })

  rule("leaves out coins that share a symbol only, and prefers the id it is sure of to a name", function* () {
    const impostor = { ...bitcoin, id: "77777", market_cap_usd: "9E15", price_usd: "1.00" }
    const { value } = yield* listOf(page([impostor, bitcoin, ...rest]))
    assert.deepStrictEqual(
      value.filter((coin) => coin.symbol === "BTC").map((coin) => coin.price),
      [6456.52]
    )
    assert.isUndefined(value.find((coin) => coin.name === "Bitcoin Ultra"))
  })

  rule("asks for three pages of a hundred, one call a second, one after the other", function* () {
    const times: Array<number> = []
    const clock = yield* Clock.Clock
    const coinLore = yield* source((request) => {
      times.push(clock.currentTimeMillisUnsafe())
      return pages(firstPage)(request)
    })
    yield* whileTimePasses(coinLore.coins.get)
    assert.deepStrictEqual(coinLore.urls(), [
      "/api/tickers/?start=0&limit=100",
      "/api/tickers/?start=100&limit=100",
      "/api/tickers/?start=200&limit=100"
    ])
    const [first = 0, second = 0, third = 0] = times
    assert.isAtLeast(second - first, 1000)
    assert.isAtLeast(third - second, 1000)
  })

  rule("lists a coin once that changed pages between two calls, with the larger cap", function* () {
    const { value } = yield* listOf(firstPage, page([{ ...rest[1], market_cap_usd: "636209418.00" }]))
    assert.deepStrictEqual(
      value.filter((coin) => coin.id === "dogecoin").map((coin) => coin.market_cap),
      [636209418]
    )
  })

  rule("stamps rows with the time of their page, and the list with the oldest", function* () {
    const time = firstPage.info.time
    const snapshot = yield* listOf(page([bitcoin], time), page([rest[0]], time - 60), page([rest[1]], time + 30))
    const at = (seconds: number) => DateTime.makeUnsafe(seconds * 1000)
    assert.deepStrictEqual(snapshot.observedAt, at(time - 60))
    assert.deepStrictEqual(snapshot.value[1]?.updated, at(time - 60))
    // A clock that runs ahead of ours does not make data fresher than now.
    const [, , doge] = snapshot.value
    assert.isAtMost(doge?.updated.epochMilliseconds ?? Infinity, start + 10_000)
  })

  rule("leaves out the rows of a page that is stamped more than a minute ahead", function* () {
    const time = firstPage.info.time
    const { value } = yield* listOf(page([bitcoin], time), page([rest[0]], time), page([rest[1]], time + 9e5))
    assert.deepStrictEqual(
      value.map(({ id }) => id),
      ["bitcoin", "ethereum"]
    )
  })

  rule("refuses a time that is not in seconds", function* () {
    for (const time of [1538560355000, "soon", null, -1, undefined]) {
      const failure = yield* Effect.flip(listOf(page(firstPage.data, time ?? null)))
      assert.strictEqual(failure.reason._tag, "Undecodable")
    }
  })

  rule("has no list when a page is missing, and keeps the one it had", function* () {
    let isBroken = false
    const coinLore = yield* source((request) =>
      isBroken && request.url.includes("start=200") ? { status: 404, body: "" } : pages(firstPage)(request)
    )
    yield* whileTimePasses(coinLore.coins.get)
    isBroken = true
    yield* TestClock.adjust("5 minutes")
    const failure = yield* whileTimePasses(Effect.flip(coinLore.coins.get))
    assert.strictEqual(failure.reason._tag, "BadStatus")
    assert.strictEqual((yield* coinLore.coins.last)._tag, "Some")
  })

  rule("has no list without a coin that we know", function* () {
    assert.strictEqual((yield* Effect.flip(listOf(emptyPage))).reason._tag, "Unusable")
    assert.strictEqual(
      (yield* Effect.flip(listOf(page([{ ...bitcoin, id: "1x", name: "X" }])))).reason._tag,
      "Unusable"
    )
    assert.strictEqual((yield* Effect.flip(listOf(page([{ id: 90 }])))).reason._tag, "Undecodable")
  })

  it.effect.skipIf(!hasRecordings)("reads the recorded answers (skipped where ../shared/samples is missing)", () =>
    Effect.gen(function* () {
      const tickers: unknown = JSON.parse(recording("coinlore/tickers.json"))
      const [coin] = (yield* listOf(tickers)).value
      assert.deepStrictEqual([coin?.id, coin?.price, coin?.volume_24h], ["bitcoin", 6456.52, 3997655362.9586277])
      const single: ReadonlyArray<unknown> = JSON.parse(recording("coinlore/ticker.json"))
      assert.strictEqual((yield* listOf(page(single))).value[0]?.volume_24h, 3982512765.23)
      const coinLore = yield* source(() => ({ status: 200, body: recording("coinlore/global.json") }))
      assert.strictEqual((yield* coinLore.global.get).value.btc_dominance, 50.55)
    })
  )
})

describe("CoinLore global", () => {
  rule("reads the one row of the list, as of when it was retrieved", function* () {
    const coinLore = yield* source(() => json(globalBody))
    const snapshot = yield* coinLore.global.get
    assert.deepStrictEqual(snapshot.value, {
      market_cap: 1670518625657.5752,
      volume_24h: 66208624211.89846,
      market_cap_change_24h: 0.47,
      btc_dominance: 50.55,
      eth_dominance: 16.88,
      active_coins: 12189
    })
    assert.strictEqual(snapshot.observedAt.epochMilliseconds, start)
    assert.strictEqual(coinLore.requests()[0]?.url, "/api/global/")
  })

  rule("refuses an empty list and a market of nothing", function* () {
    const reasonOf = (body: unknown) =>
      Effect.flatMap(
        source(() => json(body)),
        (coinLore) => Effect.map(Effect.flip(coinLore.global.get), ({ reason }) => reason._tag)
      )
    assert.strictEqual(yield* reasonOf([]), "Undecodable")
    assert.strictEqual(yield* reasonOf(globalBody[0]), "Undecodable")
    assert.strictEqual(yield* reasonOf([{ ...globalBody[0], total_mcap: 0 }]), "Unusable")
  })
})
