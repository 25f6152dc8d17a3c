// The body of a conversion. All of it but the two amounts is the same for every amount, so it is encoded once per rate by the
// contract's schema; for another amount it is a multiplication and a short text.
import type { BigDecimal, DateTime } from "effect"
import { Effect, Schema } from "effect"
import { HttpServerResponse } from "effect/http"
import type { PlanName } from "../../access/Plan.ts"
import { Caller } from "../../api/Caller.ts"
import { Conversion } from "../../api/ConversionApi.ts"
import { Meta } from "../../api/Envelope.ts"
import { converterAt } from "../../domain/Conversion.ts"
import { plainDecimal } from "../../domain/Decimal.ts"
import type { Conversion as Converted } from "../../services/Conversions.ts"
import * as AmountAnswers from "../response/AmountAnswers.ts"

const { legs, rate } = Conversion.fields
const { updated } = Meta.fields
const encode = Schema.encodeSync(Schema.Struct({ rate, legs, updated }))

type Writer = (amount: BigDecimal.BigDecimal) => string

const writers = new WeakMap<Converted["legs"], Map<PlanName, Writer>>()

/** Writes the body for any amount at the conversion's rate. */
const writerOf = (conversion: Converted & { readonly updated: DateTime.Utc }, tier: PlanName): Writer => {
  const known = writers.get(conversion.legs) ?? new Map<PlanName, Writer>()
  writers.set(conversion.legs, known)
  const held = known.get(tier)
  if (held !== undefined) return held
  const { legs, rate, updated } = encode(conversion)
  const { from, source, to } = conversion
  const text = (value: unknown) => JSON.stringify(value)
  const before = `{"data":{"from":${text(from)},"to":${text(to)},"amount":`
  const between = `,"rate":${text(rate)},"result":`
  const after = `,"legs":${text(legs)}},"meta":${text({ source, updated, tier })}}`
  const convert = converterAt(conversion)
  const writer: Writer = (amount) => before + plainDecimal(amount) + between + plainDecimal(convert(amount)) + after
  known.set(tier, writer)
  return writer
}

/** `{ data, meta }` for the current caller. */
export const conversionBody = (conversion: Converted): Effect.Effect<HttpServerResponse.HttpServerResponse> =>
  Effect.map(Caller, ({ tier }) => {
    const writer = writerOf(conversion, tier)
    const response = HttpServerResponse.text(writer(conversion.amount), { contentType: "application/json" })
    return AmountAnswers.varying(response, writer)
  })
