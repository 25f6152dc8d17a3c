// Fiat rates and conversions over HTTP.
import { BigDecimal, Effect, Layer } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { Access } from "../../api/Access.ts"
import { Api } from "../../api/Api.ts"
import { Cacheable } from "../../api/Cacheable.ts"
import { Validation } from "../../api/Validation.ts"
import { Conversions, parseAsset } from "../../services/Conversions.ts"
import { ExchangeRates } from "../../services/ExchangeRates.ts"
import { AccessLayer } from "../gate/AccessLayer.ts"
import { answer, noPrice, sourceUnavailable, unknownAsset } from "./Answer.ts"
import { conversionBody } from "./ConversionBody.ts"
import * as ContextSubset from "./ContextSubset.ts"
import { CacheableLayer } from "../response/CacheableLayer.ts"
import { ValidationLayer } from "../gate/ValidationLayer.ts"

const one = BigDecimal.fromBigInt(1n)

/** Implements the conversion group over its services. */
export const ConversionHandlers = HttpApiBuilder.group(
  Api,
  "conversion",
  Effect.fn(function* (handlers) {
    const conversions = yield* Conversions
    const exchangeRates = yield* ExchangeRates
    return handlers.handleAll({
      fx: () =>
        exchangeRates.current.pipe(
          Effect.flatMap(({ observedAt, source, value }) =>
            answer({ base: "USD" as const, ...value }, { source, updated: observedAt })
          ),
          Effect.catchTag("Unavailable", sourceUnavailable)
        ),
      convert: ({ query }) =>
        conversions
          .convert(parseAsset(query.from), parseAsset(query.to), query.amount ?? one)
          .pipe(
            Effect.flatMap(conversionBody),
            Effect.catchTags({ UnknownCoin: unknownAsset, NoPrice: noPrice, Unavailable: sourceUnavailable })
          )
    })
  })
).pipe(
  ContextSubset.withContextSubset(Conversions, ExchangeRates, Validation, Access, Cacheable),
  Layer.provide([ValidationLayer, AccessLayer, CacheableLayer])
)
