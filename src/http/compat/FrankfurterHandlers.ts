// Fiat rates in Frankfurter's shapes, versions 1 and 2.
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { type Period, periodOf } from "../../api/compat/FrankfurterDialect.ts"
import { FrankfurterApi, type QueryOf } from "../../api/compat/FrankfurterApi.ts"
import { multiplierOf } from "../../domain/Conversion.ts"
import { plainDecimal } from "../../domain/Decimal.ts"
import { correctionOf } from "../../domain/currenciesNamed.ts"
import { isoCurrencies } from "../../domain/Fiat.ts"
import { RawJson } from "../../domain/JsonNumber.ts"
import { figure } from "../handlers/figure.ts"
import { nameOfCurrency, signOf } from "../../domain/VsCurrency.ts"
import { InvalidQuery, NoRate, refusing, RetiredCode, UnknownPath } from "../handlers/refusing.ts"
import { jsonResponse } from "./CompatAnswer.ts"
import * as FrankfurterRates from "./FrankfurterRates.ts"

const EURO = "EUR"

const NO_PERIOD = "must be a day of the calendar as YYYY-MM-DD, or a range as YYYY-MM-DD..YYYY-MM-DD"

export const FrankfurterHandlers = HttpApiBuilder.group(
  FrankfurterApi,
  "frankfurter",
  Effect.fn(function* (handlers) {
    const rates = yield* FrankfurterRates.make

    /** The failure if no rate of these codes is known; a retired code has its own. */
    const noRateOf = (codes: ReadonlyArray<string>) => {
      const code = codes.find((one) => correctionOf(one) !== undefined)
      return code === undefined ? new NoRate() : new RetiredCode({ code })
    }

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
      if (oldest === undefined) return yield* noRateOf([base, ...(symbols ?? [])])
      const inEach = others.map(
        ({ quote, rate }) => [quote, RawJson.rawJSON(plainDecimal(multiplierOf(rate)(amount)))] as const
      )
      return jsonResponse(
        { amount: RawJson.rawJSON(plainDecimal(amount)), base, date: oldest, rates: Object.fromEntries(inEach) },
        stamp
      )
    })

    /** Version 1: the same for a range of days, by day. */
    const series = Effect.fnUntraced(function* ({ from: first, to: last }: Period, query: QueryOf<"latest">) {
      const { amount, from, to } = query
      const base = from ?? query.base ?? EURO
      const symbols = to ?? query.symbols
      const { rows, stamp } = yield* rates
        .between(first, last, { base, quotes: symbols })
        .pipe(
          Effect.mapError((failure) =>
            failure._tag === "InvalidQuery" && failure.parameter === "quotes"
              ? new InvalidQuery({ parameter: "symbols", detail: failure.detail })
              : failure
          )
        )
      const byDay = new Map<string, Record<string, unknown>>()
      for (const { date, quote, rate } of rows) {
        if (quote === base) continue
        const day = byDay.get(date) ?? {}
        day[quote] = RawJson.rawJSON(plainDecimal(multiplierOf(rate)(amount)))
        byDay.set(date, day)
      }
      const days = [...byDay.keys()]
      if (days.length === 0) return yield* noRateOf([base, ...(symbols ?? [])])
      const body = {
        amount: RawJson.rawJSON(plainDecimal(amount)),
        base,
        start_date: days[0],
        end_date: days.at(-1),
        rates: Object.fromEntries(byDay)
      }
      return jsonResponse(body, stamp)
    })

    const during = Effect.fnUntraced(function* (text: string, query: QueryOf<"latest">) {
      if (text === "current") return yield* quotes(undefined, query)
      const period = periodOf(text)
      if (period === undefined) return yield* new InvalidQuery({ parameter: "date", detail: NO_PERIOD })
      return yield* period.isRange ? series(period, query) : quotes(period.from, query)
    })

    /** Every currency that has a rate now, by code. */
    const known = Effect.map(rates.at(undefined, { base: EURO, quotes: undefined }), ({ rows, stamp }) => ({
      rows: rows.toSorted((a, b) => (a.quote < b.quote ? -1 : 1)),
      stamp
    }))
    const names = Effect.map(known, ({ rows, stamp }) =>
      jsonResponse(Object.fromEntries(rows.map(({ quote }) => [quote, nameOfCurrency(quote)])), stamp)
    )

    /** Refuses unknown currency codes, as version 2 does. */
    const checked = Effect.fnUntraced(function* (codes: ReadonlyArray<string>) {
      const unknown = codes.filter((code) => !isoCurrencies.has(code))
      const detail = [unknown.join(","), ...unknown.flatMap((code) => correctionOf(code) ?? [])].join(". ")
      if (unknown.length > 0) yield* new InvalidQuery({ parameter: "currency", detail })
    })

    const shown = (base: string) => (row: FrankfurterRates.Row) => ({
      date: row.date,
      base,
      quote: row.quote,
      rate: figure(row.rate)
    })

    return handlers.handleAll({
      latest: ({ query }) => quotes(undefined, query).pipe(refusing),
      latestUnversioned: ({ query }) => quotes(undefined, query).pipe(refusing),
      during: ({ params, query }) => during(params.period, query).pipe(refusing),
      // The route matches any segment. One that is neither a day nor `current` is an unknown path.
      duringUnversioned: ({ params, query }) =>
        (/^(\d|current$)/.test(params.period) ? during(params.period, query) : Effect.fail(new UnknownPath())).pipe(
          refusing
        ),
      currencyNames: () => refusing(names),
      currencyNamesUnversioned: () => refusing(names),
      currencyList: () =>
        known.pipe(
          Effect.map(({ rows, stamp }) =>
            jsonResponse(
              rows.map(({ date, quote }) => ({
                iso_code: quote,
                iso_numeric: null,
                name: nameOfCurrency(quote),
                symbol: signOf(quote),
                start_date: null,
                end_date: date
              })),
              stamp
            )
          ),
          refusing
        ),
      rates: Effect.fnUntraced(function* ({ query }) {
        const { base = EURO, date, from, to } = query
        yield* checked([base, ...(query.quotes ?? [])])
        if (date !== undefined && (from !== undefined || to !== undefined)) {
          return yield* new InvalidQuery({ parameter: "date", detail: "conflicting params" })
        }
        const asked = { base, quotes: query.quotes }
        const { rows, stamp } =
          from === undefined
            ? yield* Effect.catchTag(rates.at(date, asked), "NoData", () => Effect.succeed(FrankfurterRates.none))
            : yield* rates.between(from, to, asked)
        return jsonResponse(rows.map(shown(base)), stamp)
      }, refusing),
      rate: Effect.fnUntraced(function* ({ params: { base, quote }, query }) {
        yield* checked([base, quote])
        const { rows, stamp } = yield* rates.at(query.date, { base, quotes: [quote] })
        const [row] = rows
        return row === undefined ? yield* noRateOf([base, quote]) : jsonResponse(shown(base)(row), stamp)
      }, refusing)
    })
  })
)
