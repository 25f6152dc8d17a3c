import { assert, describe, it } from "@effect/vitest"
import { DateTime, Effect } from "effect"
import { CoinPaprika } from "../../../src/sources/market/CoinPaprika.ts"
import globalBody from "../fixtures/coinpaprika-global.json" with { type: "json" }
import tickers from "../fixtures/coinpaprika-tickers.json" with { type: "json" }
import { hasRecordings, json, recording, scriptedSource } from "../ScriptedUpstream.ts"
import { rule } from "../../rulesOf.ts"

const source = scriptedSource({
  source: CoinPaprika,
  setting: "COINPAPRIKA_BASE_URL",
  path: "/v1",
  at: "2023-07-11T08:41:00Z"
})

const listOf = (rows: unknown, at?: { readonly now: string }) =>
  Effect.flatMap(
    source(() => json(rows), at),
    (paprika) => paprika.coins.get
  )

const [bitcoin, ether, bnb, weth] = tickers

const withUsd = (row: (typeof tickers)[number] | undefined, usd: Readonly<Record<string, unknown>>) => ({
  ...row,
  quotes: { USD: { ...row?.quotes.USD, ...usd } }
})

describe("CoinPaprika list", () => {
  rule("maps tickers to coins under CoinGecko's ids, symbols and names, as of the newest row", function* () {
    const paprika = yield* source(() => json(tickers))
    const snapshot = yield* paprika.coins.get
    assert.deepStrictEqual(
      snapshot.value.map((coin) => `${coin.id} ${coin.symbol} ${coin.name}`),
      ["bitcoin BTC Bitcoin", "ethereum ETH Ethereum", "binancecoin BNB BNB", "weth WETH WETH"]
    )
    assert.deepStrictEqual(snapshot.value[0], {
      id: "bitcoin",
      symbol: "BTC",
      name: "Bitcoin",
      rank: 1,
      price: 30538.078793975994,
      market_cap: 593248170920,
      volume_24h: 13441600877.886246,
      circulating_supply: 19426506,
      total_supply: 19426512,
      max_supply: 21000000,
      change_1h: -0.09,
      change_24h: 1.24,
      change_7d: -1.46,
      updated: DateTime.makeUnsafe("2023-07-11T08:40:17Z"),
      high_24h: null,
      low_24h: null,
      ath: 68692.13703693185,
      ath_date: DateTime.makeUnsafe("2021-11-10T16:50:00Z"),
      image: null
    })
    assert.strictEqual(snapshot.source, "CoinPaprika")
    assert.strictEqual(DateTime.formatIso(snapshot.observedAt), "2023-07-11T08:40:17.000Z")
    assert.deepStrictEqual(paprika.urls(), ["/v1/tickers?quotes=USD"])
  })

  rule("0 and absence are unknown: ranks, supplies, caps, prices", function* () {
    const { value } = yield* listOf([...tickers.slice(1), withUsd(bitcoin, { price: 0 })])
    const coin = (id: string) => value.find((candidate) => candidate.id === id)
    assert.strictEqual(coin("ethereum")?.circulating_supply, null)
    assert.strictEqual(coin("ethereum")?.max_supply, null)
    assert.deepStrictEqual(
      [coin("weth")?.rank, coin("weth")?.market_cap, coin("weth")?.circulating_supply, coin("weth")?.total_supply],
      [null, null, null, null]
    )
    assert.deepStrictEqual([coin("weth")?.ath, coin("weth")?.ath_date], [null, null])
    assert.strictEqual(coin("bitcoin")?.price, null)
  })

  rule("loses a bad row, not the list", function* () {
    const bad = [
      withUsd(bitcoin, { price: "30538.07" }),
      { ...bitcoin, last_updated: "yesterday" },
      { ...bitcoin, quotes: { BTC: bitcoin?.quotes.USD } },
      null
    ]
    assert.deepStrictEqual(
      (yield* listOf([...bad, ether])).value.map((coin) => coin.id),
      ["ethereum"]
    )
  })

  rule("leaves out coins that share a symbol only, and prefers the id it is sure of to a name", function* () {
    const impostor = { ...withUsd(bitcoin, { price: 1, market_cap: 9e15 }), id: "btc-bitcoin-2" }
    const { value } = yield* listOf([impostor, ...tickers])
    assert.deepStrictEqual(
      value.filter((coin) => coin.symbol === "BTC").map((coin) => coin.price),
      [30538.078793975994]
    )
  })

  rule("calls a coin what CoinGecko calls it", function* () {
    const [coin] = (yield* listOf([{ ...bnb, id: "miota-iota", symbol: "MIOTA", name: "Iota Foundation" }])).value
    assert.deepStrictEqual([coin?.id, coin?.symbol, coin?.name], ["iota", "IOTA", "IOTA"])
  })

  rule("keeps the larger of two rows that are one coin by name", function* () {
    const larger = { ...withUsd(weth, { market_cap: 5e9, price: 1878 }), id: "weth-wrapped-ether" }
    for (const rows of [
      [weth, larger],
      [larger, weth]
    ]) {
      assert.deepStrictEqual(
        (yield* listOf(rows)).value.map((coin) => [coin.id, coin.price]),
        [["weth", 1878]]
      )
    }
  })

  rule("a row that is dated up to a minute ahead of us is as of now; further ahead it is left out", function* () {
    const ahead = yield* Effect.flip(listOf([{ ...bitcoin, last_updated: "2023-07-11T08:42:01Z" }]))
    assert.strictEqual(ahead.reason._tag, "Unusable")
    const snapshot = yield* listOf([{ ...bitcoin, last_updated: "2023-07-11T08:42:00Z" }])
    assert.strictEqual(DateTime.formatIso(snapshot.observedAt), "2023-07-11T08:41:00.000Z")
    assert.deepStrictEqual(snapshot.value[0]?.updated, snapshot.retrievedAt)
  })

  rule("has no list without a coin that we know", function* () {
    assert.strictEqual((yield* Effect.flip(listOf([]))).reason._tag, "Unusable")
    assert.strictEqual((yield* Effect.flip(listOf([{ ...bnb, id: "x-x", name: "X" }]))).reason._tag, "Unusable")
    assert.strictEqual((yield* Effect.flip(listOf({ error: "not found" }))).reason._tag, "Undecodable")
  })

  rule("reads two thousand rows", function* () {
    const others = Array.from({ length: 2_000 }, (_, n) => ({
      ...bnb,
      id: `x${n}-coin`,
      name: `Coin ${n}`,
      symbol: "X"
    }))
    assert.strictEqual((yield* listOf([...others, ...tickers])).value.length, 4)
  })

  it.effect.skipIf(!hasRecordings)("reads the recorded answers (skipped where ../shared/samples is missing)", () =>
    Effect.gen(function* () {
      const of2023: unknown = JSON.parse(recording("coinpaprika/ticker-btc.2023-07-11.json"))
      assert.strictEqual((yield* listOf([of2023], { now: "2023-07-12T00:00:00Z" })).value[0]?.price, 30538.078793975994)
      const of2025: unknown = JSON.parse(recording("coinpaprika/ticker-btc.docs-2025-06-25.partial.json"))
      const [coin] = (yield* listOf([of2025], { now: "2025-06-26T00:00:00Z" })).value
      assert.deepStrictEqual(
        [coin?.price, coin?.circulating_supply, coin?.change_24h, coin?.ath],
        [107077.69661924685, null, null, null]
      )
      const paprika = yield* source(() => ({ status: 200, body: recording("coinpaprika/global.2020-10-21.json") }))
      assert.strictEqual((yield* paprika.global.get).value.market_cap, 368198248292)
    })
  )
})

describe("CoinPaprika global", () => {
  rule("has no share of Ethereum, and a time in seconds", function* () {
    const paprika = yield* source(() => json(globalBody))
    const snapshot = yield* paprika.global.get
    assert.deepStrictEqual(snapshot.value, {
      market_cap: 368198248292,
      volume_24h: 59351367068,
      market_cap_change_24h: -0.2,
      btc_dominance: 59.98,
      eth_dominance: null,
      active_coins: 2435
    })
    assert.strictEqual(DateTime.formatIso(snapshot.observedAt), "2020-10-20T23:56:47.000Z")
    assert.strictEqual(paprika.requests()[0]?.url, "/v1/global")
  })

  rule("refuses a market of nothing and a time that is not in seconds", function* () {
    const reasonOf = (body: unknown) =>
      Effect.flatMap(
        source(() => json(body)),
        (paprika) => Effect.map(Effect.flip(paprika.global.get), ({ reason }) => reason._tag)
      )
    assert.strictEqual(yield* reasonOf({ ...globalBody, market_cap_usd: 0 }), "Unusable")
    assert.strictEqual(yield* reasonOf({ ...globalBody, last_updated: 1603238207000 }), "Undecodable")
    assert.strictEqual(yield* reasonOf({ error: "too many requests" }), "Undecodable")
  })

  rule("fails apart from the list", function* () {
    const paprika = yield* source(({ url }) => (url === "/v1/global" ? json(globalBody) : { status: 402, body: "" }))
    for (let call = 0; call < 3; call++) yield* Effect.flip(paprika.coins.get)
    assert.strictEqual((yield* paprika.global.get).value.active_coins, 2435)
  })
})
