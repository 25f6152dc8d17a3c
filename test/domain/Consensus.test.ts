import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { confidenceOfConsensus } from "../../src/domain/coinConfidence.ts"
import { consensusOf, type Voice } from "../../src/domain/Consensus.ts"

const exchanges = ["A", "B", "C", "D", "E", "F"] as const

/** Figures of every size, as a liar may send them. */
const Size = Schema.Finite.check(Schema.isBetween({ minimum: -18, maximum: 9 }))
const Share = Schema.Finite.check(Schema.isBetween({ minimum: -0.02, maximum: 0.02 }))
const Turnover = Schema.Finite.check(Schema.isBetween({ minimum: 4, maximum: 14 }))
const Exchange = Schema.Literals(exchanges)

/** An honest pair is near 100; a liar's is anywhere. */
const Drawn = Schema.Struct({ exchange: Exchange, share: Share, turnover: Turnover })
const Book = Schema.Array(Drawn).check(Schema.isMinLength(1), Schema.isMaxLength(14))
const Prices = Schema.Array(Size).check(Schema.isMinLength(14), Schema.isMaxLength(14))

const voices = (book: typeof Book.Type): ReadonlyArray<Voice> =>
  book.map(({ exchange, share, turnover }, n) => ({
    exchange,
    market: String(n),
    price: 100 * (1 + share),
    weight: 10 ** turnover,
    observedAt: n
  }))

const hostile = (book: typeof Book.Type, sizes: ReadonlyArray<number>) =>
  voices(book).map((voice, n) => ({ ...voice, price: 10 ** (sizes[n] ?? 0) }))

/** Numbers from 0 to 1, the same for the same seed. */
const randomFrom = (seed: number) => {
  let state = seed
  return () => (state = (state * 16_807) % 2_147_483_647) / 2_147_483_647
}

const pricesOf = (some: ReadonlyArray<Voice>) => some.map(({ price }) => price)

/** The consensus of pairs, each as `exchange price turnover`. */
const consensus = (pairs: string, least?: number) =>
  consensusOf(
    pairs.split(", ").map((text, n) => {
      const [exchange = "", price, weight] = text.split(" ")
      return { exchange, market: `${n}`, price: Number(price), weight: Number(weight), observedAt: 1000 + n }
    }),
    least
  )

describe("a consensus", () => {
  it.each<readonly [why: string, pairs: string, price: number | undefined]>([
    ["is the price at which half of the turnover is reached", "A 100 10, B 101 11, C 102 10", 101],
    ["is the middle of two where that is between them", "A 100 10, B 101 10, C 102 10, D 103 10", 101.5],
    ["needs three exchanges", "A 100 10, B 100 10, B 100 10", undefined],
    ["gives none of three more than 40 % of the weight", "A 100 1e14, A 100.1 1e14, B 101 10, C 101.2 8", 101],
    ["nor each of two of them", "A 100 1e14, B 101 1e14, C 102 1", 101],
    ["is none where half are more than 10 % away, however light", "A 100 10, B 100 10, C 111 1, D 80 1", undefined],
    ["is none where two of three are", "A 100 10, B 50 10, C 150 10", undefined],
    ["is one where they are within 10 %", "A 100 10, B 100 10, C 109.9 10, D 91 10", 100],
    ["is one where only one of three is away, however heavy", "A 1000 1e9, B 100 10, C 100 10", 100]
  ])("%s: %s", (_, pairs, price) => assert.strictEqual(consensus(pairs)?.price, price))

  it("needs as many exchanges as it is told, and at least one", () => {
    assert.strictEqual(consensus("A 100 10, B 102 1", 2)?.price, 101)
    assert.isUndefined(consensusOf([]))
  })

  it.each([
    [3, 0.4],
    [4, 0.4],
    [5, 0.24],
    [6, 0.24],
    [7, 0.16],
    [8, 0.16]
  ])("gives no minority of %i exchanges half of the weight: the limit of one is %f", (exchanges, share) => {
    // One exchange with nearly all of the turnover is a share of the dispersion away from all others, which agree.
    const others = Array.from({ length: exchanges - 1 }, (_, n) => `B${n} 100 1`)
    assert.closeTo(consensus(["A 101 1e9", ...others].join(", "))?.dispersion ?? 0, share, 1e-9)
  })

  it("names its exchanges by turnover, each with its own median, and the time of its oldest pair", () => {
    const found = consensus("A 100 10, B 101 500, C 102 20, C 104 20, C 103 20")
    assert.deepStrictEqual(found?.exchanges, [
      { exchange: "B", price: 101, observedAt: 1001 },
      { exchange: "C", price: 103, observedAt: 1002 },
      { exchange: "A", price: 100, observedAt: 1000 }
    ])
    assert.strictEqual(found?.observedAt, 1000)
  })

  it("has the weighted mean distance of the pairs for its dispersion", () =>
    assert.closeTo(consensus("A 99 10, B 100 10, C 102 10")?.dispersion ?? 0, 1, 1e-12))

  it("has a band with the middle 80 % of the weight", () => {
    const found = consensus(Array.from({ length: 10 }, (_, n) => `E${n} ${100 + n} 10`).join(", "))
    assert.deepStrictEqual([found?.low, found?.high], [101, 108])
  })

  it.prop(
    "is never sure while one exchange more than a minority is wrong, however much these weigh",
    { count: Schema.Int.check(Schema.isBetween({ minimum: 3, maximum: 8 })), seed: Schema.Int },
    ({ count, seed }) => {
      const random = randomFrom(seed)
      const liars = Math.floor((count - 1) / 2) + 1
      const factor = random() < 0.5 ? 1.006 : 0.99
      const found = consensusOf(
        Array.from({ length: count }, (_, n): Voice => {
          const isLiar = n < liars
          const weight = 10 ** (4.7 + (isLiar ? 9 : 5) * random())
          return { exchange: `X${n}`, market: "1", price: isLiar ? 100 * factor : 100, weight, observedAt: n }
        })
      )
      assert.isDefined(found)
      assert.strictEqual(confidenceOfConsensus(found, []), "medium")
    }
  )

  it("is not sure while the price of a stablecoin, in which pairs may be wrong alike, is not", () => {
    const coin = { exchanges: ["A", "B", "C"], low: 100, high: 100.2 }
    const isSure = (...dollars: Parameters<typeof confidenceOfConsensus>[1]) => confidenceOfConsensus(coin, dollars)
    assert.strictEqual(isSure({ low: 0.999, high: 1.001 }, { low: 1, high: 1 }), "high")
    assert.strictEqual(isSure({ low: 1, high: 1.012 }, { low: 1, high: 1 }), "medium")
  })

  it.prop("is between its pairs, in whatever order they come", { book: Book, sizes: Prices }, ({ book, sizes }) => {
    for (const pairs of [voices(book), hostile(book, sizes)]) {
      const found = consensusOf(pairs)
      assert.deepStrictEqual(consensusOf(pairs.toReversed()), found)
      assert.deepStrictEqual(consensusOf(pairs.toSorted((a, b) => (a.weight * 7919) % 1 || a.price - b.price)), found)
      if (found === undefined) continue
      assert.isAtLeast(found.price, Math.min(...pricesOf(pairs)))
      assert.isAtMost(found.price, Math.max(...pricesOf(pairs)))
    }
  })

  it.prop("scales with its pairs", { book: Book, factor: Size }, ({ book, factor }) => {
    const pairs = voices(book)
    const scaled = consensusOf(pairs.map((pair) => ({ ...pair, price: pair.price * 10 ** factor })))
    const found = consensusOf(pairs)
    assert.strictEqual(scaled === undefined, found === undefined)
    if (found !== undefined && scaled !== undefined) {
      assert.closeTo(scaled.price / 10 ** factor / found.price, 1, 1e-9)
      assert.closeTo(scaled.dispersion, found.dispersion, 1e-9)
    }
  })

  const Several = Schema.Int.check(Schema.isBetween({ minimum: 3, maximum: 8 }))
  const Seed = Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 1e9 }))
  it.prop(
    "is moved by no minority of three to eight exchanges: whatever these say, it is among the prices of the others",
    { count: Several, seed: Seed },
    ({ count, seed }) => {
      const random = randomFrom(seed)
      const liars = Math.floor(random() * (Math.floor((count - 1) / 2) + 1))
      const pairs = Array.from({ length: count }, (_, exchange) =>
        Array.from({ length: 1 + Math.floor(random() * 4) }, (_, n): Voice => {
          const isLiar = exchange < liars
          return {
            exchange: `X${exchange}`,
            market: String(n),
            price: isLiar ? 10 ** (27 * random() - 18) : 100 * (0.98 + 0.04 * random()),
            weight: 10 ** (4.7 + (isLiar && random() < 0.5 ? 9.3 : 5) * random()),
            observedAt: isLiar ? 1e15 * random() : 1000
          }
        })
      ).flat()
      const others = pricesOf(pairs.filter(({ exchange }) => Number(exchange.slice(1)) >= liars))
      const found = consensusOf(pairs)
      assert.isDefined(found)
      assert.isAtLeast(found.price, Math.min(...others))
      assert.isAtMost(found.price, Math.max(...others))
    }
  )

  it.prop(
    "is moved by one pair no further than to its neighbours",
    { book: Book, sizes: Prices },
    ({ book, sizes }) => {
      // Each pair is an exchange of its own, of which none is too heavy: shares are turnovers.
      const pairs = voices(book).map((pair, n) => ({ ...pair, exchange: String(n), weight: 1 + (pair.weight % 0.5) }))
      const found = consensusOf(pairs)
      const [first, ...others] = pairs
      if (found === undefined || first === undefined || pairs.length < 4) return
      const moved = consensusOf([{ ...first, price: 10 ** (sizes[0] ?? 0) }, ...others])
      if (moved === undefined) return
      const ascending = others.toSorted((a, b) => a.price - b.price)
      const total = pairs.reduce((sum, { weight }) => sum + weight, 0)
      let below = 0
      const reached = ascending.map(({ price, weight }) => ({ price, share: (below += weight / total) }))
      const share = first.weight / total
      const low = reached.find((one) => one.share > 0.5 - share - 1e-9)?.price ?? 0
      const high = reached.find((one) => one.share > 0.5 + 1e-9)?.price ?? Infinity
      for (const { price } of [found, moved]) {
        assert.isAtLeast(price, low)
        assert.isAtMost(price, high)
      }
    }
  )
})
