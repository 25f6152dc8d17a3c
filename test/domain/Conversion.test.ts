import { assert, describe, it } from "@effect/vitest"
import { BigDecimal, DateTime, Schema } from "effect"
import {
  amountAt,
  backward,
  compoundChange,
  forward,
  type Hop,
  path,
  type Quote,
  rateAlong
} from "../../src/domain/Conversion.ts"
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
  it("shows a quote as it was quoted, and a computed one with twelve digits", () => {
    assert.strictEqual(rateOf("bitcoin", "USD"), bitcoin.rate)
    assert.strictEqual(rateOf("tether", "NGN"), 1390.123_456_79)
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
      assert.strictEqual(rate, Number(legs.reduce((product, leg) => product * leg.rate, 1).toPrecision(12)))
      assert.isAtMost(significantDigits(BigDecimal.fromNumberUnsafe(rate)), 12)
      assert.closeTo(rate / ((a / b) * c), 1, 1e-11)
    }
  )

  it.prop("a step against the quote is one over it, from the quote's full precision", { rate: Rate }, ({ rate }) => {
    assert.strictEqual(rateAlong([backward(quote("x", "USD", rate))]).rate, Number((1 / rate).toPrecision(12)))
  })

  it("names every source once and takes the oldest time", () => {
    const old = { ...euro, updated: DateTime.makeUnsafe(5) }
    const rate = rateAlong([backward(old), backward(tether), forward(street)])
    assert.strictEqual(rate.source, "Frankfurter + CoinGecko + Bybit P2P + Bitget P2P")
    assert.strictEqual(rate.updated.epochMilliseconds, 5)
  })
})

describe("amountAt", () => {
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
      const error = BigDecimal.abs(BigDecimal.subtract(result, exact))
      assert.isTrue(BigDecimal.isLessThanOrEqualTo(error, BigDecimal.multiply(exact, BigDecimal.make(5n, 12))))
    }
  )
})

describe("compoundChange", () => {
  const Change = Schema.Finite.check(Schema.isBetween({ minimum: -99, maximum: 1000 }))

  it("compounds instead of adding", () => {
    assert.strictEqual(compoundChange(10, -10), -1)
    assert.strictEqual(compoundChange(100, 100), 300)
    assert.strictEqual(compoundChange(-50, 100), 0)
    assert.strictEqual(compoundChange(0.1, 0.2), 0.3002)
  })

  it.prop("with no second change is the first, in either order", { a: Change, b: Change }, ({ a, b }) => {
    assert.closeTo(compoundChange(a, 0), a, 1e-9)
    assert.strictEqual(compoundChange(a, b), compoundChange(b, a))
    assert.isAbove(compoundChange(a, b), -100)
  })
})
