// Rates between fiats now, on a day or over a range of days, each with the day that it is of: the official ones by the figures of
// `/v1/fx` and its history, those of another basis by `/v1/convert`.
import { Clock, DateTime, Effect, Option, Result } from "effect"
import { type Basis, hopRate, rateOfHops } from "../../domain/Conversion.ts"
import { isoCurrencies } from "../../domain/Fiat.ts"
import { type FxRates, newestDay, startOfDay } from "../../domain/FxRates.ts"
import type { Snapshot } from "../../domain/Snapshot.ts"
import { rangeOf } from "../../history/model/HistoryRange.ts"
import { bucketsBetween, dayOf } from "../../history/model/Interval.ts"
import type { Moment } from "../../history/model/Moment.ts"
import type { Histories } from "../../history/service/Histories.ts"
import type { Past } from "../../history/service/Past.ts"
import type { Conversions } from "../../services/Conversions.ts"
import type { ExchangeRates } from "../../services/ExchangeRates.ts"
import { InvalidQuery, joined, orInvalid, type Stamp, stampOf, stampOfHistory } from "../handlers/Answer.ts"
import { assetOf, one } from "./Quotes.ts"

/** Units of `quote` for 1 of the base. `date`: the day of the older of both. */
export interface Row {
  readonly date: string
  readonly quote: string
  readonly rate: number
}

export interface Rows {
  readonly rows: ReadonlyArray<Row>
  readonly stamp: Stamp | undefined
}

/** Nothing is known then. */
export const none: Rows = { rows: [], stamp: undefined }

/** What is asked for. Without quotes: all that are known. */
export interface Asked {
  readonly base: string
  readonly quotes: ReadonlyArray<string> | undefined
}

const MOST_QUOTES = 10
const MOST_ROWS = 10_000

/** Units of a quote for 1 of a base, by the rates of both against the dollar; the arithmetic of `/v1/convert`. */
export const crossRate = (base: string, inBase: number, quote: string, inQuote: number): number => {
  if (base === quote) return 1
  if (base === "USD") return inQuote
  const dollars = hopRate(true, { rate: inBase, computed: false })
  return quote === "USD" ? dollars : rateOfHops(dollars, inQuote)
}

/** The official rate, by rates that were published. */
const officialRow = (held: FxRates, base: string, quote: string): ReadonlyArray<Row> => {
  const rateOf = (code: string) => (code === "USD" ? 1 : held.rates[code])
  const [inBase, inQuote] = [rateOf(base), rateOf(quote)]
  if (inBase === undefined || inQuote === undefined) return []
  const days = [base, quote].flatMap((code) => (code === "USD" ? [] : (held.observed[code] ?? [])))
  const [date = newestDay(held)] = days.toSorted()
  return [{ date, quote, rate: crossRate(base, inBase, quote, inQuote) }]
}

/** The stamp of rates that were published: the day of the oldest. */
const stampOfRows = (held: Snapshot<FxRates>, rows: ReadonlyArray<Row>): Stamp => {
  const [oldest] = rows.map(({ date }) => date).toSorted()
  const stamp = stampOf(held)
  return oldest === undefined ? stamp : { ...stamp, updated: DateTime.min(startOfDay(oldest), held.retrievedAt) }
}

interface Services {
  readonly conversions: Conversions["Service"]
  readonly exchangeRates: ExchangeRates["Service"]
  readonly histories: Histories["Service"]
  readonly past: Past["Service"]
}

export const make = ({ conversions, exchangeRates, histories, past }: Services, basis: Basis | undefined) => {
  const isOfficial = basis === undefined || basis === "official"

  /** The rates of `/v1/fx` now or at a moment. */
  const fxAt = (moment: Moment | undefined): ReturnType<Past["Service"]["fx"]> =>
    moment === undefined ? exchangeRates.current : past.fx(moment)

  const converted = Effect.fnUntraced(function* (moment: Moment | undefined, base: string, quote: string) {
    const [from, to] = [assetOf(base.toLowerCase()), assetOf(quote.toLowerCase())]
    return yield* moment === undefined
      ? conversions.convert(from, to, one, basis)
      : past.convert(moment, from, to, one, basis)
  })

  /** The rates by `/v1/convert`; those that are not known are left out. */
  const convertedRows = Effect.fnUntraced(function* (
    moment: Moment | undefined,
    base: string,
    quotes: ReadonlyArray<string>
  ) {
    if (moment !== undefined && quotes.length > MOST_QUOTES) {
      return yield* new InvalidQuery({
        parameter: "quotes",
        detail: `at a date with this basis at most ${MOST_QUOTES}`
      })
    }
    const rows: Array<Row> = []
    const parts: Array<Stamp> = []
    for (const quote of quotes) {
      const found = yield* Effect.result(converted(moment, base, quote))
      if (Result.isFailure(found)) continue
      const { rate, updated } = found.success
      rows.push({ date: DateTime.formatIsoDateUtc(updated), quote, rate })
      parts.push(found.success)
    }
    return { rows, stamp: joined(parts) }
  })

  /** The rates now, or at a moment, by quote. */
  const at = Effect.fnUntraced(function* (moment: Moment | undefined, { base, quotes }: Asked) {
    const held: Snapshot<FxRates> = yield* fxAt(moment)
    const wanted = [...new Set(quotes ?? ["USD", ...Object.keys(held.value.rates)])]
      .filter((code) => isoCurrencies.has(code))
      .toSorted()
    if (!isOfficial) return yield* convertedRows(moment, base, wanted)
    const rows = wanted.flatMap((quote) => officialRow(held.value, base, quote))
    return { rows, stamp: stampOfRows(held, rows) }
  })

  /** The official rates of the days on which both currencies were published, by day, then by quote. */
  const between = Effect.fnUntraced(function* (from: string, to: string | undefined, { base, quotes }: Asked) {
    if (!isOfficial) return yield* new InvalidQuery({ parameter: "from", detail: "ranges are of official rates" })
    if (quotes === undefined || quotes.length > MOST_QUOTES) {
      const detail = `name 1 to ${MOST_QUOTES} currencies together with from`
      return yield* new InvalidQuery({ parameter: "quotes", detail })
    }
    const now = yield* Clock.currentTimeMillis
    const last = to === undefined || to > dayOf(now) ? dayOf(now) : to
    const range = yield* orInvalid(rangeOf({ from, to: last, interval: "day" }, now))
    if (bucketsBetween("day", range.first, range.last).length * quotes.length > MOST_ROWS) {
      return yield* new InvalidQuery({ parameter: "from", detail: `at most ${MOST_ROWS} rates at once` })
    }
    const wanted = quotes.toSorted()
    const names = [...new Set([base, ...wanted])].filter((code) => code !== "USD")
    const history = yield* histories.fx(names.length === 0 ? ["EUR"] : names, { range, isFilled: false })
    const rows = history.points.flatMap(({ bucket, rates }) => {
      const rateOf = (code: string) => (code === "USD" ? 1 : (rates[code] ?? null))
      const inBase = rateOf(base)
      return wanted.flatMap((quote): ReadonlyArray<Row> => {
        const inQuote = rateOf(quote)
        if (inBase === null || inQuote === null) return []
        return [{ date: dayOf(bucket), quote, rate: crossRate(base, inBase, quote, inQuote) }]
      })
    })
    return { rows, stamp: stampOfHistory(history, range.first) }
  })

  return { at, between }
}

/** The moment of a day that is over, none for today and later days, which are asked as now. */
export const pastDay = (date: string | undefined) =>
  Effect.map(Clock.currentTimeMillis, (now): Option.Option<string> =>
    date === undefined || date >= dayOf(now) ? Option.none() : Option.some(date)
  )
