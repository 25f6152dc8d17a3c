// Fiat rates in Frankfurter's shapes, versions 1 and 2.
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { frankfurterAt, type QueryOf } from "../../api/compat/FrankfurterApi.ts"
import { type Basis, multiplierOf } from "../../domain/Conversion.ts"
import { plainDecimal } from "../../domain/Decimal.ts"
import { isoCurrencies } from "../../domain/Fiat.ts"
import { RawJson } from "../../domain/JsonNumber.ts"
import { figure } from "../handlers/figure.ts"
import { InvalidQuery, NoRate, refusing } from "../handlers/refusing.ts"
import { answered } from "./CompatAnswer.ts"
import * as FrankfurterRates from "./FrankfurterRates.ts"

const EURO = "EUR"

export const frankfurterHandlers = (basis: Basis | undefined) =>
  HttpApiBuilder.group(
    frankfurterAt(basis),
    "frankfurter",
    Effect.fn(function* (handlers) {
      const rates = yield* FrankfurterRates.make(basis)

      /** Version 1: an amount in each currency but the base. */
      const quotes = Effect.fnUntraced(function* (date: string | undefined, query: QueryOf<"latest">) {
        const { amount, from, to } = query
        const base = from ?? query.base ?? EURO
        const symbols = to ?? query.symbols
        if (symbols !== undefined && symbols.every((code) => code === base)) {
          return yield* new InvalidQuery({ parameter: "symbols", detail: "bad currency pair" })
        }
        const { rows, stamp } = yield* rates.at(date, { base, quotes: symbols })
        const others = rows.filter(({ quote }) => quote !== base)
        const [oldest] = others.map((row) => row.date).toSorted()
        if (oldest === undefined) return yield* new NoRate()
        const inEach = others.map(
          ({ quote, rate }) => [quote, RawJson.rawJSON(plainDecimal(multiplierOf(rate)(amount)))] as const
        )
        return answered(
          { amount: RawJson.rawJSON(plainDecimal(amount)), base, date: oldest, rates: Object.fromEntries(inEach) },
          stamp
        )
      })

      /** Refuses codes of no currency, as version 2 does. */
      const checked = Effect.fnUntraced(function* (codes: ReadonlyArray<string>) {
        const unknown = codes.filter((code) => !isoCurrencies.has(code))
        if (unknown.length > 0) yield* new InvalidQuery({ parameter: "currency", detail: unknown.join(",") })
      })

      const shown = (base: string) => (row: FrankfurterRates.Row) => ({
        date: row.date,
        base,
        quote: row.quote,
        rate: figure(row.rate)
      })

      return handlers.handleAll({
        latest: ({ query }) => quotes(undefined, query).pipe(refusing),
        onDay: ({ params, query }) => quotes(params.date, query).pipe(refusing),
        rates: Effect.fnUntraced(function* ({ query }) {
          const { base = EURO, date, from, to } = query
          yield* checked([base, ...(query.quotes ?? [])])
          if (date !== undefined && (from !== undefined || to !== undefined)) {
            return yield* new InvalidQuery({ parameter: "date", detail: "conflicting params" })
          }
          const asked = { base, quotes: query.quotes }
          const found = from === undefined ? rates.at(date, asked) : rates.between(from, to, asked)
          const { rows, stamp } = yield* Effect.catchTag(found, "NoData", () => Effect.succeed(FrankfurterRates.none))
          return answered(rows.map(shown(base)), stamp)
        }, refusing),
        rate: Effect.fnUntraced(function* ({ params: { base, quote }, query }) {
          yield* checked([base, quote])
          const { rows, stamp } = yield* rates.at(query.date, { base, quotes: [quote] })
          const [row] = rows
          return row === undefined ? yield* new NoRate() : answered(shown(base)(row), stamp)
        }, refusing)
      })
    })
  )
