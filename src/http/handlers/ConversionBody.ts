// A conversion as it is written. Amounts are ever new, but what they are multiplied with is the same for all who convert between
// two assets: that is encoded by the contract's schema once, as long as it is the rate, and only the amounts anew.
import type { DateTime } from "effect"
import { Effect, Schema } from "effect"
import { HttpServerResponse } from "effect/http"
import { Caller } from "../../api/Caller.ts"
import { Conversion } from "../../api/ConversionApi.ts"
import { Meta } from "../../api/Envelope.ts"
import { RawJson } from "../../api/JsonNumber.ts"
import { plainDecimal } from "../../domain/Decimal.ts"
import type { Conversion as Converted } from "../../services/Conversions.ts"

const { legs, rate } = Conversion.fields
const { updated } = Meta.fields
const encode = Schema.encodeSync(Schema.Struct({ rate, legs, updated }))

type Terms = ReturnType<typeof encode>

const written = new WeakMap<Converted["legs"], Terms>()

const termsOf = (conversion: {
  readonly rate: number
  readonly legs: Converted["legs"]
  readonly updated: DateTime.Utc
}) => {
  const known = written.get(conversion.legs)
  if (known !== undefined) return known
  const terms = encode(conversion)
  written.set(conversion.legs, terms)
  return terms
}

/** `{ data, meta }` for the caller at hand. */
export const conversionBody = (conversion: Converted): Effect.Effect<HttpServerResponse.HttpServerResponse> =>
  Effect.map(Caller, ({ tier }) => {
    const { legs, rate, updated } = termsOf(conversion)
    const { amount, from, result, source, to } = conversion
    return HttpServerResponse.jsonUnsafe({
      data: {
        from,
        to,
        amount: RawJson.rawJSON(plainDecimal(amount)),
        rate,
        result: RawJson.rawJSON(plainDecimal(result)),
        legs
      },
      meta: { source, updated, tier }
    })
  })
