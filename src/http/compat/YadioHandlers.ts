// Rates and conversions in Yadio's shapes. Every figure is a rate of `/v1/convert`.
import { type BigDecimal, Effect, Option } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { YadioApi } from "../../api/compat/YadioApi.ts"
import { type Basis, converterAt } from "../../domain/Conversion.ts"
import { RawJson } from "../../domain/JsonNumber.ts"
import { plainDecimal } from "../../domain/Decimal.ts"
import { nameOfCurrency } from "../../domain/VsCurrency.ts"
import { Conversions } from "../../services/Conversions.ts"
import { ExchangeRates } from "../../services/ExchangeRates.ts"
import * as Patience from "../../services/refresh/Patience.ts"
import { dependsOnAmount } from "../handlers/ConversionHandlers.ts"
import { figure } from "../handlers/figure.ts"
import { note } from "../response/Notes.ts"
import { refusing } from "../handlers/refusing.ts"
import { joined, type Stamp } from "../handlers/Stamp.ts"
import { jsonResponse } from "./CompatAnswer.ts"
import * as Currencies from "./Currencies.ts"
import * as Rates from "./Rates.ts"

const BITCOIN = "BTC"

/** The body with the time of its oldest part, milliseconds since 1970. */
const stamped = (body: object, parts: ReadonlyArray<Stamp>) => {
  const stamp = joined(parts)
  return jsonResponse({ ...body, timestamp: stamp?.updated.epochMilliseconds ?? null }, stamp)
}

export const YadioHandlers = HttpApiBuilder.group(
  YadioApi,
  "yadio",
  Effect.fn(function* (handlers) {
    const conversions = yield* Conversions
    const rates = yield* ExchangeRates
    const at = (basis: Basis) => ({
      ...Currencies.make(rates, conversions, basis),
      ...Rates.make(conversions, basis)
    })

    return handlers.handleAll({
      exchangeRates: Effect.fnUntraced(function* ({ params: { base }, query: { basis } }) {
        const { each, fiats, rateOf } = at(basis)
        const isBitcoin = base === BITCOIN
        const found = yield* each(base, [...(isBitcoin ? [BITCOIN] : []), ...(yield* fiats)].toSorted())
        const bitcoin = isBitcoin ? Option.none() : yield* Effect.option(rateOf(BITCOIN, base))
        const rates = Object.fromEntries(found.map(({ code, rate }) => [code, figure(rate)]))
        return stamped(
          {
            [base]: rates,
            ...(Option.isSome(bitcoin) && { [BITCOIN]: figure(bitcoin.value.rate) }),
            base
          },
          [...found, ...Option.toArray(bitcoin)]
        )
      }, refusing),
      rate: Effect.fnUntraced(function* ({ params: { code }, query: { basis } }) {
        const { rateOf } = at(basis)
        const [dollar, bitcoin] = [yield* rateOf("USD", code), yield* rateOf(BITCOIN, code)]
        return stamped({ rate: figure(dollar.rate), btc: figure(bitcoin.rate) }, [dollar, bitcoin])
      }, refusing),
      // Yadio names the currency of the result first.
      pair: ({ params: { of, per }, query: { basis } }) =>
        Effect.map(at(basis).rateOf(per, of), (found) => stamped({ rate: figure(found.rate) }, [found])).pipe(refusing),
      convert: ({ params: { amount, from, to }, query: { basis } }) =>
        Effect.flatMap(at(basis).convert(from, to, amount), (found) => {
          const resultOf = converterAt(found)
          const bodyFor = (units: BigDecimal.BigDecimal) => ({
            request: { amount: RawJson.rawJSON(plainDecimal(units)), from, to },
            result: RawJson.rawJSON(plainDecimal(resultOf(units))),
            rate: figure(found.rate),
            timestamp: found.updated.epochMilliseconds
          })
          const write = (units: BigDecimal.BigDecimal) => JSON.stringify(bodyFor(units))
          return Effect.as(note(dependsOnAmount(found) ? {} : { write }), jsonResponse(bodyFor(amount), found))
        }).pipe(refusing),
      currencies: ({ query: { basis } }) =>
        Effect.map(at(basis).fiats, (codes) =>
          jsonResponse(Object.fromEntries(codes.toSorted().map((code) => [code, nameOfCurrency(code)])))
        ).pipe(Patience.shared)
    })
  })
)
