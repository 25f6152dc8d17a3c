import { assert, describe, it } from "@effect/vitest"
import { BigDecimal, Schema } from "effect"
import {
  derived,
  DERIVED_DIGITS,
  plain,
  plainDecimal,
  roundDecimal,
  roundSignificant,
  significantDigits
} from "../../src/domain/Decimal.ts"

const PLAIN = /^-?(0|[1-9]\d*)(\.\d*[1-9])?$/
const Scale = Schema.Int.check(Schema.isBetween({ minimum: -40, maximum: 60 }))
const Digits = Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 17 }))
const Size = Schema.Int.check(Schema.isBetween({ minimum: -300, maximum: 300 }))
const exact = (value: number) => BigDecimal.fromNumberUnsafe(value)

describe("plain", () => {
  it("writes what a double writes with an exponent", () => {
    assert.strictEqual(plain(1e-7), "0.0000001")
    assert.strictEqual(plain(1.234e-9), "0.000000001234")
    assert.strictEqual(plain(-5e-324), `-0.${"0".repeat(323)}5`)
    assert.strictEqual(plain(1e21), `1${"0".repeat(21)}`)
    assert.strictEqual(plain(1.5e21), `15${"0".repeat(20)}`)
    assert.strictEqual(plain(1.23456789012345e21), "1234567890123450000000")
  })

  it("leaves alone what is plain already", () => {
    for (const value of [0, 1, -1, 0.1, 0.000001, 123456.789, 1e20, -0.5])
      assert.strictEqual(plain(value), String(value))
    assert.strictEqual(plain(-0), "0")
  })

  it.prop("never shows an exponent, and reads back as the same number", { value: Schema.Finite }, ({ value }) => {
    assert.match(plain(value), PLAIN)
    assert.strictEqual(Number(plain(value)), value === 0 ? 0 : value)
  })

  it.prop("nor at any size", { units: Schema.Int, size: Size }, ({ size, units }) => {
    const value = Number(`${units}e${size}`)
    if (!Number.isFinite(value)) return
    assert.match(plain(value), PLAIN)
    assert.strictEqual(Number(plain(value)), value === 0 ? 0 : value)
  })
})

describe("plainDecimal", () => {
  it.prop(
    "writes every digit, and reads back as the same decimal",
    { units: Schema.BigInt, scale: Scale },
    ({ scale, units }) => {
      const value = BigDecimal.make(units, scale)
      assert.match(plainDecimal(value), PLAIN)
      assert.isTrue(BigDecimal.equals(BigDecimal.fromStringUnsafe(plainDecimal(value)), value))
    }
  )

  it.prop("writes a number as plain does", { value: Schema.Finite }, ({ value }) => {
    assert.strictEqual(plainDecimal(exact(value)), plain(value))
  })

  it("drops the noughts at the end and no others", () => {
    assert.strictEqual(plainDecimal(BigDecimal.fromStringUnsafe("1.500")), "1.5")
    assert.strictEqual(plainDecimal(BigDecimal.fromStringUnsafe("1500")), "1500")
    assert.strictEqual(plainDecimal(BigDecimal.fromStringUnsafe("0.000")), "0")
    assert.strictEqual(plainDecimal(BigDecimal.fromStringUnsafe("-0.010")), "-0.01")
  })
})

describe("roundSignificant", () => {
  it("takes float noise away", () => {
    assert.strictEqual(derived(0.1 + 0.2), 0.3)
    assert.strictEqual(derived(1.005 * 1000), 1005)
    assert.strictEqual(derived(4.35 * 100), 435)
  })

  it("rounds at the digit asked for, up and down and below zero", () => {
    assert.strictEqual(roundSignificant(1234.5678, 6), 1234.57)
    assert.strictEqual(roundSignificant(-1234.5678, 6), -1234.57)
    assert.strictEqual(roundSignificant(0.000123454, 5), 0.00012345)
    assert.strictEqual(roundSignificant(987_654_321, 2), 990_000_000)
    assert.strictEqual(roundSignificant(9.99, 2), 10)
    assert.strictEqual(roundSignificant(0, 3), 0)
  })

  it.prop(
    "keeps no more digits than asked for, and is at most half a unit of the last away",
    { value: Schema.Finite, digits: Digits },
    ({ digits, value }) => {
      const rounded = roundSignificant(value, digits)
      if (value === 0 || !Number.isFinite(rounded)) return
      assert.isAtMost(significantDigits(exact(rounded)), digits)
      assert.isAtMost(Math.abs(rounded - value), Math.abs(value) * 10 ** (1 - digits))
      assert.strictEqual(roundSignificant(rounded, digits), rounded)
      assert.strictEqual(roundSignificant(-value, digits), -rounded)
    }
  )

  it.prop("keeps the order of what it rounds", { a: Schema.Finite, b: Schema.Finite }, ({ a, b }) => {
    if (a <= b) assert.isTrue(derived(a) <= derived(b))
  })
})

describe("roundDecimal", () => {
  it.prop(
    "agrees with the double's rounding where a double is exact",
    { units: Schema.Int, digits: Digits },
    ({ digits, units }) => {
      const rounded = roundDecimal(BigDecimal.make(BigInt(units), 3), digits)
      assert.isAtMost(significantDigits(rounded), digits)
      const error = BigDecimal.abs(BigDecimal.subtract(rounded, BigDecimal.make(BigInt(units), 3)))
      const size = Math.floor(Math.log10(Math.max(1, Math.abs(units)))) - 2
      assert.isTrue(BigDecimal.isLessThanOrEqualTo(error, BigDecimal.make(5n, digits - size)), `${units}`)
    }
  )

  it("leaves alone what has few digits, and rounds to twelve unless told", () => {
    assert.strictEqual(
      plainDecimal(roundDecimal(BigDecimal.fromStringUnsafe("0.000000000000000001"))),
      "0.000000000000000001"
    )
    assert.strictEqual(plainDecimal(roundDecimal(BigDecimal.fromStringUnsafe("123456789012345.6"))), "123456789012000")
    assert.strictEqual(DERIVED_DIGITS, 12)
  })

  it("counts digits from the first to the last that is not nought", () => {
    const count = (text: string) => significantDigits(BigDecimal.fromStringUnsafe(text))
    assert.deepStrictEqual(["1", "-10", "0.0012", "120.50", "1000000000000001"].map(count), [1, 1, 2, 4, 16])
  })
})
