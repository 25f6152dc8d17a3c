import { assert, describe } from "@effect/vitest"
import { Context, Effect, Layer, Logger } from "effect"
import { KeyValueStore } from "effect/persistence"
import { TestClock } from "effect/testing"
import type { Coin } from "../../src/domain/Coin.ts"
import type { GlobalMarket } from "../../src/domain/GlobalMarket.ts"
import type { Pair } from "../../src/domain/Pair.ts"
import { CoinLists } from "../../src/services/CoinLists.ts"
import { SpotPrices } from "../../src/services/SpotPrices.ts"
import { FirstAnswer } from "../../src/services/refresh/FirstAnswer.ts"
import * as Judgements from "../../src/services/judge/Judgements.ts"
import { CoinGecko } from "../../src/sources/market/CoinGecko.ts"
import { CoinPaprika } from "../../src/sources/market/CoinPaprika.ts"
import { atNoon, coin, gecko, instant, NOW, scripted } from "./scripted.ts"
import { capturedLog } from "../resources.ts"
import { rule } from "../rulesOf.ts"
import { exchangeNames, layerExchanges } from "./scriptedExchanges.ts"

const bitcoinAt = (price: number, updated = NOW) => [
  coin("bitcoin", { symbol: "BTC", name: "Bitcoin", rank: 1, price, updated: instant(updated) })
]

/** A dollar pair of bitcoin. */
const pair = (last: number, fields: Partial<Pair> = {}): Pair => ({
  market: "BTC/USD",
  base: "BTC",
  quote: "USD",
  bid: null,
  ask: null,
  last,
  turnover: 1e6,
  observedAt: NOW,
  ...fields
})

/** The service over scripted exchanges and aggregators, all of which fail until they are told what to say. */
const setup = Effect.fnUntraced(function* (
  store: Layer.Layer<never> | Layer.Layer<KeyValueStore.KeyValueStore> = Layer.empty
) {
  const lists = yield* gecko()
  const paprika = yield* scripted<ReadonlyArray<Coin>>(
    "CoinPaprika",
    "1 minute",
    undefined,
    "CoinPaprika",
    "20 minutes"
  )
  const global = yield* scripted<GlobalMarket>("none")
  const sources = new Map(
    yield* Effect.forEach(exchangeNames, (name) =>
      Effect.map(scripted<ReadonlyArray<Pair>>(name, "20 seconds"), (one) => [name, one] as const)
    )
  )
  const of = (name: (typeof exchangeNames)[number]) => sources.get(name) ?? assert.fail(name)
  const build = Layer.build(
    SpotPrices.layerNoDeps.pipe(
      Layer.provideMerge(CoinLists.layerNoDeps),
      Layer.provide([
        CoinGecko.layerTest(lists.service),
        CoinPaprika.layerTest({ coins: paprika.feed, global: global.feed }),
        layerExchanges((name) => of(name).feed)
      ]),
      Layer.provide(Judgements.layer),
      Layer.provide(store)
    )
  )
  const start = Effect.map(build, (context) => Context.get(context, SpotPrices))
  const [kraken, bitstamp, bitfinex] = [of("Kraken"), of("Bitstamp"), of("Bitfinex")]
  return { ...lists, paprika, kraken, bitstamp, bitfinex, three: [kraken, bitstamp, bitfinex], of, start }
})

type Market = Effect.Success<ReturnType<typeof setup>>

const priceIn = ({ current }: SpotPrices["Service"], id: string) =>
  Effect.map(current, (prices) => prices.get(id) ?? assert.fail(`no price of ${id}`))

/** Three exchanges that agree, and an aggregator that says so. */
const three = ({ bitfinex, bitstamp, kraken, markets }: Market) => {
  markets.says(bitcoinAt(60_000))
  kraken.says([pair(60_010, { turnover: 2e6, observedAt: NOW - 9000 })])
  bitstamp.says([pair(60_020, { turnover: 3e6, observedAt: NOW - 4000 })])
  bitfinex.says([pair(60_030)])
}

describe("prices from the markets", () => {
  rule("are those on which three exchanges agree, in their names, as of the oldest pair", function* () {
    yield* atNoon
    const market = yield* setup()
    three(market)
    const spot = yield* market.start
    yield* TestClock.adjust("300 millis")
    const { observedAt, source, value } = yield* priceIn(spot, "bitcoin")
    assert.deepStrictEqual([value.price, source], [60_020, "Bitstamp + Kraken + Bitfinex"])
    assert.strictEqual(observedAt.epochMilliseconds, NOW - 9000)
    assert.strictEqual(yield* spot.current, yield* spot.current)
  })

  rule("are missed in the log once an outage while too few exchanges answer", function* () {
    yield* atNoon
    const market = yield* setup()
    three(market)
    const logged: Array<string> = []
    const log = Logger.make<unknown, void>(({ logLevel, message }) => {
      if (logLevel === "Warn" && String(message).includes("exchanges answer")) logged.push(String(message))
    })
    const turns = market.three
    yield* Effect.gen(function* () {
      yield* market.start
      yield* TestClock.adjust("2 minutes")
      assert.deepStrictEqual(logged, [])
      for (let outage = 1; outage <= 2; outage++) {
        market.kraken.fails()
        yield* TestClock.adjust("10 minutes")
        assert.lengthOf(logged, outage)
        for (const one of turns) one.says([pair(60_000 + outage, { observedAt: NOW + outage * 720_000 })])
        yield* TestClock.adjust("2 minutes")
      }
    }).pipe(Effect.provide(Logger.layer([log])))
    assert.match(logged[0] ?? "", /^2 of 8 exchanges answer, and the price of a coin needs 3: .*SOURCES_DISABLED/)
  })

  rule("are missed in the log only where some source has answered", function* () {
    yield* atNoon
    for (const hasCome of [false, true]) {
      const market = yield* setup()
      const { layer, logged } = capturedLog()
      const passed = Effect.andThen(market.start, TestClock.adjust("2 minutes"))
      yield* passed.pipe(Effect.provideService(FirstAnswer, { hasCome }), Effect.provide(layer))
      assert.strictEqual(logged.filter((line) => line.includes("0 of 8 exchanges answer")).length, hasCome ? 1 : 0)
    }
  })

  rule("follow their exchanges within half a minute, and end two minutes after these fell silent", function* () {
    yield* atNoon
    const market = yield* setup()
    three(market)
    const spot = yield* market.start
    yield* TestClock.adjust("300 millis")
    const now = () => NOW + 30_000
    for (const one of market.three) one.says([pair(61_000, { observedAt: now() })])
    yield* TestClock.adjust("30 seconds")
    assert.strictEqual((yield* priceIn(spot, "bitcoin")).value.price, 61_000)
    for (const one of market.three) one.fails()
    yield* TestClock.adjust("115 seconds")
    assert.strictEqual((yield* priceIn(spot, "bitcoin")).value.price, 61_000)
    yield* TestClock.adjust("1 minute")
    assert.strictEqual((yield* spot.current).size, 0)
  })

  rule("are none before an aggregator said which coin a pair is, whichever comes first", function* () {
    yield* atNoon
    const market = yield* setup()
    three(market)
    market.markets.fails()
    const spot = yield* market.start
    yield* TestClock.adjust("1 second")
    assert.strictEqual((yield* spot.current).size, 0)
    market.markets.says(bitcoinAt(60_000))
    yield* TestClock.adjust("5 seconds")
    assert.strictEqual((yield* spot.current).size, 1)
  })

  rule("outlive the aggregators through a restart, with the names of coins that nobody else knows", function* () {
    yield* atNoon
    const store = yield* Layer.build(KeyValueStore.layerMemory)
    const kept = Layer.succeedContext(store)
    const rare = { market: "RARE/USD", base: "RARE" }
    const say = (market: Market) => {
      for (const one of market.three) one.says([pair(4, rare)])
    }
    const before = yield* setup(kept)
    say(before)
    before.markets.says([coin("rare-coin", { symbol: "RARE", name: "Rare Coin", price: 4 })])
    yield* Effect.scoped(Effect.andThen(before.start, TestClock.adjust("1 second")))
    const after = yield* setup(kept)
    say(after)
    after.markets.fails()
    const spot = yield* after.start
    yield* TestClock.adjust("300 millis")
    const { value } = yield* priceIn(spot, "rare-coin")
    assert.deepStrictEqual([value.price, value.symbol, value.name], [4, "RARE", "Rare Coin"])
  })

  rule("convert no pair by a price of USDT that was passed over", function* () {
    yield* atNoon
    const market = yield* setup()
    market.markets.says([...bitcoinAt(60_000), coin("tether", { symbol: "USDT", rank: 3, price: 0.999 })])
    const exchanges = market.three
    const say = (...prices: ReadonlyArray<number>) => {
      for (const [n, exchange] of exchanges.entries()) {
        const usdt = pair(prices[n] ?? 0, { market: "USDT/USD", base: "USDT", observedAt: NOW + 60_000 })
        exchange.says([pair(60_010, { observedAt: NOW + 60_000 }), usdt])
      }
    }
    const inUsdt = { market: "BTC-USDT", quote: "USDT", turnover: 1e9, observedAt: NOW + 60_000 } as const
    market.of("OKX").says([pair(60_000, inUsdt)])
    say(0.9991, 0.9991, 0.9991)
    const spot = yield* market.start
    yield* TestClock.adjust("1 second")
    assert.strictEqual((yield* spot.stablecoins).get("tether")?.value.price, 0.9991)
    say(1.5, 0.9991, 1.5)
    yield* TestClock.adjust("1 minute")
    const tether = (yield* spot.stablecoins).get("tether")
    assert.deepStrictEqual([tether?.value.price, tether?.source], [0.999, "CoinGecko"])
    const { exchanges: quotes } = (yield* priceIn(spot, "bitcoin")).value
    assert.strictEqual(quotes.find(({ exchange }) => exchange === "OKX")?.price, 59_940)
  })

  rule("take CoinPaprika, which publishes every ten minutes, for a witness at any time", function* () {
    yield* atNoon
    const market = yield* setup()
    three(market)
    market.markets.fails()
    const spot = yield* market.start
    for (const [minutes, count] of [
      [28, 0],
      [20, 1]
    ] as const) {
      market.paprika.says(bitcoinAt(60_000, NOW - minutes * 60_000))
      yield* TestClock.adjust("61 seconds")
      for (const one of market.three) {
        one.says([pair(60_000, { observedAt: NOW + 120_000 })])
      }
      yield* TestClock.adjust("30 seconds")
      assert.strictEqual((yield* spot.current).size, count)
    }
  })

  rule("do not take an aggregator's figure of long ago for a pair's identity", function* () {
    yield* atNoon
    const market = yield* setup()
    three(market)
    market.markets.says(bitcoinAt(60_000, NOW - 11 * 60_000))
    const spot = yield* market.start
    yield* TestClock.adjust("1 second")
    assert.strictEqual((yield* spot.current).size, 0)
  })

  rule("announce a stablecoin's price of an aggregator, also while no exchange answers", function* () {
    yield* atNoon
    const market = yield* setup()
    const tether = coin("tether", { symbol: "USDT", rank: 3, price: 0.999 })
    market.markets.fails()
    market.paprika.says([tether])
    const spot = yield* market.start
    yield* TestClock.adjust("1 second")
    const seen: Array<string | undefined> = []
    yield* spot.listen(Effect.map(spot.stablecoins, (rows) => void seen.push(rows.get("tether")?.source)))
    market.markets.says([tether])
    yield* TestClock.adjust("10 minutes")
    assert.deepStrictEqual([...new Set(seen)], ["CoinPaprika", "CoinGecko"])
  })

  rule("are computed when something arrives, and never for a request", function* () {
    yield* atNoon
    const market = yield* setup()
    three(market)
    const spot = yield* market.start
    yield* TestClock.adjust("300 millis")
    let replaced = 0
    yield* spot.listen(Effect.sync(() => void replaced++))
    const before = replaced
    for (let n = 0; n < 100; n++) yield* priceIn(spot, "bitcoin")
    assert.strictEqual(replaced, before)
    yield* TestClock.adjust("25 seconds")
    assert.isAbove(replaced, before)
  })

  rule("are computed once or twice for eight exchanges that answer within a few seconds", function* () {
    yield* atNoon
    const market = yield* setup()
    three(market)
    for (const one of exchangeNames.slice(3).map(market.of)) one.says([pair(60_000)])
    market.paprika.says(bitcoinAt(60_000))
    const spot = yield* market.start
    yield* TestClock.adjust("10 seconds")
    let replaced = 0
    yield* spot.listen(Effect.sync(() => void replaced++))
    const before = replaced
    yield* TestClock.adjust("20 seconds")
    assert.isAtLeast(replaced, before + 1)
    assert.isAtMost(replaced, before + 2)
  })
})
