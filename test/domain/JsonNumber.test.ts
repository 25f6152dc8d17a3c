import { assert, describe, it } from "@effect/vitest"
import { BigDecimal, Effect, Exit, Schema } from "effect"
import { plain, plainDecimal } from "../../src/domain/Decimal.ts"
import { JsonDecimal, JsonNumber } from "../../src/domain/JsonNumber.ts"
import { rule } from "../rulesOf.ts"

/** A value as it is in JSON. */
const written = <A>(schema: Schema.Codec<A, unknown>, value: A) =>
  Effect.map(Schema.encodeEffect(schema)(value), (encoded) => JSON.stringify({ value: encoded }).slice(9, -1))

describe("JsonNumber", () => {
  it.effect.prop("is a number written plainly, and read back as the same one", { value: Schema.Finite }, ({ value }) =>
    Effect.gen(function* () {
      const text = yield* written(JsonNumber, value)
      assert.strictEqual(text, plain(value))
      assert.strictEqual(yield* Schema.decodeUnknownEffect(JsonNumber)(JSON.parse(text)), value === 0 ? 0 : value)
    })
  )

  for (const value of [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]) {
    rule(`is not ${value}`, function* () {
      assert.isTrue(Exit.isFailure(yield* Effect.exit(written(JsonNumber, value))))
    })
  }
})

it.effect.prop(
  "JsonDecimal has every digit, whatever the size",
  { units: Schema.BigInt, scale: Schema.Int.check(Schema.isBetween({ minimum: -30, maximum: 60 })) },
  ({ scale, units }) => {
    const value = BigDecimal.make(units, scale)
    return Effect.map(written(JsonDecimal, value), (text) => assert.strictEqual(text, plainDecimal(value)))
  }
)
