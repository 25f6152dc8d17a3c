import { assert, describe, it } from "@effect/vitest"
import { DateTime, Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import type { Coin } from "../../src/domain/Coin.ts"
import * as SnapshotRows from "../../src/history/store/SnapshotRows.ts"
import type { CoinGecko } from "../../src/sources/market/CoinGecko.ts"
import type { ListedCoin } from "../../src/domain/CoinIndex.ts"
import { atNoon, coin, coinsFrom, coinsOver, gecko, instant, listOf, NOW, scripted, unreachable } from "./scripted.ts"
import { rule, rulesOf } from "../rulesOf.ts"

const bitcoin = coin("bitcoin", { symbol: "BTC", name: "Bitcoin", rank: 1, price: 60_000, market_cap: 1e12 })

/** Coins over three scripted sources; CoinGecko has the 250 largest, Bitcoin first. */
const setup = Effect.fnUntraced(function* (service: Partial<CoinGecko["Service"]> = {}) {
  yield* atNoon
  const registry = yield* scripted<ReadonlyArray<ListedCoin>>("CoinGecko", "1 day")
  const source = yield* gecko({
    registry: registry.feed,
    page: () => listOf([]),
    coinsById: (ids) =>
      listOf(ids.filter((id) => id.startsWith("small")).map((id) => coin(id, { updated: instant(NOW - 5000) }))),
    ...service
  })
  const paprika = yield* scripted<ReadonlyArray<Coin>>("CoinPaprika")
  source.markets.says([bitcoin, ...coinsFrom(1, 249)])
  const coins = yield* coinsOver(source.service, paprika.feed)
  /** A look-up, and the moment in which look-ups are gathered. */
  const look = (id: string) =>
    Effect.gen(function* () {
      const fiber = yield* Effect.forkChild(coins.coin(id), { startImmediately: true })
      // The prices may be computed first, which takes turns of the event loop.
      while (fiber.pollUnsafe() === undefined) yield* TestClock.adjust("20 millis")
      return yield* Fiber.join(fiber)
    })
  return { ...source, coins, look, registry, paprika }
})

/** Prices are computed in turns of the event loop, which no clock moves on. */
const computed = Effect.repeat(Effect.yieldNow, { times: 200 })

const ruleWith = rulesOf(it, setup())

describe("one coin", () => {
  ruleWith("of the list costs no call and is stamped with its own time", function* ({ coins, lookUps, markets }) {
    markets.says([{ ...bitcoin, updated: instant(NOW + 60_000) }, coin("late", { updated: instant(NOW - 3_000_000) })])
    yield* TestClock.adjust("75 seconds")
    const late = yield* coins.coin("late")
    assert.strictEqual(late.observedAt.epochMilliseconds, NOW - 3_000_000)
    assert.strictEqual((yield* coins.list).observedAt.epochMilliseconds, NOW + 60_000)
    assert.deepStrictEqual(lookUps, [])
  })

  ruleWith("that is not in the list is looked up", function* ({ look, lookUps }) {
    assert.strictEqual((yield* look("small-1")).value.id, "small-1")
    assert.deepStrictEqual(lookUps, [["small-1"]])
  })

  rule("that is looked up keeps its price, in pages too, until two newer observations repeat a jump", function* () {
    let price = 1
    const small = () => Effect.flatMap(DateTime.now, (updated) => listOf([coin("small-1", { price, updated })]))
    const { coins, look } = yield* setup({ coinsById: small, page: small })
    const prices: Array<number | null | undefined> = []
    for (let round = 0; round < 4; round++) {
      yield* TestClock.adjust("5 minutes")
      prices.push((yield* look("small-1")).value.price, (yield* coins.page(2, 250)).value.coins[0]?.price)
      price = 900
    }
    assert.deepStrictEqual(prices, [1, 1, 1, 1, 1, 1, 900, 900])
  })

  ruleWith("that no source knows is unknown, with coins that may have been meant", function* ({ look }) {
    const failure = yield* Effect.flip(look("btc"))
    assert.strictEqual(failure._tag, "UnknownCoin")
    assert.deepStrictEqual(failure._tag === "UnknownCoin" && failure.suggestions[0], {
      id: "bitcoin",
      symbol: "BTC",
      name: "Bitcoin"
    })
  })

  ruleWith("whose id is none is unknown without asking", function* ({ coins, lookUps }) {
    const none = [
      "",
      "a b",
      "a,b",
      "a\u0000",
      "a\u202e",
      "\ud800",
      "x".repeat(201),
      "é".repeat(34),
      "BITCOIN",
      "e\u0301"
    ]
    for (const id of none) {
      assert.strictEqual((yield* Effect.flip(coins.coin(id)))._tag, "UnknownCoin", id)
    }
    assert.deepStrictEqual(lookUps, [])
  })

  rule("whose id has other characters than most is looked up by it", function* () {
    const ids = ["_", "--3", "0-5x-long", "a.b", "é", "日本", "../etc", "%00"]
    const { look, lookUps } = yield* setup()
    for (const id of ids) yield* Effect.exit(look(id))
    assert.deepStrictEqual(lookUps.flat(), ids)
  })

  rule("is unavailable, not unknown, while no source can be asked", function* () {
    const { look } = yield* setup({ coinsById: () => Effect.fail(unreachable("CoinGecko")) })
    assert.strictEqual((yield* Effect.flip(look("small-1")))._tag, "Unavailable")
  })

  rule("that is not in the registry of all ids is unknown without asking a source", function* () {
    const { look, lookUps, registry } = yield* setup({ coinsById: () => Effect.fail(unreachable("CoinGecko")) })
    registry.says([{ id: "small-1", symbol: "S", name: "Small", platforms: null }])
    yield* TestClock.adjust("90 seconds")
    assert.strictEqual((yield* Effect.flip(look("no-such-coin")))._tag, "UnknownCoin")
    assert.deepStrictEqual(lookUps, [])
    assert.strictEqual((yield* Effect.flip(look("small-1")))._tag, "Unavailable")
  })

  ruleWith("whose price alone jumps keeps its row and its time, and the others go on", function* ({ coins, markets }) {
    const later = instant(NOW + 60_000)
    markets.says([{ ...bitcoin, price: 600_000, updated: later }, coin("coin-1", { price: 2, updated: later })])
    yield* TestClock.adjust("75 seconds")
    // Prices are computed in steps.
    yield* Effect.replicateEffect(Effect.yieldNow, 100, { discard: true })
    const doubted = yield* coins.coin("bitcoin")
    assert.deepStrictEqual([doubted.value.price, doubted.observedAt.epochMilliseconds], [60_000, NOW])
    const said = (yield* coins.sourceQuotes(doubted)).map(({ price, updated }) => [
      price,
      updated.epochMilliseconds - NOW
    ])
    assert.deepStrictEqual(said, [
      [60_000, 0],
      [600_000, 60_000]
    ])
    const other = yield* coins.coin("coin-1")
    assert.deepStrictEqual([other.value.price, other.observedAt.epochMilliseconds], [2, NOW + 60_000])
  })
})

describe("a listed coin without a price", () => {
  const unpriced = coin("unpriced", { price: null })

  rule("is looked up where no source has one", function* () {
    const { coins, look, markets } = yield* setup({ coinsById: () => listOf([coin("unpriced", { price: 3 })]) })
    markets.says([bitcoin, unpriced])
    yield* TestClock.adjust("75 seconds")
    const found = yield* look("unpriced")
    assert.deepStrictEqual([found.value.price, (yield* coins.sourceQuotes(found)).map(({ price }) => price)], [3, [3]])
  })

  rule("stays without one where no source names any", function* () {
    const { look, markets, paprika } = yield* setup({ coinsById: () => Effect.fail(unreachable("CoinGecko")) })
    markets.says([bitcoin, unpriced])
    paprika.says([unpriced])
    yield* TestClock.adjust("75 seconds")
    const found = yield* look("unpriced")
    assert.deepStrictEqual([found.value.price, found.source], [null, "CoinGecko"])
  })
})

describe("a coin that several sources hold", () => {
  const prices = (list: ReadonlyArray<{ readonly source: string; readonly price: number | null }>) =>
    list.map(({ price, source }) => [source, price])

  ruleWith("has what each says of it among its quotes, in order", function* ({ coins, markets, paprika }) {
    markets.says([bitcoin])
    paprika.says([{ ...bitcoin, price: 60_500 }])
    yield* TestClock.adjust("75 seconds")
    const held = yield* coins.coin("bitcoin")
    assert.strictEqual(held.source, "CoinGecko")
    assert.deepStrictEqual(prices(yield* coins.sourceQuotes(held)), [
      ["CoinGecko", 60_000],
      ["CoinPaprika", 60_500]
    ])
  })

  ruleWith(
    "is served by the next one where the first has no price, each coin recorded as its own source's",
    function* ({ coins, markets, paprika }) {
      markets.says([{ ...bitcoin, price: null }, coin("coin-1")])
      paprika.says([{ ...bitcoin, price: 60_500 }])
      yield* TestClock.adjust("75 seconds")
      const list = yield* coins.list
      assert.strictEqual(list.value.byId.get("bitcoin")?.price, 60_500)
      assert.strictEqual((yield* coins.coin("coin-1")).source, "CoinGecko")
      assert.deepStrictEqual(
        SnapshotRows.ofCoins({ ...list, retrievedAt: instant(NOW - 1) }).map(({ observedAt, series, source }) => [
          series,
          source,
          observedAt - NOW
        ]),
        [
          ["coin/bitcoin", "CoinPaprika", 0],
          ["coin/coin-1", "CoinGecko", 0]
        ]
      )
    }
  )

  ruleWith("is disputed where a source differs by more than 10 %", function* ({ coins, markets, paprika }) {
    markets.says([{ ...bitcoin, price: 75_000 }, coin("coin-1")])
    paprika.says([{ ...bitcoin, price: 60_500 }])
    yield* TestClock.adjust("75 seconds")
    assert.deepStrictEqual([...(yield* coins.disputed)], ["bitcoin"])
  })

  rule("is in the list by the source that has a young row of it, and else left out and unavailable", function* () {
    const { coins, look, markets, paprika } = yield* setup({ coinsById: () => Effect.fail(unreachable("CoinGecko")) })
    const old = instant(NOW - 3_600_001)
    markets.says([bitcoin, coin("b", { updated: old }), coin("c", { updated: old })])
    paprika.says([coin("b", { price: 2 })])
    yield* TestClock.adjust("75 seconds")
    const ids = (yield* coins.list).value.coins.map(({ id }) => id)
    assert.deepStrictEqual(ids, ["bitcoin", "b"])
    assert.strictEqual((yield* coins.coin("b")).source, "CoinPaprika")
    assert.strictEqual((yield* Effect.flip(look("c")))._tag, "Unavailable")
  })

  ruleWith("that the first list lacks is a later one's, without a look-up", function* ({ coins, lookUps, paprika }) {
    paprika.says([coin("small-1", { price: 4 })])
    yield* TestClock.adjust("75 seconds")
    yield* computed
    assert.deepStrictEqual((yield* coins.coin("small-1")).value.price, 4)
    assert.isFalse((yield* coins.list).value.byId.has("small-1"))
    assert.deepStrictEqual(lookUps, [])
  })
})

describe("pages of coins", () => {
  ruleWith("of the first 250 cost no call, and say that there is more", function* ({ coins, pages }) {
    const page = yield* coins.page(2, 125)
    assert.strictEqual(page.value.coins.length, 125)
    assert.isTrue(page.value.more)
    assert.deepStrictEqual(pages, [])
  })

  ruleWith("of a fallback end with what it has, and go no deeper", function* ({ coins, markets, pages, paprika }) {
    markets.fails()
    paprika.says([bitcoin, ...coinsFrom(1, 149)])
    yield* TestClock.adjust("8 minutes")
    assert.deepInclude((yield* coins.page(1, 100)).value, { more: true })
    const last = yield* coins.page(2, 100)
    assert.deepStrictEqual([last.value.coins.length, last.value.more, last.source], [50, false, "CoinPaprika"])
    assert.deepInclude((yield* coins.page(9, 250)).value, { coins: [], more: false })
    assert.deepStrictEqual(pages, [])
  })

  rule("beyond the first 250 that cannot be had are unavailable", function* () {
    const { coins } = yield* setup({ page: () => Effect.fail(unreachable("CoinGecko")) })
    assert.strictEqual((yield* Effect.flip(coins.page(2, 250)))._tag, "Unavailable")
  })
})

ruleWith("suggestions are those of the search, ranked coins first, five at most", function* ({ coins, registry }) {
  const bitcoins = Array.from({ length: 9 }, (_, n) => `bitcoin-${n}`)
  registry.says([...bitcoins, "bitcoin"].map((id) => ({ id, symbol: "BIT", name: id, platforms: {} })))
  yield* TestClock.adjust("90 seconds")
  const suggested = yield* coins.suggest("bitcoi")
  assert.strictEqual(suggested[0]?.id, "bitcoin")
  assert.strictEqual(suggested.length, 5)
  assert.isTrue(suggested.every(({ symbol }) => symbol === symbol.toUpperCase()))
})

ruleWith("a search that finds nothing fails until the registry has arrived", function* ({ coins, registry }) {
  yield* TestClock.adjust("10 seconds")
  assert.lengthOf((yield* coins.search("bitcoin", 1)).value, 1)
  const early = yield* Effect.forkChild(Effect.flip(coins.search("no such coin", 1)), { startImmediately: true })
  yield* TestClock.adjust("5 seconds")
  assert.strictEqual((yield* Fiber.join(early))._tag, "Unavailable")
  registry.says([{ id: "bitcoin", symbol: "BTC", name: "Bitcoin", platforms: {} }])
  yield* TestClock.adjust("1 minute")
  assert.deepStrictEqual((yield* coins.search("no such coin", 1)).value, [])
})

ruleWith("the list is indexed once per refresh, however many read it", function* ({ coins }) {
  const [first, second] = yield* Effect.all([coins.list, coins.list])
  assert.strictEqual(first.value, second.value)
})
