// currency-api, a daily package of rates on a CDN: one version a day, out between 00 and 04 UTC, so the day is asked
// for by name and a missing one means the day before. `latest` is cached for up to a week and only the last resort. Its
// 339 lower-case codes mix fiat with coins and retired units; only currencies in use are taken.
import { type Config, Context, DateTime, Effect, Layer, Schema } from "effect"
import { HttpClientRequest } from "effect/http"
import { isoCurrencies, quotedFiats } from "../../domain/Fiat.ts"
import { FxRates, startOfDay } from "../../domain/FxRates.ts"
import * as Snapshot from "../../domain/Snapshot.ts"
import * as DataSet from "../dataset/DataSet.ts"
import * as SourceClient from "../client/SourceClient.ts"
import { type SourceError, Unusable } from "../client/SourceError.ts"
import type { SourceTerms } from "../catalog/SourceTerms.ts"
import * as WireFormat from "../client/WireFormat.ts"

const terms: SourceTerms = {
  id: "CURRENCY_API",
  name: "currency-api",
  baseUrl: "https://cdn.jsdelivr.net/npm/@fawazahmed0",
  attribution: "Rates by currency-api (fawazahmed0)",
  link: "https://github.com/fawazahmed0/exchange-api",
  licence: "CC0-1.0",
  redistribution: "yes"
}

/** Days that may be missing before `latest` is asked for. */
const DAYS_BACK = 3

const RatesBody = Schema.Struct({
  date: WireFormat.Day,
  usd: Schema.Record(Schema.String, Schema.Unknown)
})

/** currency-api, the second source of fiat rates. Where its rates come from it does not say. */
export class CurrencyApi extends Context.Service<
  CurrencyApi,
  {
    /** Every currency in use that it has, all of the day that the body names. */
    readonly rates: DataSet.DataSet<FxRates>
  }
>()("crypto-data-api/sources/fx/CurrencyApi") {
  static readonly terms = terms

  static readonly layerNoDeps: Layer.Layer<CurrencyApi, Config.ConfigError, SourceClient.Requirements> = Layer.effect(
    CurrencyApi,
    Effect.gen(function* () {
      const client = yield* SourceClient.make({
        terms,
        allowances: [{ calls: 10, per: "1 minute" }],
        maxBytes: 1024 * 1024
      })

      const version = (name: string) =>
        client.request(HttpClientRequest.get(`/currency-api@${name}/v1/currencies/usd.min.json`), RatesBody)

      const newestVersion = (now: DateTime.Utc, back = 0): ReturnType<typeof version> =>
        back > DAYS_BACK
          ? version("latest")
          : version(DateTime.formatIsoDateUtc(DateTime.subtract(now, { days: back }))).pipe(
              Effect.catchIf(isMissing, () => newestVersion(now, back + 1))
            )

      const fetchRates = Effect.gen(function* () {
        const { body, retrievedAt } = yield* newestVersion(yield* DateTime.now)
        const value = toRates(body)
        if (body.date > DateTime.formatIsoDateUtc(DateTime.add(retrievedAt, { days: 1 }))) {
          return yield* client.error(new Unusable({ detail: "rates of a day to come" }))
        }
        if (2 * quotedFiats.filter((fiat) => fiat in value.rates).length <= quotedFiats.length) {
          return yield* client.error(new Unusable({ detail: "less than half of the currencies we quote in" }))
        }
        return Snapshot.make({ value, source: client.name, observedAt: startOfDay(body.date), retrievedAt })
      })

      return CurrencyApi.of({
        rates: yield* client.dataSet("rates", { every: "1 hour", fetch: fetchRates, schema: FxRates })
      })
    })
  )

  static readonly layer: Layer.Layer<CurrencyApi, Config.ConfigError> = this.layerNoDeps.pipe(
    Layer.provide(SourceClient.layerRequirements)
  )

  static readonly layerTest = (service: CurrencyApi["Service"]) => Layer.succeed(CurrencyApi, service)
}

const isMissing = ({ reason }: SourceError): boolean => reason._tag === "BadStatus" && reason.status === 404

const toRates = ({ date, usd }: typeof RatesBody.Type): FxRates => {
  const rates = Object.entries(usd).flatMap(([key, rate]): ReadonlyArray<[string, number]> => {
    const code = key.toUpperCase()
    return isoCurrencies.has(code) && typeof rate === "number" && Number.isFinite(rate) && rate > 0
      ? [[code, rate]]
      : []
  })
  const all: Record<string, number> = { ...Object.fromEntries(rates), USD: 1 }
  return { rates: all, observed: Object.fromEntries(Object.keys(all).map((code) => [code, date])) }
}
