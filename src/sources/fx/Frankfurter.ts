// Frankfurter v2: central banks' reference rates to USD, and those of the Central Bank of Nigeria alone. Every row has its own
// day, which may be days ago or a day ahead. One unknown parameter or code fails the whole call (422). A call for one provider
// omits pegged currencies, so the official rate takes a separate call.
import { DateTime, Effect, Order, Schema } from "effect"
import { isInUse, isoCurrencies } from "../../domain/Fiat.ts"
import { type DayRate, FxRates, newestDay, startOfDay } from "../../domain/FxRates.ts"
import { OFFICIAL_FIAT, OfficialRate } from "../../domain/OfficialRate.ts"
import { fxRates, isPossibleRate, officialRate } from "../../domain/PlausibleRates.ts"
import { dayRates } from "../../history/model/PlausiblePast.ts"
import type { Urgency } from "../client/Budget.ts"
import * as DataSet from "../dataset/DataSet.ts"
import { SourceService } from "../client/SourceService.ts"
import { type Fetched, Unusable } from "../client/SourceError.ts"
import { catalog } from "../catalog/SourceCatalog.ts"
import * as WireFormat from "../client/WireFormat.ts"

const RateRow = Schema.Struct({
  date: WireFormat.Day,
  base: Schema.Literal("USD"),
  quote: Schema.String.check(Schema.isPattern(/^[A-Z]{3}$/)),
  rate: Schema.Finite.check(Schema.isGreaterThan(0))
})

const officialQuery = { quotes: OFFICIAL_FIAT, providers: "CBN" }

/** The first source of fiat rates, and the last one of the naira's official rate. */
export class Frankfurter extends SourceService<
  Frankfurter,
  {
    /** All its currencies in use, each with its own day. All are official rates. */
    readonly fx: DataSet.DataSet<FxRates>
    /** CBN's central rate, units per 1 USD, relayed by Frankfurter. Its source is `CBN via Frankfurter`. */
    readonly official_rate: DataSet.DataSet<OfficialRate>
    /** All rates published for the days `from` to `to`, both included: about 5,000 a month, 4 MiB at most. */
    readonly days: (from: string, to: string, urgency: Urgency) => Fetched<ReadonlyArray<DayRate>>
    /** The naira's official rates of the days `from` to `to`, both included. */
    readonly officialDays: (from: string, to: string, urgency: Urgency) => Fetched<ReadonlyArray<DayRate>>
  }
>()("crypto-data-api/sources/fx/Frankfurter", catalog.FRANKFURTER, function* (connect) {
  const client = yield* connect({ maxBytes: 4 * 1024 * 1024, maxValues: 300_000 })

  const rows = Effect.fn("Frankfurter.rows")(function* (query: Record<string, string>, urgency?: Urgency) {
    const { body, ...times } = yield* client.get("/v2/rates", WireFormat.Rows(60_000), {
      query: { base: "USD", ...query },
      urgency
    })
    const good = yield* client.usable("rates", WireFormat.rows(RateRow, body))
    const tomorrow = DateTime.formatIsoDateUtc(DateTime.add(times.retrievedAt, { days: 1 }))
    const credible = good.filter((row) => row.date <= tomorrow)
    if (credible.length < good.length) {
      yield* Effect.logWarning(`${client.name}: ${good.length - credible.length} rates ignored, dated in the future`)
    }
    return { rows: credible.sort(Order.mapInput(Order.String, (row) => row.date)), ...times }
  })

  const fetchRates = Effect.gen(function* () {
    const { retrievedAt, rows: found } = yield* rows({})
    const value = toRates(found)
    const newest = newestDay(value)
    if (newest === "") return yield* client.error(new Unusable({ detail: "no rates" }))
    return { value, observedAt: DateTime.min(startOfDay(newest), retrievedAt), retrievedAt }
  })

  const official = `CBN via ${client.name}`
  const fetchOfficial = Effect.gen(function* () {
    const { retrievedAt, rows: found } = yield* rows(officialQuery)
    const row = found.findLast((row) => row.quote === OFFICIAL_FIAT && isPossibleRate(row.rate))
    if (row === undefined) return yield* client.error(new Unusable({ detail: "no credible official rate" }))
    const observedAt = DateTime.min(startOfDay(row.date), retrievedAt)
    return { value: { rate: row.rate, date: row.date, isCentral: true }, observedAt, retrievedAt }
  })

  const fetchDays = Effect.fnUntraced(function* (query: Record<string, string>, urgency: Urgency) {
    const { rows: found, ...times } = yield* rows(query, urgency)
    const value = found.flatMap(({ date, quote, rate }) =>
      quote !== "USD" && isoCurrencies.has(quote) ? [{ code: quote, date, rate }] : []
    )
    return { value, ...times }
  })

  return {
    days: (from, to, urgency) => client.lookUp("past", dayRates, fetchDays({ from, to }, urgency)),
    officialDays: (from, to, urgency) =>
      client.lookUp("past", dayRates, fetchDays({ ...officialQuery, from, to }, urgency), official),
    fx: yield* client.dataSet("rates", {
      every: "1 hour",
      fetch: fetchRates,
      check: fxRates,
      schema: FxRates
    }),
    official_rate: yield* client.dataSet("official", {
      source: official,
      every: "1 hour",
      fetch: fetchOfficial,
      check: officialRate,
      schema: OfficialRate
    })
  }
}) {}

/** The newest row of each currency. `rows` must be sorted by day. USD is 1, with the newest day. */
const toRates = (rows: ReadonlyArray<typeof RateRow.Type>): FxRates => {
  const current = rows.filter((row) => row.quote !== "USD" && isInUse(row.quote))
  const newest = current.at(-1)
  if (newest === undefined) return { rates: {}, observed: {} }
  return {
    rates: { USD: 1, ...Object.fromEntries(current.map((row) => [row.quote, row.rate])) },
    observed: { USD: newest.date, ...Object.fromEntries(current.map((row) => [row.quote, row.date])) }
  }
}
