// `/v1/fx` and `/v1/convert`. The contract's schema encodes once per rate what a conversion's body has in common for all amounts. An amount
// then costs a multiplication and a short text.
import { type BigDecimal, DateTime, Effect, Schema } from "effect"
import { HttpServerResponse } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import { Api } from "../../api/Api.ts"
import { Caller } from "../../api/Caller.ts"
import { Conversion, FxAnswer } from "../../api/ConversionApi.ts"
import { Meta } from "../../api/Envelope.ts"
import { converterAt } from "../../domain/Conversion.ts"
import { plainDecimal } from "../../domain/Decimal.ts"
import type { FxRates } from "../../domain/FxRates.ts"
import type { Snapshot } from "../../domain/Snapshot.ts"
import { Conversions, type Conversion as Converted, nameOf, parseAsset } from "../../services/Conversions.ts"
import { ExchangeRates } from "../../services/ExchangeRates.ts"
import { Past } from "../../services/history/Past.ts"
import { csv } from "../response/Csv.ts"
import { note } from "../response/Notes.ts"
import { atMoment } from "./atMoment.ts"
import { refusing, UnknownName } from "./refusing.ts"
import { stampOf } from "./Stamp.ts"
import { formatted, type TableFormat, textOptions } from "./Format.ts"

export const ConversionHandlers = HttpApiBuilder.group(
  Api,
  "conversion",
  Effect.fn(function* (handlers) {
    const conversions = yield* Conversions
    const exchangeRates = yield* ExchangeRates
    const past = yield* Past
    return handlers.handleAll({
      fx: Effect.fnUntraced(function* ({ query }) {
        const rates = yield* atMoment(query, exchangeRates.current, past.fx)
        return yield* fxBody(rates, query.format)
      }, refusing),
      convert: ({ query }) => {
        const from = parseAsset(query.from)
        const to = parseAsset(query.to)
        const { amount, basis } = query
        return atMoment(query, conversions.convert(from, to, amount, basis), (moment) =>
          past.convert(moment, from, to, amount, basis)
        ).pipe(
          Effect.flatMap((conversion) => conversionBody(conversion, query.format)),
          Effect.catchTag("UnknownCoin", ({ id, suggestions }) =>
            Effect.fail(new UnknownName({ parameter: nameOf(from) === id ? "from" : "to", name: id, suggestions }))
          ),
          refusing
        )
      }
    })
  })
)

const encodeFx = Schema.encodeSync(FxAnswer.fields.data)

const COLUMNS = ["base", "quote", "rate", "observed", "source", "updated"]

/** The rates in JSON, or in CSV with one row per rate. */
const fxBody = (fx: Snapshot<FxRates>, format: TableFormat) => {
  const { observed, rates, sources } = fx.value
  const data = encodeFx({ base: "USD", rates, observed })
  const updated = DateTime.formatIso(fx.observedAt)
  const rows = () =>
    Object.entries(data.rates).map(([quote, rate]) => ({
      base: data.base,
      quote,
      rate,
      observed: observed[quote] ?? null,
      source: sources?.[quote] ?? fx.source,
      updated
    }))
  return formatted(
    format,
    stampOf(fx),
    () => data,
    () => csv(COLUMNS, rows())
  )
}

const { legs, rate } = Conversion.fields
const { updated } = Meta.fields
const encode = Schema.encodeSync(Schema.Struct({ rate, legs, updated }))
const encodeDecimal = Schema.encodeSync(Conversion.fields.result)

const confidenceOf = ({ confidence, legs }: Converted) => ({
  confidence,
  ...(legs.some(({ street }) => street !== undefined) && { lasting: "unfollowed" as const })
})

/** Whether the rate is that of the advertisements which fill the amount. */
export const dependsOnAmount = ({ legs }: Pick<Converted, "legs">): boolean => legs.some(({ ads }) => ads !== undefined)

/** The function that writes the body for an amount at this conversion's rate. */
const writerOf = (conversion: Converted, tier: string, format: TableFormat) => {
  const { legs, rate, updated } = encode(conversion)
  const { from, source, to } = conversion
  const json = (value: unknown) => JSON.stringify(value)
  const resultOf = converterAt(conversion)
  if (format === "csv") {
    const { confidence, lasting } = confidenceOf(conversion)
    const street = lasting === undefined ? null : "not_followed"
    const columns = ["from", "to", "amount", "rate", "result", "confidence", "street", "source", "updated"]
    return (amount: BigDecimal.BigDecimal) =>
      csv(columns, [
        {
          from,
          to,
          amount: encodeDecimal(amount),
          rate,
          result: encodeDecimal(resultOf(amount)),
          confidence: confidence ?? null,
          street,
          source,
          updated
        }
      ])
  }
  const before = `{"data":{"from":${json(from)},"to":${json(to)},"amount":`
  const between = `,"rate":${json(rate)},"result":`
  const after = `,"legs":${json(legs)}},"meta":{"source":${json(source)},"updated":${json(updated)},"tier":"${tier}"}}`
  return (amount: BigDecimal.BigDecimal) =>
    `${before}${plainDecimal(amount)}${between}${plainDecimal(resultOf(amount))}${after}`
}

const conversionBody = Effect.fnUntraced(function* (conversion: Converted, format: TableFormat) {
  const { amount, rate, source, updated } = conversion
  const write = writerOf(conversion, (yield* Caller).tier, format)
  yield* note({ updated, rate, ...confidenceOf(conversion), ...(!dependsOnAmount(conversion) && { write }) })
  const shape = format === "json" ? { contentType: "application/json" } : textOptions(format, { source, updated })
  return HttpServerResponse.text(write(amount), shape)
})
