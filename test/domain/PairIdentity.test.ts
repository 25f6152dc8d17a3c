import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { figureOf, isNew, TICKER_AGE } from "../../src/domain/Pair.ts"
import {
  type Candidate,
  candidatesOf,
  type Identity,
  identify,
  identityOf,
  isRefuted,
  keyOf
} from "../../src/domain/PairIdentity.ts"

/** `[id, symbol, rank, price at CoinGecko, price at CoinPaprika]`. */
const coins = (
  [
    ["bitcoin", "BTC", 1, 80_000, 80_010],
    ["batcat", "BTC", 4000, 0.0000317],
    ["ethereum", "ETH", 2, 2500, 2501],
    ["tether", "USDT", 3, 0.9997, 0.9998],
    ["usdt-of-a-bridge", "USDT", 900, 0.9996],
    ["usd-coin", "USDC", 6, 0.9999, 1],
    ["dai", "DAI", 30, 1.0001],
    ["binance-usd", "BUSD", 400, 0.999],
    ["busd-of-a-bridge", "BUSD", null, 1.001],
    ["terra-luna", "LUNC", 180, 0.00006],
    ["terra-luna-2", "LUNA", 600, 0.12, 0.121],
    ["luna-wormhole", "LUNA", null, 0.00006],
    ["ust", "USTC", 700, 0.012],
    ["pepe", "PEPE", 40, 0.0000095],
    ["pepe-2", "PEPE", 2500, 0.0000095],
    ["sats-ordinals", "SATS", 500, 0.00000004],
    ["1000sats-ordinals", "1000SATS", 1500, 0.00004],
    ["cheems", "CHEEMS", 480, 0.0000011],
    ["baby-doge", "BABYDOGE", 300, 0.0000000012],
    ["simons-cat", "CAT", 450, 0.0000081],
    ["cat-in-a-dogs-world", "CAT", 700, 0.004],
    ["1inch", "1INCH", 330, 0.25],
    ["1000-dollar", "1000X", 900, 1.5],
    ["x-coin", "X", 950, 0.0015],
    ["matic-network", "MATIC", 290, 0.21],
    ["polygon-ecosystem-token", "POL", 60, 0.21],
    ["bitcoin-cash", "BCH", 15, 520],
    ["bitcoin-cash-sv", "BSV", 110, 22],
    ["dogecoin", "DOGE", 9, 0.1],
    ["ripple", "XRP", 5, 1.48],
    ["stasis-eurs", "EURS", 800, 1.16],
    ["gas", "GAS", 350, 2.4],
    ["gas-dao", "GAS", 3900, 0.00002],
    ["pluto", "PLU", 1100, 0],
    ["omni-network", "OMNI", 700, 1.9],
    ["omni", "OMNI", 1800, 1.94],
    ["golem", "GLM", 260, 0.2],
    ["aave", "AAVE", 40, 180],
    ["lend", "LEND", null, 1.8],
    ["weth", "WETH", 20, 2500]
  ] as const
).map(([id, symbol, rank, ...prices]): Candidate => ({
  id,
  symbol,
  name: id,
  rank,
  prices: prices.filter((price) => price > 0)
}))

const candidates = candidatesOf(coins)
/** The identity of a pair of a coin, of so many coins in a unit. */
const identity = (id: string, symbol: string, unit = 1): Identity => ({
  id,
  symbol,
  name: id,
  unit,
  unlistedSince: null
})

const pricesOf = (id: string) => coins.find((coin) => coin.id === id)?.prices ?? []

/** What a pair is: its base, what one unit of it costs in USD, the coin, and how many coins a unit is. */
const cases: ReadonlyArray<readonly [why: string, base: string, price: number, id: string | undefined, unit?: number]> =
  [
    ["a coin by its symbol and price", "BTC", 80_100, "bitcoin"],
    ["a small coin of the symbol of a large one", "BTC", 0.0000318, "batcat"],
    ["a symbol at a price of nobody", "BTC", 60_000, undefined],
    ["3 % from the aggregator", "BTC", 82_390, "bitcoin"],
    ["more than 3 % from every aggregator", "BTC", 82_500, undefined],
    ["below it by 3 %", "ETH", 2425.1, "ethereum"],
    ["below it by more", "ETH", 2420, undefined],
    ["a symbol of no coin", "NOTHING", 1, undefined],
    ["no symbol", "", 1, undefined],
    ["a stablecoin, not a bridge's of the same price", "USDT", 0.9996, "tether"],
    ["another stablecoin of one price by its own symbol", "USDC", 0.9997, "usd-coin"],
    ["a third", "DAI", 1, "dai"],
    ["a stablecoin that lost its peg", "USDT", 0.93, undefined],
    ["two of one symbol and price, of which one has a rank", "BUSD", 1, "binance-usd"],
    ["the second of a name relisted", "LUNA", 0.12, "terra-luna-2"],
    ["the first of that name under the old symbol", "LUNA", 0.00006, "luna-wormhole"],
    ["the first under the new symbol", "LUNC", 0.00006, "terra-luna"],
    ["a dollar under the symbol of a coin that is none any more", "USTC", 1, undefined],
    ["what is left of that coin", "USTC", 0.0121, "ust"],
    ["a copy of the same price", "PEPE", 0.0000095, "pepe"],
    ["a unit of a thousand", "1000PEPE", 0.0095, "pepe", 1000],
    ["a unit of a thousand under a symbol that is a coin's", "1000SATS", 0.00004, "1000sats-ordinals"],
    ["a unit of a thousand of a coin of its own", "1000CHEEMS", 0.0011, "cheems", 1000],
    ["a unit of a million", "1MBABYDOGE", 0.0012, "baby-doge", 1e6],
    ["a unit of a million in digits", "1000000BABYDOGE", 0.0012, "baby-doge", 1e6],
    ["a unit of ten thousand", "10000SATS", 0.0004, "sats-ordinals", 10_000],
    ["a thousand of the better of two", "1000CAT", 0.0081, "simons-cat", 1000],
    ["the other one alone", "CAT", 0.004, "cat-in-a-dogs-world"],
    ["a thousand of the other one", "1000CAT", 4, "cat-in-a-dogs-world", 1000],
    ["a symbol that begins with a digit", "1INCH", 0.25, "1inch"],
    ["a symbol that looks like a unit", "1000X", 1.5, "1000-dollar"],
    ["the unit at the price of one", "1000PEPE", 0.0000095, undefined],
    ["a leveraged token", "BTC3L", 12.4, undefined],
    ["a leveraged token that falls", "ETH5S", 0.0021, undefined],
    ["a leveraged token of another naming", "BTCUP", 80_000, undefined],
    ["a renamed coin under its former symbol", "MATIC", 0.21, "matic-network"],
    ["the same under its new symbol", "POL", 0.2105, "polygon-ecosystem-token"],
    ["a fork under the symbol of its parent", "BCH", 22, undefined],
    ["a symbol of two coins, by price", "GAS", 0.00002, "gas-dao"],
    ["a coin that no aggregator prices", "PLU", 5, undefined],
    ["two of one symbol within 3 %, the better rank", "OMNI", 1.92, "omni-network"],
    ["a swapped token at a hundredth of the new one", "LEND", 1.8, "lend"],
    ["a wrapped coin under its own symbol", "WETH", 2501, "weth"],
    ["a price of nothing", "BTC", 0, undefined]
  ]

describe("the coin of a pair", () => {
  for (const [why, base, price, id, unit = 1] of cases) {
    it(`of ${why}`, () => {
      const symbol = coins.find((coin) => coin.id === id)?.symbol ?? ""
      assert.deepStrictEqual(
        identify(base, price, candidates),
        id === undefined ? undefined : identity(id, symbol, unit)
      )
    })
  }

  it("has the rows of forty collisions and renames", () => assert.isAtLeast(cases.length, 40))

  it("does not depend on the order of the coins", () => {
    const reversed = candidatesOf(coins.toReversed())
    for (const [, base, price] of cases) {
      assert.deepStrictEqual(identify(base, price, reversed), identify(base, price, candidates))
    }
  })

  const NOW = 1e12
  const DAY = 86_400_000
  const bitcoin = identity("bitcoin", "BTC")
  const isListed = () => true
  const kept = (
    known: Identity,
    base: string,
    price: number,
    prices: (id: string) => ReadonlyArray<number> = pricesOf
  ) => identityOf(known, { base, price }, { candidates, pricesOf: prices, isListed }, NOW)

  it("is given up when the pair is more than 10 % from two aggregators, and found anew", () => {
    assert.strictEqual(kept(bitcoin, "BTC", 87_900), bitcoin)
    assert.isUndefined(kept(bitcoin, "BTC", 88_200))
    assert.isUndefined(kept(bitcoin, "BTC", 71_000))
    assert.isUndefined(kept(bitcoin, "BTC", 40_000, () => [80_000, 95_000]))
    assert.deepStrictEqual(kept(bitcoin, "BTC", 0.0000317), identity("batcat", "BTC"))
  })

  it("is given up when one aggregator is more than 10 % away and another coin of the symbol has the price", () => {
    const one = (id: string) => pricesOf(id).slice(0, 1)
    assert.deepStrictEqual(kept(bitcoin, "BTC", 0.0000317, one), identity("batcat", "BTC"))
    const cat = identity("simons-cat", "CAT", 1000)
    assert.deepStrictEqual(kept(cat, "1000CAT", 4, one), identity("cat-in-a-dogs-world", "CAT", 1000))
  })

  it("is kept while another aggregator is within 10 % of the pair, because the one that is away may have swapped two coins", () => {
    const swapped = (second: number) => (id: string) => (id === "bitcoin" ? [80_000, second] : [0.0000317])
    assert.strictEqual(kept(bitcoin, "BTC", 0.0000317, swapped(0.0000318)), bitcoin)
    // The price truly fell by 8 %, which the slower of the two has not seen yet.
    assert.strictEqual(kept(bitcoin, "BTC", 0.0000317, swapped(0.0000345)), bitcoin)
    assert.deepStrictEqual(kept(bitcoin, "BTC", 0.0000317, swapped(0.0000355)), identity("batcat", "BTC"))
  })

  it("is kept where another aggregator contradicts the other coin of the symbol", () => {
    const swapped = (id: string) => (id === "batcat" ? [80_000] : [0.0000317, 80_010])
    const candidates = candidatesOf(coins.map((one) => ({ ...one, prices: swapped(one.id) })))
    const aggregated = { candidates, pricesOf: swapped, isListed }
    assert.isFalse(isRefuted(identity("batcat", "BTC"), { base: "BTC", price: 0.0000317 }, aggregated))
  })

  it("is kept without aggregators, and where one alone says otherwise and no other coin has the price", () => {
    for (const prices of [[], [80_000], [40_100, 80_000]]) {
      assert.strictEqual(
        kept(bitcoin, "BTC", 40_000, () => prices),
        bitcoin
      )
    }
  })

  it("is given up when fresh lists have not had the coin for seven days, and never while no list is fresh", () => {
    const during = (lists: ReadonlyArray<boolean | undefined>) =>
      lists.reduce<Identity | undefined>(
        (known, isIn, day) =>
          known &&
          identityOf(
            known,
            { base: "GONE", price: 1 },
            { candidates, pricesOf: () => [], isListed: () => isIn },
            NOW + day * DAY
          ),
        identity("gone", "GONE")
      )
    const days = (count: number, isIn: boolean | undefined) => Array.from({ length: count }, () => isIn)
    assert.isDefined(during(days(8, false)))
    assert.isUndefined(during(days(9, false)))
    assert.isDefined(during([...days(7, false), true, ...days(8, false)]))
    assert.isDefined(during([...days(3, false), ...days(30, undefined)]))
    assert.strictEqual(during([true])?.unlistedSince, null)
  })

  it("is kept through a rename, as the exchange's own name of the pair is its key", () => {
    assert.strictEqual(keyOf("KuCoin", { market: "MATIC-USDT" }), "KuCoin MATIC-USDT")
    assert.deepStrictEqual(kept(identity("matic-network", "MATIC"), "POL", 0.21), identity("matic-network", "MATIC"))
  })

  it("counts in units when it is held against aggregators", () => {
    const pepe = identity("pepe", "PEPE", 1000)
    const two = () => [0.0000095, 0.0000096]
    assert.strictEqual(kept(pepe, "1000PEPE", 0.0095, two), pepe)
    assert.isUndefined(kept(pepe, "1000PEPE", 0.0000095, two))
  })

  const Price = Schema.Finite.check(Schema.isBetween({ minimum: 1e-9, maximum: 1e9 }))
  it.prop("is always a coin with that price at an aggregator", { price: Price }, ({ price }) => {
    for (const { symbol } of coins) {
      const found = identify(symbol, price, candidates)
      if (found === undefined) continue
      assert.isTrue(pricesOf(found.id).some((known) => Math.abs(price / found.unit / known - 1) <= 0.03))
    }
  })

  it.prop("is not refuted by a single aggregator alone", { price: Price, known: Price }, ({ known, price }) => {
    const one = { candidates: new Map(), isListed, pricesOf: () => [known] }
    assert.isFalse(isRefuted(bitcoin, { base: "BTC", price }, one))
    assert.isFalse(isRefuted(bitcoin, { base: "BTC", price }, { ...one, candidates, pricesOf: () => [known, price] }))
  })
})

describe("the figure of a pair", () => {
  const figure = (bid: number | null, ask: number | null, last: number | null) => figureOf({ bid, ask, last })

  it("is the middle of bid and ask where they are at most 1 % apart, else the last trade", () => {
    assert.strictEqual(figure(99.5, 100.5, 90), 100)
    assert.strictEqual(figure(99, 101, 100.3), 100.3)
    assert.strictEqual(figure(null, 101, 100.3), 100.3)
    assert.strictEqual(figure(99, 0, 100.3), 100.3)
    assert.isUndefined(figure(99, 101, null))
    assert.isUndefined(figure(null, null, 0))
  })

  it("is none where the bid is above the ask at all, as before a pair has opened", () => {
    assert.strictEqual(figure(100, 100, 90), 100)
    assert.isUndefined(figure(100.01, 100, 100))
    assert.isUndefined(figure(101, 99, 100))
  })

  it("has no use for prices that cannot be", () => {
    for (const wrong of [-1, 0, 1e10, Infinity, Number.NaN]) {
      assert.strictEqual(figure(wrong, wrong, 5), 5)
      assert.isUndefined(figure(null, null, wrong))
    }
  })

  it("is new for two minutes", () => {
    assert.isTrue(isNew({ observedAt: 0 }, TICKER_AGE))
    assert.isFalse(isNew({ observedAt: 0 }, TICKER_AGE + 1))
  })
})
