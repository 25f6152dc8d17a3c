import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Option, Result } from "effect"
import { TestClock } from "effect/testing"
import type { Coin } from "../../src/domain/Coin.ts"
import * as Snapshot from "../../src/domain/Snapshot.ts"
import type { RowsByKey } from "../../src/services/judge/Judge.ts"
import { VersionedRef, read } from "../../src/services/refresh/Dependencies.ts"
import { servedConsensus } from "../../src/services/PricedCoins.ts"
import { SpotPrices, type SpotPricesById } from "../../src/services/SpotPrices.ts"
import { rulesOf } from "../rulesOf.ts"
import { atNoon, coin, coinsFrom, coinsOver, gecko, instant, listOf, NOW, scripted } from "./scripted.ts"

const VENUES = ["Binance", "Kraken", "OKX"]

/** A consensus of three exchanges on these prices, of 9 s ago. `width`: how much wider its band is, as a share. */
const agreedOn = (prices: Readonly<Record<string, number>>, at = NOW - 9000, width = 0): SpotPricesById =>
  new Map(
    Object.entries(prices).map(([id, price]) => [
      id,
      Snapshot.make({
        value: {
          symbol: id.slice(0, 4).toUpperCase(),
          name: `${id} of the exchanges`,
          price,
          low: price * 0.999,
          high: price * (1.001 + width),
          dispersion: 0.01,
          exchanges: VENUES.map((exchange) => ({ exchange, price: price * 1.0001, observedAt: at }))
        },
        source: Snapshot.joinSources(VENUES),
        observedAt: instant(at),
        retrievedAt: instant(at + 1000)
      })
    ])
  )

const bitcoin = coin("bitcoin", { name: "Bitcoin", price: 60_000, market_cap: 1e12, change_24h: 2 })

/** Lets the prices be computed, which takes a step for each 32 coins. */
const made = Effect.replicateEffect(Effect.yieldNow, 100, { discard: true })

/** Coins over lists and a consensus that are scripted. CoinGecko has a second page. */
const setup = Effect.fnUntraced(function* () {
  yield* atNoon
  const deep = coin("monero", { price: 3, market_cap: 5 })
  const source = yield* gecko({ page: (n) => listOf(n === 2 ? [deep] : []), coinsById: () => listOf([deep]) })
  const paprika = yield* scripted<ReadonlyArray<Coin>>("CoinPaprika")
  source.markets.says([bitcoin, ...coinsFrom(1, 249)])
  const current = new VersionedRef<SpotPricesById>(new Map())
  const listeners: Array<Effect.Effect<void>> = []
  const stablecoins = new VersionedRef<RowsByKey<Coin>>(new Map())
  const exchanges = SpotPrices.layerTest({
    current: read(current),
    stablecoins: Effect.sync(() => stablecoins.value),
    listen: (react) => Effect.sync(() => void listeners.push(react))
  })
  const coins = yield* coinsOver(source.service, paprika.feed, exchanges)
  const agree = (prices: SpotPricesById) =>
    Effect.andThen(
      Effect.sync(() => current.replace(prices)),
      Effect.andThen(Effect.all(listeners, { discard: true }), made)
    )
  const stampOf = (id: string) =>
    Effect.map(coins.coin(id), ({ observedAt, source, value }) => [
      value.price,
      source,
      NOW - observedAt.epochMilliseconds
    ])
  return { ...source, paprika, coins, agree, stablecoins, stampOf }
})

const rule = rulesOf(it, setup())

describe("a coin that exchanges agree on", () => {
  rule("is a stablecoin at the price by which pairs are converted, whatever they say", function* (given) {
    const usdt = coin("coin-7", { price: 0.999, updated: instant(NOW - 30_000) })
    const row = { value: usdt, source: "CoinGecko", key: "coingecko-markets" }
    const times = { observedAt: usdt.updated, retrievedAt: usdt.updated }
    given.stablecoins.replace(new Map([["coin-7", { ...row, ...times }]]))
    yield* given.agree(agreedOn({ "coin-7": 1.02 }))
    assert.deepStrictEqual(yield* given.stampOf("coin-7"), [0.999, "CoinGecko", 30_000])
  })

  rule("has their price, time and names, and its other figures from the list", function* ({ agree, coins }) {
    yield* agree(agreedOn({ bitcoin: 61_000 }))
    const { observedAt, source, value } = yield* coins.coin("bitcoin")
    assert.deepInclude(value, { price: 61_000, market_cap: 1e12, change_24h: 3.7, updated: instant(NOW - 9000) })
    assert.deepStrictEqual([source, observedAt], ["Binance + Kraken + OKX", instant(NOW - 9000)])
  })

  rule("is as sure as its band is narrow; without exchanges, as aggregators agree", function* (given) {
    const confidenceOf = (id: string) => Effect.map(given.coins.coin(id), ({ confidence }) => confidence)
    yield* given.agree(agreedOn({ bitcoin: 60_000 }))
    assert.strictEqual(yield* confidenceOf("bitcoin"), "high")
    yield* given.agree(agreedOn({ bitcoin: 60_000 }, NOW - 9000, 0.006))
    assert.strictEqual(yield* confidenceOf("bitcoin"), "medium")
    yield* given.agree(new Map())
    assert.strictEqual(yield* confidenceOf("coin-7"), "low")
    const known = (yield* given.coins.coin("coin-7")).value.price ?? 0
    for (const [share, confidence] of [
      [1.009, "medium"],
      [1.011, "low"]
    ] as const) {
      given.paprika.says([coin("coin-7", { price: known * share })])
      yield* TestClock.adjust("2 minutes")
      yield* made
      assert.strictEqual(yield* confidenceOf("coin-7"), confidence, String(share))
    }
  })

  rule("has the names that exchanges' pairs were saved with, if no list and no registry has it", function* (given) {
    yield* given.agree(agreedOn({ "rare-coin": 4 }))
    const fiber = yield* Effect.forkChild(given.coins.coin("rare-coin"), { startImmediately: true })
    yield* TestClock.adjust("6 seconds")
    assert.deepInclude((yield* Fiber.join(fiber)).value, {
      price: 4,
      symbol: "RARE",
      name: "rare-coin of the exchanges"
    })
  })

  rule("has the same price on lists, pages and look-ups", function* ({ agree, coins }) {
    const prices = { bitcoin: 61_000, "coin-7": 1.25, monero: 3.1 }
    yield* agree(agreedOn(prices))
    const fiber = yield* Effect.forkChild(coins.many(Object.keys(prices)), { startImmediately: true })
    yield* TestClock.adjust("20 millis")
    const [list, second] = [yield* coins.list, yield* coins.page(2, 250)]
    const looked = yield* Fiber.join(fiber)
    for (const [id, price] of Object.entries(prices)) {
      const page = [...(yield* coins.page(1, 250)).value.coins, ...second.value.coins]
      assert.strictEqual(page.find((one) => one.id === id)?.price, price, id)
      assert.strictEqual(second.value.sources?.get("monero"), "Binance + Kraken + OKX")
      if (id !== "monero") assert.strictEqual(list.value.byId.get(id)?.price, price, id)
      assert.deepInclude(Option.getOrThrow(Result.getSuccess(looked.get(id) ?? assert.fail())).value, { price })
      assert.strictEqual((yield* coins.coin(id)).value.price, price, id)
    }
    assert.strictEqual((yield* coins.coin("monero")).value.market_cap, 5)
  })

  rule("has what each of them says among its quotes, the aggregators after them", function* ({ agree, coins }) {
    yield* agree(agreedOn({ bitcoin: 61_000 }))
    const quotes = yield* coins.sourceQuotes(yield* coins.coin("bitcoin"))
    assert.deepStrictEqual(
      quotes.map(({ kind, price, source }) => [source, kind, price]),
      [...VENUES.map((name) => [name, "exchange", 61_006.1]), ["CoinGecko", "aggregator", 60_000]]
    )
  })

  rule("is no aggregator's quote once the exchanges no longer agree", function* ({ agree, coins }) {
    yield* agree(agreedOn({ bitcoin: 60_000, "only-there": 5 }))
    yield* agree(agreedOn({ bitcoin: 60_000 }))
    const asking = yield* Effect.forkChild(coins.coin("only-there"), { startImmediately: true })
    yield* TestClock.adjust("1 second")
    const held = yield* Fiber.join(asking)
    assert.deepStrictEqual([held.value.price, held.source, held.spot], [5, "Binance + Kraken + OKX", undefined])
    assert.deepStrictEqual(yield* coins.sourceQuotes(held), [])
  })

  rule("has the price of before until all are made, in steps that let requests in between", function* (world) {
    const { agree, coins } = world
    const ids = coinsFrom(1, 249).map(({ id }) => id)
    const agreed = (price: number) => agreedOn(Object.fromEntries(ids.map((id) => [id, price])), NOW - 9000)
    const prices = Effect.map(coins.list, ({ value }) => [
      ...new Set(value.coins.filter(({ id }) => id !== "bitcoin").map(({ price }) => price))
    ])
    yield* agree(agreed(2))
    const making = yield* Effect.forkChild(agree(agreed(3)), { startImmediately: true })
    const seen: Array<ReadonlyArray<number | null>> = []
    do {
      seen.push(yield* prices)
      yield* Effect.yieldNow
    } while (making.pollUnsafe() === undefined)
    assert.isAtLeast(seen.filter(([price]) => price === 2).length, 6)
    assert.deepStrictEqual([seen.at(0), seen.at(-1)], [[2], [3]])
    for (const some of seen) assert.lengthOf(some, 1)
  })

  rule("goes back to the list when they agree no more, and stays where two aggregators differ", function* (world) {
    const { agree, coins, paprika, stampOf } = world
    paprika.says([{ ...bitcoin, price: 60_500 }])
    yield* TestClock.adjust("75 seconds")
    yield* agree(agreedOn({ bitcoin: 61_000 }))
    assert.deepStrictEqual(yield* stampOf("bitcoin"), [61_000, "Binance + Kraken + OKX", 9000])
    assert.strictEqual(servedConsensus(yield* coins.coin("bitcoin"))?.price, 61_000)
    yield* agree(agreedOn({ bitcoin: 90_000 }))
    assert.deepStrictEqual(yield* stampOf("bitcoin"), [60_000, "CoinGecko", 0])
    const disbelieved = yield* coins.coin("bitcoin")
    assert.deepStrictEqual([disbelieved.spot?.price, servedConsensus(disbelieved)], [90_000, undefined])
    yield* agree(new Map())
    assert.deepStrictEqual(yield* stampOf("bitcoin"), [60_000, "CoinGecko", 0])
  })

  rule("has its other figures from a list whose price is near", function* ({ agree, coins, markets, paprika }) {
    paprika.says([{ ...bitcoin, price: 60_500, volume_24h: 7 }])
    markets.says([{ ...bitcoin, price: 75_000, volume_24h: 9 }])
    yield* TestClock.adjust("75 seconds")
    yield* agree(agreedOn({ bitcoin: 61_000 }))
    assert.deepInclude((yield* coins.coin("bitcoin")).value, { price: 61_000, volume_24h: 7 })
  })

  rule("keeps its price through a jump until an aggregator says the same", function* ({ agree, coins, markets }) {
    const prices: Array<number | null> = []
    for (const [n, price] of [61_000, 400_000, 400_000, 400_000, 400_000].entries()) {
      yield* agree(agreedOn({ bitcoin: price }, NOW - 9000 + n * 1000))
      prices.push((yield* coins.coin("bitcoin")).value.price)
    }
    markets.says([{ ...bitcoin, price: 390_000 }])
    yield* TestClock.adjust("75 seconds")
    yield* made
    prices.push((yield* coins.coin("bitcoin")).value.price)
    assert.deepStrictEqual(prices, [61_000, 60_000, 60_000, 60_000, 60_000, 400_000])
  })

  rule("goes on without any aggregator, its other figures unknown when they are too old", function* (world) {
    const { agree, coins, markets, stampOf } = world
    markets.fails()
    yield* agree(agreedOn({ bitcoin: 61_000 }))
    yield* TestClock.adjust("50 minutes")
    const at = NOW + 50 * 60_000
    yield* agree(agreedOn({ bitcoin: 62_000 }, at))
    assert.strictEqual((yield* coins.coin("bitcoin")).value.market_cap, 1e12)
    yield* TestClock.adjust("12 minutes")
    yield* agree(agreedOn({ bitcoin: 63_000 }, at + 12 * 60_000))
    const { value } = yield* coins.coin("bitcoin")
    assert.deepInclude(value, { name: "Bitcoin", price: 63_000, market_cap: null, change_24h: null })
    assert.deepStrictEqual((yield* coins.list).value.coins, [value])
    assert.strictEqual((yield* stampOf("bitcoin"))[0], 63_000)
  })
})
