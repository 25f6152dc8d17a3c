// What fiats cost on the exchanges: what a pair says of its fiat, and that no minority of the exchanges moves it.
import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { fiatMarketOf, fiatMarketsOf, isBeside, isCredible } from "../../src/domain/FiatMarket.ts"
import type { Pair } from "../../src/domain/Pair.ts"

const dollars = new Map([
  ["USD", 1],
  ["USDT", 0.999],
  ["BTC", 60_000]
])

/** A pair such as `Kraken BTC/EUR`. */
const listed = (name: string, last: number, turnover = 1e6) => {
  const [exchange = "", market = ""] = name.split(" ")
  const [base = "", quote = ""] = market.split("/")
  return { exchange, pair: { market, base, quote, bid: null, ask: null, last, turnover, observedAt: 5 } satisfies Pair }
}

const ratesOf = (pairs: ReadonlyArray<ReturnType<typeof listed>>) =>
  Object.fromEntries(Array.from(fiatMarketsOf(pairs, dollars), ([fiat, { price }]) => [fiat, 1 / price]))

describe("a fiat on the exchanges", () => {
  it("is priced by what is on the other side of its pairs, on whichever side it is", () => {
    const euro = (name: string, last: number) => ratesOf([listed(name, last)])["EUR"] ?? 0
    assert.closeTo(euro("Kraken BTC/EUR", 48_000), 0.8, 1e-12)
    assert.closeTo(euro("Kraken USDT/EUR", 0.8), 0.8 / 0.999, 1e-12)
    assert.closeTo(euro("Kraken EUR/USD", 1.25), 0.8, 1e-12)
    assert.closeTo(euro("Kraken EUR/USDT", 1.25), 1 / 1.25 / 0.999, 1e-12)
    assert.deepStrictEqual(ratesOf([listed("Kraken USD/JPY", 150, 1e9)]), { JPY: 150 })
  })

  it("is not where a pair has no known other side, too little turnover in dollars, or people pay a street rate", () => {
    for (const pair of [
      listed("Kraken ETH/EUR", 3000),
      listed("Kraken BTC/EUR", 48_000, 39_000),
      listed("Kraken BTC/JPY", 9e6, 7e6),
      listed("Kraken BTC/NGN", 9e7, 1e9),
      listed("Kraken BTC/ARS", 9e7, 1e9),
      listed("Kraken BTC/USDT", 60_000),
      listed("Kraken BTC/EUR", Number.NaN)
    ]) {
      assert.deepStrictEqual(ratesOf([pair]), {}, pair.pair.market)
    }
  })

  const Count = Schema.Int.check(Schema.isBetween({ minimum: 3, maximum: 8 }))
  const Exponent = Schema.Finite.check(Schema.isBetween({ minimum: -9, maximum: 9 }))
  it.prop(
    "is moved by no minority of the exchanges",
    { count: Count, wrong: Exponent, traded: Exponent },
    ({ count, traded, wrong }) => {
      const liars = Math.floor((count - 1) / 2)
      const pairs = Array.from({ length: count }, (_, n) => {
        const isLiar = n < liars
        return listed(
          `X${n} BTC/EUR`,
          isLiar ? 48_000 * 10 ** wrong : 48_000 + n,
          isLiar ? 10 ** (8 + traded) : 1e6 * (n + 1)
        )
      })
      const rate = (ratesOf(pairs)["EUR"] ?? 0) * 60_000
      assert.isAtLeast(rate, 48_000)
      assert.isAtMost(rate, 48_000 + count)
    }
  )

  it("counts by how many exchanges say it, and by the official rate", () => {
    const isUsed = (official: number | undefined, ...rates: ReadonlyArray<number>) => {
      const voices = rates.map((rate, n) => {
        return { exchange: `X${n}`, market: "", price: 1 / rate, weight: rates.length - n, observedAt: 0 }
      })
      const found = fiatMarketOf(voices)
      return found !== undefined && isCredible(found, official)
    }
    // A lira that trades 10 % from its official rate.
    assert.deepStrictEqual(
      [isUsed(40, 43.9, 43.9, 43.9), isUsed(40, 44.1, 44.1, 44.1), isUsed(undefined, 44.1, 44.1, 44.1)],
      [true, false, true]
    )
    assert.deepStrictEqual(
      [isUsed(40, 40, 40.3), isUsed(40, 40, 40.5), isUsed(undefined, 40, 40.3)],
      [true, false, true]
    )
    assert.deepStrictEqual([isUsed(40, 40.7), isUsed(40, 40.9), isUsed(undefined, 40)], [true, false, false])
    // A record from before the confidence was recorded.
    const before = (rate: number) => isCredible({ rate, confidence: null }, 40)
    assert.deepStrictEqual(
      [before(40.7), before(40.9), isBeside(0, 3_600_000), isBeside(0, 3_600_001)],
      [true, false, true, false]
    )
  })
})
