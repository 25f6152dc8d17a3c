import { assert, describe, it } from "@effect/vitest"
import { BigDecimal, Effect, Exit, Schema } from "effect"
import { JsonDecimal, JsonNumber } from "../../src/domain/JsonNumber.ts"
import { rule } from "../rulesOf.ts"

const written = (value: number) =>
  Effect.map(Schema.encodeEffect(JsonNumber)(value), (encoded) => JSON.stringify({ value: encoded }).slice(9, -1))

const writtenExactly = (value: BigDecimal.BigDecimal) =>
  Effect.map(Schema.encodeEffect(JsonDecimal)(value), (encoded) => JSON.stringify({ value: encoded }).slice(9, -1))

const PLAIN = /^-?(0|[1-9]\d*)(\.\d*[1-9])?$/

describe("JsonNumber", () => {
  rule("writes the smallest and the largest without an exponent", function* () {
    assert.strictEqual(yield* written(1e-7), "0.0000001")
    assert.strictEqual(yield* written(-1.5e-9), "-0.0000000015")
    assert.strictEqual(yield* written(1e21), `1${"0".repeat(21)}`)
    assert.strictEqual(yield* written(1e-6), "0.000001")
    assert.strictEqual(yield* written(-0), "0")
    assert.match(yield* written(Number.MIN_VALUE), PLAIN)
    assert.match(yield* written(Number.MAX_VALUE), PLAIN)
  })

  it.effect.prop("writes every number plainly, and reads back the same one", { value: Schema.Finite }, ({ value }) =>
    Effect.gen(function* () {
      const text = yield* written(value)
      assert.match(text, PLAIN)
      assert.strictEqual(Number(text), value === 0 ? 0 : value)
      assert.strictEqual(yield* Schema.decodeUnknownEffect(JsonNumber)(JSON.parse(text)), Number(text))
    })
  )

  for (const value of [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]) {
    rule(`refuses ${value}`, function* () {
      assert.isTrue(Exit.isFailure(yield* Effect.exit(written(value))))
    })
  }
})

describe("JsonDecimal", () => {
  it.effect.prop(
    "writes every digit, whatever the size",
    { units: Schema.BigInt, scale: Schema.Int.check(Schema.isBetween({ minimum: -30, maximum: 60 })) },
    ({ scale, units }) =>
      Effect.gen(function* () {
        const value = BigDecimal.make(units, scale)
        const text = yield* writtenExactly(value)
        assert.match(text, PLAIN)
        assert.isTrue(BigDecimal.equals(BigDecimal.fromStringUnsafe(text), value))
      })
  )
})
