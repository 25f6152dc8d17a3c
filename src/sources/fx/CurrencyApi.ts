// currency-api, a daily package of rates on a CDN. A day's version is published between 00:00 and 04:00 UTC and requested by
// its date. If it is missing, the fetch tries the days before, and `latest` last, because the CDN may cache it for a week. The
// 339 lower-case codes include coins and retired units; only currencies in use are read.
import { DateTime, Effect, Schema } from "effect"
import { isInUse, isoCurrencies } from "../../domain/Fiat.ts"
import { type DayRate, FxRates, startOfDay } from "../../domain/FxRates.ts"
import { fxRates } from "../../domain/PlausibleRates.ts"
import { releaseRates } from "../../domain/releaseRates.ts"
import { dayRatesAfter } from "../../history/model/PlausiblePast.ts"
import type { Urgency } from "../client/Budget.ts"
import * as DataSet from "../dataset/DataSet.ts"
import { SourceService } from "../client/SourceService.ts"
import type { Fetched, SourceError } from "../client/SourceError.ts"
import { catalog } from "../catalog/SourceCatalog.ts"
import * as WireFormat from "../client/WireFormat.ts"
import { asciiUpper } from "../../domain/asciiCase.ts"

/** The days before today that are tried before `latest`. */
const DAYS_BACK = 3

const RatesBody = Schema.Struct({
  date: WireFormat.Day,
  usd: WireFormat.Members(2_000)
})

/** The second source of fiat rates. It does not name its own sources. */
export class CurrencyApi extends SourceService<
  CurrencyApi,
  {
    /** All its currencies in use, with the day in the body. */
    readonly fx: DataSet.DataSet<FxRates>
    /** The rates of a day, `YYYY-MM-DD`; empty if the package has no version of that day, such as before 2024-03. */
    readonly day: (day: string, urgency: Urgency) => Fetched<ReadonlyArray<DayRate>>
  }
>()("crypto-data-api/sources/fx/CurrencyApi", catalog.CURRENCY_API, function* (connect) {
  const client = yield* connect({ maxBytes: 1024 * 1024 })

  const version = (name: string, urgency?: Urgency) =>
    client.get(`/currency-api@${name}/v1/currencies/usd.min.json`, RatesBody, { urgency })

  const newestVersion = (now: DateTime.Utc, back = 0): ReturnType<typeof version> =>
    back > DAYS_BACK
      ? version("latest")
      : version(DateTime.formatIsoDateUtc(DateTime.subtract(now, { days: back }))).pipe(
          Effect.catchIf(isMissing, () => newestVersion(now, back + 1))
        )

  const fetchRates = Effect.gen(function* () {
    const { body, retrievedAt } = yield* newestVersion(yield* DateTime.now)
    return { value: toRates(body, isInUse), observedAt: DateTime.min(startOfDay(body.date), retrievedAt), retrievedAt }
  })

  const fetchDay = Effect.fnUntraced(function* (day: string, urgency: Urgency) {
    const value = yield* version(day, urgency).pipe(
      Effect.map(({ body }) =>
        Object.entries(toRates(body, (code) => isoCurrencies.has(code)).rates).flatMap(([code, rate]) =>
          code === "USD" ? [] : [{ code, date: body.date, rate }]
        )
      ),
      Effect.catchIf(isMissing, () => Effect.succeed([]))
    )
    const now = yield* DateTime.now
    return { value, observedAt: now, retrievedAt: now }
  })

  /** The rates of the day that was fetched last, at first those of the release. Days are fetched one after the other. */
  let beside = releaseRates
  const day = Effect.fnUntraced(function* (day: string, urgency: Urgency) {
    const found = yield* client.lookUp("past", dayRatesAfter(beside), fetchDay(day, urgency))
    beside = { ...beside, ...Object.fromEntries(found.value.map(({ code, rate }) => [code, rate])) }
    return found
  })

  return {
    day,
    fx: yield* client.dataSet("rates", { every: "1 hour", fetch: fetchRates, check: fxRates, schema: FxRates })
  }
}) {}

const isMissing = ({ reason }: SourceError): boolean => reason._tag === "BadStatus" && reason.status === 404

const toRates = ({ date, usd }: typeof RatesBody.Type, takes: (code: string) => boolean): FxRates => {
  const rates = Object.entries(usd).flatMap(([key, rate]): ReadonlyArray<[string, number]> => {
    const code = asciiUpper(key)
    return takes(code) && typeof rate === "number" ? [[code, rate]] : []
  })
  const all: Record<string, number> = { ...Object.fromEntries(rates), USD: 1 }
  return { rates: all, observed: Object.fromEntries(Object.keys(all).map((code) => [code, date])) }
}
