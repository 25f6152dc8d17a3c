// Official rates between fiats now, on a day or over a range of days, each with its date, from `/v1/fx` and its history.
import { Clock, DateTime, Effect, Option } from "effect"
import { hopRate, rateOfHops } from "../../domain/Conversion.ts"
import { isoCurrencies } from "../../domain/Fiat.ts"
import { type FxRates, newestDay, startOfDay } from "../../domain/FxRates.ts"
import type { Snapshot } from "../../domain/Snapshot.ts"
import { rangeOf } from "../../history/model/HistoryRange.ts"
import { bucketsBetween, dayOf, lengthOf } from "../../history/model/Interval.ts"
import { type Moment, momentOf } from "../../history/model/Moment.ts"
import { Histories } from "../../services/history/Histories.ts"
import { Past } from "../../services/history/Past.ts"
import { ExchangeRates } from "../../services/ExchangeRates.ts"
import { InvalidQuery, orInvalid } from "../handlers/refusing.ts"
import { type Stamp, stampOf, stampOfHistory } from "../handlers/Stamp.ts"

/** Units of `quote` for 1 of the base. `date`: of the older of the two currencies' rates. */
export interface Row {
  readonly date: string
  readonly quote: string
  readonly rate: number
}

export interface Rows {
  readonly rows: ReadonlyArray<Row>
  readonly stamp: Stamp | undefined
}

export const none: Rows = { rows: [], stamp: undefined }

export interface Pairs {
  readonly base: string
  /** `undefined`: all currencies. */
  readonly quotes: ReadonlyArray<string> | undefined
}

const MOST_QUOTES = 10
const MOST_ROWS = 10_000

/** The longest time before a day without rates from which it takes them, as with `at`. */
const REACH = 7 * lengthOf("day")

/** The official rate, from both currencies' rates to USD, by the arithmetic of `/v1/convert`. */
const officialRow = (
  rates: Readonly<Record<string, number | null>>,
  base: string,
  quote: string,
  date: string
): ReadonlyArray<Row> => {
  const rateOf = (code: string) => (code === "USD" ? 1 : (rates[code] ?? null))
  const [inBase, inQuote] = [rateOf(base), rateOf(quote)]
  return inBase === null || inQuote === null ? [] : [{ date, quote, rate: crossRate(base, inBase, quote, inQuote) }]
}

const crossRate = (base: string, inBase: number, quote: string, inQuote: number): number => {
  if (base === quote) return 1
  if (base === "USD") return inQuote
  const dollars = hopRate(true, { rate: inBase, computed: false })
  return quote === "USD" ? dollars : rateOfHops(dollars, inQuote)
}

/** The known official rates, stamped with the date of the oldest. */
const officialRows = (fx: Snapshot<FxRates>, base: string, quotes: ReadonlyArray<string>): Rows => {
  const { observed, rates } = fx.value
  const dayOf = (code: string) => (code === "USD" ? [] : (observed[code] ?? []))
  const rows = quotes.flatMap((quote) => {
    const [date = newestDay(fx.value)] = [base, quote].flatMap(dayOf).toSorted()
    return officialRow(rates, base, quote, date)
  })
  const [oldest] = rows.map(({ date }) => date).toSorted()
  const stamp = stampOf(fx)
  return {
    rows,
    stamp: oldest === undefined ? stamp : { ...stamp, updated: DateTime.min(startOfDay(oldest), fx.retrievedAt) }
  }
}

const invalid = (parameter: string, detail: string) => Effect.fail(new InvalidQuery({ parameter, detail }))

/** The moment of a past day; `undefined` for today and later, which use the current rates. */
const momentAt = (date: string | undefined): Effect.Effect<Moment | undefined> =>
  Effect.map(Clock.currentTimeMillis, (now) =>
    date === undefined || date >= dayOf(now) ? undefined : Option.getOrUndefined(momentOf(date))
  )

export const make = Effect.gen(function* () {
  const exchangeRates = yield* ExchangeRates
  const histories = yield* Histories
  const past = yield* Past

  /** The rates of `/v1/fx` now or at a moment. */
  const fxAt = (moment: Moment | undefined): ReturnType<Past["Service"]["fx"]> =>
    moment === undefined ? exchangeRates.current : past.fx(moment)

  /** The rates now, or on a day, sorted by quote. */
  const at = Effect.fnUntraced(function* (date: string | undefined, { base, quotes }: Pairs) {
    const moment = yield* momentAt(date)
    const fx: Snapshot<FxRates> = yield* fxAt(moment)
    const wanted = [...new Set(quotes ?? ["USD", ...Object.keys(fx.value.rates)])]
      .filter((code) => isoCurrencies.has(code))
      .toSorted()
    return officialRows(fx, base, wanted)
  })

  /**
   * The rates of each day on which both currencies were published, sorted by day, then by quote. Like the original, a range that begins
   * on a day without rates, such as a Saturday, begins with the last day before it that has some.
   */
  const between = Effect.fnUntraced(function* (from: string, to: string | undefined, { base, quotes }: Pairs) {
    if (quotes === undefined || quotes.length > MOST_QUOTES) {
      return yield* invalid("quotes", `name 1 to ${MOST_QUOTES} currencies together with from`)
    }
    const now = yield* Clock.currentTimeMillis
    const last = to === undefined || to > dayOf(now) ? dayOf(now) : to
    const range = yield* orInvalid(rangeOf({ from, to: last, interval: "day" }, now))
    if (bucketsBetween("day", range.first, range.last).length * quotes.length > MOST_ROWS) {
      return yield* invalid("from", `at most ${MOST_ROWS} rates at once`)
    }
    const wanted = quotes.toSorted()
    const names = [...new Set([base, ...wanted])].filter((code) => code !== "USD")
    const request = { range: { ...range, first: range.first - REACH }, isFilled: false }
    const history = yield* histories.fx(names.length === 0 ? ["EUR"] : names, request)
    const all = history.points.flatMap(({ bucket, rates }) =>
      wanted.flatMap((quote) => officialRow(rates, base, quote, dayOf(bucket)))
    )
    const first = all.findLast(({ date }) => date <= from)?.date ?? from
    return { rows: all.filter(({ date }) => date >= first), stamp: stampOfHistory(history, range.first) }
  })

  return { at, between }
})
