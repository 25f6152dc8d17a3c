// The prices that exchanges make together, over simulated worlds whose true prices are known.
import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { knownCoins } from "../../src/domain/CoinRegistry.ts"
import type { Pair } from "../../src/domain/Pair.ts"
import { candidatesOf, type Identities } from "../../src/domain/PairIdentity.ts"
import { spotMarket, type Aggregated, type Tickers } from "../../src/domain/SpotMarket.ts"
import { minuteMs } from "../../src/sandbox/Calendar.ts"
import { type ExchangeName, impostorBook, spotBooks } from "../../src/sandbox/ExchangeBooks.ts"
import * as Worlds from "../../src/sandbox/World.ts"
import { shareOf } from "../isWhole.ts"

const START = Date.UTC(2026, 10, 20, 12)
const exchanges: ReadonlyArray<ExchangeName> = ["kraken", "bitstamp", "bitfinex", "binance", "okx", "kucoin"]
const none: Aggregated = { candidates: new Map(), pricesOf: () => [] }

/** What aggregators say of every coin at a time. */
const aggregatedAt = (world: Worlds.World, at: number): Aggregated => {
  const coins = knownCoins.map(({ id, symbol }, rank) => {
    const price = world.market.price(id, at) ?? 0
    return { id, symbol: symbol.toUpperCase(), rank, prices: [price, price * 1.001] }
  })
  const byId = new Map(coins.map((coin) => [coin.id, coin.prices]))
  return { candidates: candidatesOf(coins), pricesOf: (id) => byId.get(id) ?? [] }
}

const tickersAt = (world: Worlds.World, exchange: ExchangeName, at: number): Tickers => ({
  exchange,
  pairs: [...spotBooks(world, exchange, at), ...(exchange === "kucoin" ? [impostorBook(at)] : [])].map(
    (book): Pair => ({
      ...book,
      market: `${book.base}-${book.quote}`,
      turnover: book.volume * book.last,
      observedAt: book.at
    })
  )
})

const marketAt = (world: Worlds.World, at: number) => exchanges.map((exchange) => tickersAt(world, exchange, at))

const known = (world: Worlds.World): Identities =>
  spotMarket(marketAt(world, START), new Map(), aggregatedAt(world, START), START).identities

/** The 100 coins with the largest turnover of those that exchanges list; a bridge's copy of USDT is not among them. */
const mostTraded = (world: Worlds.World, identities: Identities) => {
  const listed = new Set([...identities.values()].map(({ id }) => id))
  return world.market
    .coins(START)
    .filter(({ coin }) => listed.has(coin.id))
    .toSorted((a, b) => b.volume - a.volume)
    .slice(0, 100)
    .map(({ coin }) => coin.id)
}

const median = (values: ReadonlyArray<number>) => values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN

const worldOf = (seed: number) => Worlds.make(seed, { isCalm: true })

/** What one exchange does at worst. */
const wrongs: Readonly<Record<string, (tickers: Tickers, world: Worlds.World, at: number) => Tickers>> = {
  "× 1.5": (tickers) => scaled(tickers, 1.5),
  "× 1000": (tickers) => scaled(tickers, 1000),
  frozen: (tickers, world) => tickersAt(world, tickers.exchange as ExchangeName, START - 10 * minuteMs),
  "frozen, with a clock that runs": (tickers, world, at) => ({
    ...tickers,
    pairs: tickersAt(world, tickers.exchange as ExchangeName, START - 2 * minuteMs).pairs.map((pair) => ({
      ...pair,
      observedAt: at
    }))
  }),
  crossed: (tickers) => ({
    ...tickers,
    pairs: tickers.pairs.map((pair) => ({
      ...pair,
      bid: pair.last && pair.last * 1.2,
      ask: pair.last && pair.last * 0.8
    }))
  }),
  silent: (tickers) => ({ ...tickers, pairs: [] }),
  "at the wrong coin": (tickers) => ({
    ...tickers,
    pairs: tickers.pairs.map((pair, n) => ({ ...pair, market: tickers.pairs[n + 1]?.market ?? pair.market }))
  })
}

const scaled = ({ exchange, pairs }: Tickers, factor: number): Tickers => ({
  exchange,
  pairs: pairs.map((pair) => ({
    ...pair,
    bid: pair.bid && pair.bid * factor,
    ask: pair.ask && pair.ask * factor,
    last: pair.last && pair.last * factor
  }))
})

describe("the spot market", () => {
  it.each(
    shareOf(
      Array.from({ length: 200 }, (_, n) => n + 1),
      4
    )
  )("of world %i has the 100 most traded coins for an hour without aggregators, near their true price", (seed) => {
    const world = worldOf(seed)
    let identities = known(world)
    const coins = mostTraded(world, identities)
    const errors: Array<number> = []
    for (let minute = 1; minute <= 60; minute++) {
      const at = START + minute * minuteMs + 40_000
      const market = spotMarket(marketAt(world, at), identities, none, at)
      identities = market.identities
      for (const id of coins) {
        const found = market.prices.get(id)
        assert.isDefined(found, id)
        errors.push(Math.abs(found.price / (world.market.price(id, at) ?? 0) - 1))
      }
    }
    assert.isAtMost(median(errors), 0.0003)
    assert.isAtMost(Math.max(...errors), 0.0015)
  })

  it.each(
    shareOf(
      Array.from({ length: 40 }, (_, n) => n + 1),
      2
    )
  )("of world %i is moved by no more than 0.05 % by any exchange that is wrong in any way", (seed) => {
    const world = worldOf(seed)
    const at = START + 40_000
    const identities = known(world)
    const coins = mostTraded(world, identities)
    const honest = spotMarket(marketAt(world, at), identities, none, at).prices
    for (const exchange of exchanges) {
      for (const [name, wrong] of Object.entries(wrongs)) {
        const tickers = marketAt(world, at).map((one) => (one.exchange === exchange ? wrong(one, world, at) : one))
        for (const aggregated of [none, aggregatedAt(world, at)]) {
          const { prices } = spotMarket(tickers, identities, aggregated, at)
          for (const id of coins) {
            const moved = Math.abs((prices.get(id)?.price ?? 0) / (honest.get(id)?.price ?? 0) - 1)
            assert.isAtMost(moved, 0.0005, `${id}: ${exchange} ${name}`)
          }
        }
      }
    }
  })

  const world = worldOf(1)
  const market = spotMarket(marketAt(world, START), new Map(), aggregatedAt(world, START), START)

  it("prices USDT and USDC by their pairs in dollars, never at 1", () => {
    for (const id of ["tether", "usd-coin"]) {
      const price = market.prices.get(id)?.price ?? 0
      assert.notStrictEqual(price, 1)
      assert.closeTo(price, world.market.price(id, START) ?? 0, 0.0003)
    }
    const inDollars = new Set(["kraken", "bitstamp", "bitfinex"])
    assert.isTrue(market.prices.get("tether")?.exchanges.every(({ exchange }) => inDollars.has(exchange)))
  })

  const Factor = Schema.Finite.check(Schema.isBetween({ minimum: 0.75, maximum: 1.3 }))
  it.prop("is moved by at most 0.55 % by one of two exchanges that price USDT in dollars", [Factor], ([factor]) => {
    const isDollar = ({ base, quote }: Pair) => base === "USDT" && quote === "USD"
    const said = marketAt(world, START).map((tickers) =>
      tickers.exchange === "kraken"
        ? { ...tickers, pairs: tickers.pairs.filter((pair) => !isDollar(pair)) }
        : {
            ...tickers,
            pairs: tickers.pairs.flatMap((pair) =>
              tickers.exchange === "bitstamp" && isDollar(pair)
                ? scaled({ ...tickers, pairs: [pair] }, factor).pairs
                : pair
            )
          }
    )
    const { prices } = spotMarket(said, market.identities, none, START)
    assert.isAbove(prices.size, 0)
    for (const [id, { price }] of prices) {
      assert.isAtMost(Math.abs(price / (market.prices.get(id)?.price ?? 0) - 1), 0.0055, id)
    }
  })

  it("leaves pairs in a stablecoin out while no two exchanges price it in dollars", () => {
    const withoutDollars = (many: ReadonlySet<string>) =>
      marketAt(world, START).map((tickers) => ({
        ...tickers,
        pairs: tickers.pairs.filter(
          ({ base, quote }) => !(quote === "USD" && base === "USDT" && many.has(tickers.exchange))
        )
      }))
    const pricesOf = (many: ReadonlyArray<string>) =>
      spotMarket(withoutDollars(new Set(many)), market.identities, none, START).prices
    assert.isDefined(pricesOf(["kraken"]).get("tether"))
    const prices = pricesOf(["kraken", "bitstamp"])
    assert.isUndefined(prices.get("tether"))
    assert.isFalse(prices.get("bitcoin")?.exchanges.some(({ exchange }) => exchange === "kucoin"))
  })

  it("has no pair of another coin under a known symbol, no dead one and none that is frozen", () => {
    assert.isFalse(market.identities.has("kucoin BTC-USDC"))
    assert.isFalse(market.identities.has("bitfinex ETC-USD"))
    assert.isFalse(market.identities.has("binance LTC-USDC"))
    assert.deepStrictEqual(market.identities.get("kucoin BTC-USDT"), { id: "bitcoin", unit: 1 })
  })

  it("keeps what it knows without aggregators, as the same map", () => {
    const later = spotMarket(marketAt(world, START), market.identities, none, START)
    assert.strictEqual(later.identities, market.identities)
    assert.deepStrictEqual(later.prices, market.prices)
    assert.strictEqual(spotMarket(marketAt(world, START), new Map(), none, START).prices.size, 0)
  })

  it("does not depend on the order of exchanges and pairs", () => {
    const turned = marketAt(world, START)
      .toReversed()
      .map((tickers) => ({ ...tickers, pairs: tickers.pairs.toReversed() }))
    const { prices } = spotMarket(turned, new Map(), aggregatedAt(world, START), START)
    for (const [id, consensus] of market.prices) assert.deepStrictEqual(prices.get(id), consensus)
  })

  it("drops tickers that are more than two minutes old", () => {
    assert.strictEqual(spotMarket(marketAt(world, START), market.identities, none, START + 123_000).prices.size, 0)
  })
})
