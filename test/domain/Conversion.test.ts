import { assert, describe, it } from "@effect/vitest"
import { BigDecimal, DateTime, Schema } from "effect"
import { converterAt, backward, forward, type Hop, path, type Quote, rateAlong } from "../../src/domain/Conversion.ts"
import { significantDigits } from "../../src/domain/Decimal.ts"

const quote = (base: string, other: string, rate: number, more: Partial<Quote> = {}): Quote => ({
  base,
  quote: other,
  rate,
  computed: false,
  source: "CoinGecko",
  updated: DateTime.makeUnsafe(1_790_000_000_000),
  ...more
})

const tether = quote("tether", "USD", 0.999_749)
const street = quote("tether", "NGN", 1390.123_456_789_01, { source: "Bybit P2P + Bitget P2P", computed: true })
const euro = quote("USD", "EUR", 0.8802, { source: "Frankfurter" })
const bitcoin = quote("bitcoin", "USD", 77_300.123_456_789_01)

/** Each asset's way to the dollar. */
const ways = {
  USD: [],
  tether: [forward(tether)],
  NGN: [backward(street), forward(tether)],
  EUR: [backward(euro)],
  bitcoin: [forward(bitcoin)]
} satisfies Record<string, ReadonlyArray<Hop>>

const Asset = Schema.Literals(["USD", "tether", "NGN", "EUR", "bitcoin"])
const Rate = Schema.Finite.check(Schema.isBetween({ minimum: 1e-9, maximum: 1e9 }))

const along = (hops: ReadonlyArray<Hop>) => {
  const [first, ...rest] = hops
  return first === undefined ? undefined : rateAlong([first, ...rest])
}

const rateOf = (from: typeof Asset.Type, to: typeof Asset.Type): number => along(path(ways[from], ways[to]))?.rate ?? 1

const stations = (hops: ReadonlyArray<Hop>) => along(hops)?.legs.map((leg) => `${leg.from}>${leg.to}`) ?? []

/** Whether a figure differs from the exact one by at most so many units of its twelfth digit. */
const isWithin = (figure: BigDecimal.BigDecimal, exact: BigDecimal.BigDecimal, units: number): boolean =>
  BigDecimal.isLessThanOrEqualTo(
    BigDecimal.abs(BigDecimal.subtract(figure, exact)),
    BigDecimal.multiply(exact, BigDecimal.make(BigInt(units), 12))
  )

describe("path", () => {
  it("cancels what both ways share, so that USDT and naira are one step apart", () => {
    assert.deepStrictEqual(stations(path(ways.tether, ways.NGN)), ["tether>NGN"])
    assert.deepStrictEqual(stations(path(ways.NGN, ways.tether)), ["NGN>tether"])
  })

  it("goes through the dollar where nothing is shared", () => {
    assert.deepStrictEqual(stations(path(ways.bitcoin, ways.EUR)), ["bitcoin>USD", "USD>EUR"])
    assert.deepStrictEqual(stations(path(ways.EUR, ways.NGN)), ["EUR>USD", "USD>tether", "tether>NGN"])
    assert.deepStrictEqual(stations(path(ways.USD, ways.NGN)), ["USD>tether", "tether>NGN"])
    assert.deepStrictEqual(stations(path(ways.bitcoin, ways.USD)), ["bitcoin>USD"])
  })

  it.prop(
    "from an asset to itself is no step, and back is the same steps the other way",
    { from: Asset, to: Asset },
    ({ from, to }) => {
      const there = path(ways[from], ways[to])
      assert.strictEqual(there.length === 0, from === to)
      const back = path(ways[to], ways[from])
      assert.deepStrictEqual(
        back,
        there.toReversed().map(({ inverted, quote }) => ({ quote, inverted: !inverted }))
      )
    }
  )

  it.prop("each step begins where the last one ended", { from: Asset, to: Asset }, ({ from, to }) => {
    let at: string = from
    for (const leg of along(path(ways[from], ways[to]))?.legs ?? []) {
      assert.strictEqual(leg.from, at)
      at = leg.to
    }
    assert.strictEqual(at, to)
  })
})

describe("rateAlong", () => {
  it("is as sure as its least sure leg; the official rate of a fiat that people pay another rate for is not", () => {
    const pound = quote("USD", "SDG", 600, { street: "not_followed" })
    const sure = quote("bitcoin", "USD", 77_300, { confidence: "high" })
    const confidenceOf = (...hops: readonly [Hop, ...ReadonlyArray<Hop>]) => rateAlong(hops).confidence
    assert.strictEqual(confidenceOf(forward(sure), forward(euro)), "high")
    assert.strictEqual(confidenceOf(forward(sure), forward(pound)), "low")
    assert.isNull(confidenceOf(forward({ ...sure, confidence: null }), forward(euro)))
    assert.isUndefined(confidenceOf(forward(euro)))
  })

  it("shows a quote as it was quoted, and a computed one with twelve digits", () => {
    assert.strictEqual(rateOf("bitcoin", "USD"), bitcoin.rate)
    assert.strictEqual(rateOf("tether", "NGN"), 1390.123_456_79)
  })

  it("multiplies the legs as they are shown", () => {
    // 1 / 0.8 = 1.25, 1 / 0.98 = 1.02040816327 with twelve digits; 1.25 × 1.02040816327 × 1470 = 1875.000000008…
    const hops = [
      backward(quote("USD", "EUR", 0.8)),
      backward(quote("tether", "USD", 0.98)),
      forward(quote("tether", "NGN", 1470))
    ] as const
    const { legs, rate } = rateAlong(hops)
    assert.deepStrictEqual(
      legs.map((leg) => leg.rate),
      [1.25, 1.020_408_163_27, 1470]
    )
    assert.strictEqual(rate, 1875.000_000_01)
  })

  it("inverts a quote at its full precision", () => {
    assert.strictEqual(rateOf("EUR", "USD"), 1.136_105_430_58)
    assert.strictEqual(rateOf("USD", "tether"), 1.000_251_063_02)
  })

  it.prop("there and back is 1 to eleven digits", { from: Asset, to: Asset }, ({ from, to }) => {
    assert.closeTo(rateOf(from, to) * rateOf(to, from), 1, 1e-11)
  })

  it.prop("a detour gives the same rate", { from: Asset, over: Asset, to: Asset }, ({ from, over, to }) => {
    assert.closeTo((rateOf(from, over) * rateOf(over, to)) / rateOf(from, to), 1, 1e-11)
  })

  it.prop(
    "is the product of the legs as they are shown, with twelve digits",
    { a: Rate, b: Rate, c: Rate },
    ({ a, b, c }) => {
      const hops = [forward(quote("x", "USD", a)), backward(quote("y", "USD", b)), forward(quote("y", "z", c))] as const
      const { legs, rate } = rateAlong(hops)
      const exact = legs.map((leg) => BigDecimal.fromNumberUnsafe(leg.rate)).reduce(BigDecimal.multiply)
      assert.isTrue(isWithin(BigDecimal.fromNumberUnsafe(rate), exact, 6))
      assert.isAtMost(significantDigits(BigDecimal.fromNumberUnsafe(rate)), 12)
      assert.closeTo(rate / ((a / b) * c), 1, 1e-11)
    }
  )

  it.prop("a step against the quote, times the quote, is 1 to eleven digits", { rate: Rate }, ({ rate }) => {
    const inverse = BigDecimal.fromNumberUnsafe(rateAlong([backward(quote("x", "USD", rate))]).rate)
    const product = BigDecimal.multiply(inverse, BigDecimal.fromNumberUnsafe(rate))
    assert.isTrue(isWithin(product, BigDecimal.fromBigInt(1n), 6))
  })

  it("names every source once and takes the oldest time", () => {
    const old = { ...euro, updated: DateTime.makeUnsafe(5) }
    const rate = rateAlong([backward(old), backward(tether), forward(street)])
    assert.strictEqual(rate.source, "Frankfurter + CoinGecko + Bybit P2P + Bitget P2P")
    assert.strictEqual(rate.updated.epochMilliseconds, 5)
  })
})

const amountAt = (amount: BigDecimal.BigDecimal, rate: number) => {
  const leg = { from: "a", to: "b", rate, source: "s", updated: DateTime.makeUnsafe(0) }
  return converterAt({ rate, legs: [leg] })(amount)
}

describe("an amount at a rate", () => {
  const Units = Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 1e15 }))
  const Scale = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 18 }))

  it.prop("of 1 is the rate itself", { rate: Rate }, ({ rate }) => {
    assert.isTrue(BigDecimal.equals(amountAt(BigDecimal.fromBigInt(1n), rate), BigDecimal.fromNumberUnsafe(rate)))
  })

  it.prop(
    "is the amount times the rate, rounded only at the end",
    { units: Units, scale: Scale, rate: Rate },
    ({ rate, scale, units }) => {
      const amount = BigDecimal.make(BigInt(units), scale)
      const exact = BigDecimal.multiply(amount, BigDecimal.fromNumberUnsafe(rate))
      const result = amountAt(amount, rate)
      assert.isAtMost(significantDigits(result), Math.max(12, significantDigits(BigDecimal.fromNumberUnsafe(rate))))
      assert.isTrue(isWithin(result, exact, 5))
    }
  )
})
