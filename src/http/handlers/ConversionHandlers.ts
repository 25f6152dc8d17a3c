// `/v1/fx` and `/v1/convert`.
import { BigDecimal, Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { Api } from "../../api/Api.ts"
import { Conversions, nameOf, parseAsset } from "../../services/Conversions.ts"
import { ExchangeRates } from "../../services/ExchangeRates.ts"
import { Past } from "../../services/history/Past.ts"
import { atMoment, refusing, unknownAsset } from "./Answer.ts"
import { conversionBody } from "./ConversionBody.ts"
import { using } from "./HandlerLayer.ts"
import { formatOf } from "../response/Format.ts"
import { fxBody } from "./FxBody.ts"

const one = BigDecimal.fromBigInt(1n)

export const ConversionHandlers = HttpApiBuilder.group(
  Api,
  "conversion",
  Effect.fn(function* (handlers) {
    const conversions = yield* Conversions
    const exchangeRates = yield* ExchangeRates
    const past = yield* Past
    return handlers.handleAll({
      fx: ({ query }) =>
        atMoment(query, exchangeRates.current, past.fx).pipe(
          Effect.flatMap((rates) => Effect.flatMap(formatOf(query.format), (format) => fxBody(rates, format))),
          refusing
        ),
      convert: ({ query }) => {
        const from = parseAsset(query.from)
        const to = parseAsset(query.to)
        const amount = query.amount ?? one
        return atMoment(query, conversions.convert(from, to, amount, query.basis), (moment) =>
          past.convert(moment, from, to, amount, query.basis)
        ).pipe(
          Effect.flatMap(conversionBody),
          Effect.catchTag("UnknownCoin", (unknown) =>
            unknownAsset(nameOf(from) === unknown.id ? "from" : "to", unknown)
          ),
          refusing
        )
      }
    })
  })
).pipe(using(Conversions, ExchangeRates, Past))
