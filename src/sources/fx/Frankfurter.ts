// Frankfurter v2: central banks' reference rates against the dollar, and the Central Bank of Nigeria's own alone.
// Every row has its own day: a weekend, days back, or a day ahead. One unknown parameter or code fails the whole call
// (422), and asking for one provider loses the pegged currencies, so the two questions are two calls.
import { type Config, Context, DateTime, Effect, Layer, Order, Schema } from "effect"
import { HttpClientRequest } from "effect/http"
import { isoCurrencies, quotedFiats } from "../../domain/Fiat.ts"
import { FxRates, newestDay, startOfDay } from "../../domain/FxRates.ts"
import { OfficialRate } from "../../domain/OfficialRate.ts"
import * as Snapshot from "../../domain/Snapshot.ts"
import * as DataSet from "../dataset/DataSet.ts"
import * as SourceClient from "../client/SourceClient.ts"
import { Unusable } from "../client/SourceError.ts"
import type { SourceTerms } from "../catalog/SourceTerms.ts"
import * as WireFormat from "../client/WireFormat.ts"

const terms: SourceTerms = {
  id: "FRANKFURTER",
  name: "Frankfurter",
  baseUrl: "https://api.frankfurter.dev",
  attribution: "Reference rates of central banks, collected by Frankfurter; naira rates by the Central Bank of Nigeria",
  link: "https://frankfurter.dev",
  licence: "each central bank's own terms; Frankfurter itself asks for nothing",
  redistribution: "attribution"
}

const RateRow = Schema.Struct({
  date: WireFormat.Day,
  base: Schema.Literal("USD"),
  quote: Schema.String.check(Schema.isPattern(/^[A-Z]{3}$/)),
  rate: Schema.Finite.check(Schema.isGreaterThan(0))
})

const byDay = Order.mapInput(Order.String, (row: typeof RateRow.Type) => row.date)

/** Frankfurter, the first source of fiat rates, and the last of the official naira rate. */
export class Frankfurter extends Context.Service<
  Frankfurter,
  {
    /** Every currency in use that it has, each with its own day. `NGN` among them is the official rate. */
    readonly rates: DataSet.DataSet<FxRates>
    /** NGN per 1 USD, CBN's central rate, as Frankfurter relays it; stamped `CBN via Frankfurter`. */
    readonly official: DataSet.DataSet<OfficialRate>
  }
>()("crypto-data-api/sources/fx/Frankfurter") {
  static readonly terms = terms

  static readonly layerNoDeps: Layer.Layer<Frankfurter, Config.ConfigError, SourceClient.Requirements> = Layer.effect(
    Frankfurter,
    Effect.gen(function* () {
      const client = yield* SourceClient.make({
        terms,
        allowances: [{ calls: 10, per: "1 minute" }],
        maxBytes: 1024 * 1024
      })

      const rows = Effect.fn("Frankfurter.rows")(function* (query: Record<string, string>) {
        const { body, retrievedAt } = yield* client.request(
          HttpClientRequest.get("/v2/rates", { urlParams: { base: "USD", ...query } }),
          WireFormat.Rows
        )
        const { bad, good } = WireFormat.rows(RateRow, body)
        yield* WireFormat.reportBad(client.name, "rates", bad)
        const tomorrow = DateTime.formatIsoDateUtc(DateTime.add(retrievedAt, { days: 1 }))
        const credible = good.filter((row) => row.date <= tomorrow)
        if (credible.length < good.length) {
          yield* Effect.logWarning(`${client.name}: ${good.length - credible.length} rates left out, of days to come`)
        }
        return { rows: credible.sort(byDay), retrievedAt }
      })

      const fetchRates = Effect.gen(function* () {
        const answer = yield* rows({})
        const value = toRates(answer.rows)
        if (2 * quotedFiats.filter((fiat) => fiat in value.rates).length <= quotedFiats.length) {
          return yield* client.error(new Unusable({ detail: "less than half of the currencies we quote in" }))
        }
        const observedAt = startOfDay(newestDay(value))
        return Snapshot.make({ value, source: client.name, observedAt, retrievedAt: answer.retrievedAt })
      })

      const official = `CBN via ${client.name}`
      const fetchOfficial = Effect.gen(function* () {
        const answer = yield* rows({ quotes: "NGN", providers: "CBN" })
        const row = answer.rows.findLast((row) => row.quote === "NGN" && row.rate >= 100 && row.rate <= 100_000)
        if (row === undefined) return yield* client.error(new Unusable({ detail: "no credible naira rate" }))
        return Snapshot.make({
          value: { rate: row.rate, date: row.date },
          source: official,
          observedAt: startOfDay(row.date),
          retrievedAt: answer.retrievedAt
        })
      })

      return Frankfurter.of({
        rates: yield* client.dataSet("rates", { every: "1 hour", fetch: fetchRates, schema: FxRates }),
        official: yield* client.dataSet("official", {
          source: official,
          every: "1 hour",
          fetch: fetchOfficial,
          schema: OfficialRate
        })
      })
    })
  )

  static readonly layer: Layer.Layer<Frankfurter, Config.ConfigError> = this.layerNoDeps.pipe(
    Layer.provide(SourceClient.layerRequirements)
  )

  static readonly layerTest = (service: Frankfurter["Service"]) => Layer.succeed(Frankfurter, service)
}

/** Rows in order of their days: the newest of a currency stands. The dollar is 1, as of the newest day of all. */
const toRates = (rows: ReadonlyArray<typeof RateRow.Type>): FxRates => {
  const current = rows.filter((row) => row.quote !== "USD" && isoCurrencies.has(row.quote))
  const newest = current.at(-1)
  if (newest === undefined) return { rates: {}, observed: {} }
  return {
    rates: { USD: 1, ...Object.fromEntries(current.map((row) => [row.quote, row.rate])) },
    observed: { USD: newest.date, ...Object.fromEntries(current.map((row) => [row.quote, row.date])) }
  }
}
