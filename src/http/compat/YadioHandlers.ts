// Rates and conversions in Yadio's shapes. Every figure is a rate of `/v1/convert`.
import { Effect, Option } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { yadioAt } from "../../api/compat/YadioApi.ts"
import type { Basis } from "../../domain/Conversion.ts"
import { RawJson } from "../../domain/JsonNumber.ts"
import { plainDecimal } from "../../domain/Decimal.ts"
import { nameOfCurrency } from "../../domain/VsCurrency.ts"
import { Conversions } from "../../services/Conversions.ts"
import { ExchangeRates } from "../../services/ExchangeRates.ts"
import * as Patience from "../../services/refresh/Patience.ts"
import { figure } from "../handlers/figure.ts"
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

export const yadioHandlers = (basis: Basis | undefined) =>
  HttpApiBuilder.group(
    yadioAt(basis),
    "yadio",
    Effect.fn(function* (handlers) {
      const conversions = yield* Conversions
      const { fiats } = Currencies.make(yield* ExchangeRates, conversions, basis)
      const { convert, each, rateOf } = Rates.make(conversions, basis)

      return handlers.handleAll({
        exchangeRates: Effect.fnUntraced(function* ({ params: { base } }) {
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
        rate: Effect.fnUntraced(function* ({ params: { code } }) {
          const [dollar, bitcoin] = [yield* rateOf("USD", code), yield* rateOf(BITCOIN, code)]
          return stamped({ rate: figure(dollar.rate), btc: figure(bitcoin.rate) }, [dollar, bitcoin])
        }, refusing),
        // Yadio names the currency of the result first.
        pair: ({ params: { of, per } }) =>
          Effect.map(rateOf(per, of), (found) => stamped({ rate: figure(found.rate) }, [found])).pipe(refusing),
        convert: ({ params: { amount, from, to } }) =>
          Effect.map(convert(from, to, amount), (found) =>
            stamped(
              {
                request: { amount: RawJson.rawJSON(plainDecimal(amount)), from, to },
                result: RawJson.rawJSON(plainDecimal(found.result)),
                rate: figure(found.rate)
              },
              [found]
            )
          ).pipe(refusing),
        currencies: () =>
          Effect.map(fiats, (codes) =>
            jsonResponse(Object.fromEntries(codes.toSorted().map((code) => [code, nameOfCurrency(code)])))
          ).pipe(Patience.shared)
      })
    })
  )
