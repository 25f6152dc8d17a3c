// The prices that exchanges make together, over simulated worlds whose true prices are known.
import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { knownCoins } from "../../src/domain/CoinRegistry.ts"
import type { Pair } from "../../src/domain/Pair.ts"
import { type Aggregated, candidatesOf, type Identities } from "../../src/domain/PairIdentity.ts"
import { type Dollars, dollarsInSteps, type Tickers } from "../../src/domain/SpotMarket.ts"
import { isCredible } from "../../src/domain/FiatMarket.ts"
import { median } from "../../src/domain/P2pBook.ts"
import { minuteMs } from "../../src/sandbox/Calendar.ts"
import { publishedRate, rateAt, rateDay } from "../../src/sandbox/Fiats.ts"
import { type ExchangeName, impostorBook, spotBooks } from "../../src/sandbox/ExchangeBooks.ts"
import * as Worlds from "../../src/sandbox/World.ts"
import { finish } from "../finish.ts"
import { shareOf } from "../isWhole.ts"

const START = Date.UTC(2026, 10, 20, 12)
const exchanges: ReadonlyArray<ExchangeName> = ["kraken", "bitstamp", "bitfinex", "binance", "okx", "kucoin"]
const none: Aggregated = { candidates: new Map(), pricesOf: () => [], isListed: () => undefined }

/** Stablecoins are converted as the exchanges say. */
const unjudged = (stablecoins: Dollars["dollars"]): ReadonlyMap<string, number> =>
  new Map(Array.from(stablecoins, ([id, { price }]) => [id, price]))

const spotMarket = (
  tickers: ReadonlyArray<Tickers>,
  identities: Identities,
  aggregated: Aggregated,
  now: number,
  judge = unjudged
) => {
  const { dollars, market } = finish(dollarsInSteps({ tickers, identities, aggregated, now }))
  return finish(market(judge(dollars)))
}

/** What aggregators say of every coin at a time. */
const aggregatedAt = (world: Worlds.World, at: number): Aggregated => {
  const coins = knownCoins.map(({ id, name, symbol }, rank) => {
    const price = world.market.price(id, at) ?? 0
    return { id, name, symbol: symbol.toUpperCase(), rank, prices: [price, price * 1.001] }
  })
  const byId = new Map(coins.map((coin) => [coin.id, coin.prices]))
  return { candidates: candidatesOf(coins), pricesOf: (id) => byId.get(id) ?? [], isListed: (id) => byId.has(id) }
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

const worlds = (count: number, place: number) =>
  shareOf(
    Array.from({ length: count }, (_, n) => n + 1),
    place
  )

const worldOf = (seed: number) => Worlds.make(seed, { isCalm: true })

/** What one exchange does at worst. */
const wrongs: Readonly<Record<string, (tickers: Tickers, world: Worlds.World, at: number) => Tickers>> = {
  "× 1.5": (tickers) => scaled(tickers, 1.5),
  "× 1000": (tickers) => scaled(tickers, 1000),
  frozen: (tickers, world) => tickersAt(world, tickers.exchange as ExchangeName, START - 10 * minuteMs),
  "frozen, with a clock that runs": (tickers, world, at) =>
    changed(tickersAt(world, tickers.exchange as ExchangeName, START - 2 * minuteMs), () => ({ observedAt: at })),
  crossed: (tickers) => changed(tickers, ({ last }) => ({ bid: last && last * 1.2, ask: last && last * 0.8 })),
  silent: (tickers) => ({ ...tickers, pairs: [] }),
  "at the wrong coin": (tickers) =>
    changed(tickers, ({ market }, n) => ({ market: tickers.pairs[n + 1]?.market ?? market }))
}

const changed = (tickers: Tickers, change: (pair: Pair, n: number) => Partial<Pair>): Tickers => ({
  ...tickers,
  pairs: tickers.pairs.map((pair, n) => ({ ...pair, ...change(pair, n) }))
})

const scaled = (tickers: Tickers, factor: number) =>
  changed(tickers, ({ ask, bid, last }) => ({
    bid: bid && bid * factor,
    ask: ask && ask * factor,
    last: last && last * factor
  }))

describe("the spot market", () => {
  it.each(worlds(200, 4))(
    "of world %i has the 100 most traded coins for an hour without aggregators, near their true price",
    (seed) => {
      const world = worldOf(seed)
      let identities = known(world)
      const coins = mostTraded(world, identities)
      const errors: Array<number> = []
      for (let minute = 1; minute <= 60; minute += 3) {
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
    }
  )

  it.each(worlds(40, 2))(
    "of world %i is moved by no more than 0.05 % by any exchange that is wrong in any way",
    (seed) => {
      const world = worldOf(seed)
      const at = START + 40_000
      const identities = known(world)
      const coins = mostTraded(world, identities)
      const honest = spotMarket(marketAt(world, at), identities, none, at).prices
      const aggregated = aggregatedAt(world, at)
      for (const [n, exchange] of exchanges.entries()) {
        for (const [k, [name, wrong]] of Object.entries(wrongs).entries()) {
          const tickers = marketAt(world, at).map((one) => (one.exchange === exchange ? wrong(one, world, at) : one))
          // Each wrong is tried with aggregators at three exchanges, and without them at the others.
          const { prices } = spotMarket(tickers, identities, (n + k) % 2 === 0 ? none : aggregated, at)
          for (const id of coins) {
            const moved = Math.abs((prices.get(id)?.price ?? 0) / (honest.get(id)?.price ?? 0) - 1)
            assert.isAtMost(moved, 0.0005, `${id}: ${exchange} ${name}`)
          }
        }
      }
    }
  )

  const fiats = ["EUR", "GBP", "JPY", "TRY", "BRL"] as const
  const eight: ReadonlyArray<ExchangeName> = [...exchanges, "cryptocom", "gate"]

  it.each(worlds(200, 4))(
    "of world %i has bitcoin and twenty coins in five fiats near the truth, on a Sunday too, whoever is wrong",
    (seed) => {
      const world = worldOf(seed)
      const identities = known(world)
      const coins = mostTraded(world, identities).slice(0, 21)
      const errors: Array<number> = []
      // A Friday, and the Sunday after it.
      for (const at of [START + 40_000, START + 2 * 1440 * minuteMs + 40_000]) {
        const honest = eight.map((exchange) => tickersAt(world, exchange, at))
        const { fiats: found, prices } = spotMarket(honest, identities, none, at)
        for (const fiat of fiats) {
          const market = found.get(fiat)
          const { exchanges: voices = [], price = Number.NaN } = market ?? {}
          const truth = rateAt(seed, fiat, at) ?? Number.NaN
          const official = publishedRate(seed, fiat, rateDay(fiat, at))
          assert.isTrue(market !== undefined && isCredible(market, official), fiat)
          for (const id of coins) {
            const inFiat = (prices.get(id)?.price ?? Number.NaN) / price
            errors.push(Math.abs(inFiat / ((world.market.price(id, at) ?? 0) * truth) - 1))
          }
          const liar = voices[seed % voices.length]?.exchange
          const lying = honest.map((one) => (one.exchange === liar ? scaled(one, 1 + (seed % 7) / 3) : one))
          const moved = spotMarket(lying, identities, none, at).fiats.get(fiat)?.price
          assert.isAtMost(Math.abs((moved ?? Number.NaN) / price - 1), 0.0005, `${fiat}: ${liar}`)
        }
      }
      assert.isAtMost(median(errors), 0.0005)
      assert.isAtMost(Math.max(...errors), 0.002)
    }
  )

  const world = worldOf(1)
  const market = spotMarket(marketAt(world, START), new Map(), aggregatedAt(world, START), START)

  it("prices USDT and USDC with a voice of each exchange, never at 1", () => {
    for (const [id, voices] of [
      ["tether", 6],
      ["usd-coin", 5]
    ] as const) {
      const { exchanges: found = [], price = 0 } = market.prices.get(id) ?? {}
      assert.notStrictEqual(price, 1)
      assert.closeTo(price, world.market.price(id, START) ?? 0, 0.0003)
      assert.lengthOf(found, voices)
    }
  })

  const Factor = Schema.Finite.check(Schema.isBetween({ minimum: -9, maximum: 9 }))
  const Liars = Schema.Array(Schema.Literals(exchanges)).check(Schema.isMinLength(1), Schema.isMaxLength(2))
  /** The exchanges with some of their pairs at another price. */
  const lyingAt = (liars: ReadonlyArray<string>, factor: number, isLie: (pair: Pair) => boolean) =>
    marketAt(world, START).map((tickers) => {
      const lies = scaled(tickers, factor).pairs
      const lie = (pair: Pair, n: number) => (liars.includes(tickers.exchange) && isLie(pair) ? (lies[n] ?? {}) : {})
      return changed(tickers, lie)
    })

  it.prop(
    "is moved by less than 0.1 % by any two of six exchanges that lie about USDT alone",
    [Liars, Factor],
    ([liars, power]) => {
      const said = lyingAt(liars, 10 ** power, ({ base, quote }) => base === "USDT" && quote === "USD")
      const { prices } = spotMarket(said, market.identities, none, START)
      assert.strictEqual(prices.size, market.prices.size)
      for (const [id, { price }] of prices) {
        assert.isAtMost(Math.abs(price / (market.prices.get(id)?.price ?? 0) - 1), 0.001, id)
      }
    },
    { arbitrary: { runs: 12 } }
  )

  it.prop(
    "has no price of USDT that any one exchange can move, whatever it says of every pair",
    [Schema.Literals(exchanges), Factor],
    ([liar, power]) => {
      const { prices } = spotMarket(
        lyingAt([liar], 10 ** power, () => true),
        market.identities,
        none,
        START
      )
      for (const id of ["tether", "usd-coin"]) {
        assert.isAtMost(Math.abs((prices.get(id)?.price ?? 0) / (market.prices.get(id)?.price ?? 0) - 1), 0.001, id)
      }
    },
    { arbitrary: { runs: 12 } }
  )

  it("has no price of USDT from two exchanges that contradict each other", () => {
    const two = marketAt(world, START).slice(0, 2)
    const priceOf = (tickers: ReadonlyArray<Tickers>) =>
      spotMarket(tickers, market.identities, none, START).prices.get("tether")
    assert.isDefined(priceOf(two))
    const isTether = ({ base }: Pair) => base === "USDT"
    assert.isUndefined(priceOf(lyingAt(["kraken"], 1.02, isTether).slice(0, 2)))
    const alone = two.slice(0, 1).map((one) => ({
      ...one,
      pairs: one.pairs.filter(({ base, quote }) => base !== "USDT" || quote !== "USD")
    }))
    assert.isUndefined(priceOf(alone))
  })

  it("converts pairs in a stablecoin at the judged price, and leaves them out without one", () => {
    const judged = (judge: typeof unjudged) =>
      spotMarket(marketAt(world, START), market.identities, none, START, judge).prices
    const exchangesOf = (prices: ReturnType<typeof judged>) =>
      prices.get("bitcoin")?.exchanges.map(({ exchange }) => exchange)
    const atHalf = judged(() => new Map([["tether", 0.5]]))
    assert.closeTo(atHalf.get("tether")?.price ?? 0, 1, 0.01)
    assert.isUndefined(atHalf.get("bitcoin"), "half of the exchanges say half")
    assert.sameMembers([...(exchangesOf(judged(() => new Map())) ?? [])], ["kraken", "bitstamp", "bitfinex"])
  })

  it("has no pair of another coin under a known symbol, no dead one and none that is frozen", () => {
    assert.isFalse(market.identities.has("kucoin BTC-USDC"))
    assert.isFalse(market.identities.has("bitfinex ETC-USD"))
    assert.isFalse(market.identities.has("binance LTC-USDC"))
    assert.deepStrictEqual(market.identities.get("kucoin BTC-USDT"), {
      id: "bitcoin",
      symbol: "BTC",
      name: "Bitcoin",
      unit: 1,
      unlistedSince: null
    })
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
