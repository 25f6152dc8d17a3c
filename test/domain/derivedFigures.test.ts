// Figures that are computed from published ones, against the same computation in decimals: no digit is noise of binary fractions.
import { assert, describe, it } from "@effect/vitest"
import { BigDecimal, Schema } from "effect"
import { changeAgainst, rateOfHops } from "../../src/domain/Conversion.ts"
import { compounded, derived, difference, percentAbove } from "../../src/domain/Decimal.ts"
import { premium, spreadOf } from "../../src/domain/P2pRate.ts"
import { changeOf } from "../../src/http/compat/CompatAnswer.ts"

const between = (minimum: number, maximum: number) => Schema.Int.check(Schema.isBetween({ minimum, maximum }))

/** A price of up to 11 digits, another that is close to it, and percents of up to 8 decimals. */
const figures = {
  units: between(1_000_000, 99_999_999_999),
  near: between(-100_000, 100_000),
  size: between(0, 10),
  first: between(-9_999_999_999, 100_000_000_000),
  second: between(-9_999_999_999, 100_000_000_000)
}

const decimal = (units: number, scale: number) => BigDecimal.make(BigInt(units), scale)
const HUNDRED = decimal(100, 0)

/** To 12 digits, of a quotient with 60 more. */
const published = (over: BigDecimal.BigDecimal, under = decimal(1, 0)): number => {
  const scaled = BigDecimal.make(over.value * 10n ** 60n, over.scale + 60)
  return derived(BigDecimal.toNumberUnsafe(BigDecimal.divideUnsafe(scaled, under)))
}

/** Equal but for the last of 12 digits, which may be rounded from a half. */
const same = (found: number, expected: number, what: string) =>
  assert.isAtMost(Math.abs(found - expected), Math.abs(expected) * 1.01e-11, `${what}: ${found}, ${expected}`)

describe("figures computed from others", () => {
  it.prop("are what decimals give, also where they are differences of close figures", figures, (drawn) => {
    const { first, near, second, size, units } = drawn
    const [a, b] = [decimal(units + near, size), decimal(units, size)]
    const [x, y] = [BigDecimal.toNumberUnsafe(a), BigDecimal.toNumberUnsafe(b)]
    const [p, q] = [decimal(first, 8), decimal(second, 8)]
    const [one, other] = [BigDecimal.toNumberUnsafe(p), BigDecimal.toNumberUnsafe(q)]
    const apart = BigDecimal.subtract(a, b)
    const percent = published(BigDecimal.multiply(apart, HUNDRED), b)
    same(derived(difference(x, y)), published(apart), "difference")
    same(derived(percentAbove(x, y)), percent, "percentAbove")
    same(derived(premium(x, y)), percent, "premium")
    same(derived(spreadOf({ buy: x, sell: y, mid: y })), percent, "spread")
    const both = BigDecimal.divideUnsafe(BigDecimal.multiply(p, q), HUNDRED)
    same(derived(compounded(one, other)), published(BigDecimal.sum(BigDecimal.sum(p, q), both)), "compounded")
    const rest = BigDecimal.sum(q, HUNDRED)
    const against = published(BigDecimal.multiply(BigDecimal.subtract(p, q), HUNDRED), rest)
    same(changeAgainst(one, other) ?? Number.NaN, against, "changeAgainst")
    const moved = published(BigDecimal.multiply(b, p), BigDecimal.sum(p, HUNDRED))
    same(derived(changeOf({ price: y, change_24h: one }) ?? Number.NaN), moved, "changeOf")
    same(rateOfHops(x, y), published(BigDecimal.multiply(a, b)), "rateOfHops")
  })

  it("are without noise where binary fractions have it", () => {
    assert.strictEqual(difference(0.3, 0.1), 0.2)
    assert.strictEqual(compounded(0.000001, 0), 0.000001)
    assert.strictEqual(compounded(10, -10), -1)
    assert.strictEqual(compounded(0.1, 0.2), 0.3002)
    assert.strictEqual(changeAgainst(0.1, 0.1), 0)
    assert.strictEqual(spreadOf({ buy: 1400.0000000000002, sell: 1400, mid: 1400 }), 0)
    assert.strictEqual(premium(1400.0000000000002, 1400), 0)
  })
})
