// The rates of several fiats against USD, one row for each day on which any of them was published.
import { mean } from "../../domain/Decimal.ts"
import type { Fold, Totals } from "./Period.ts"
import { type ChosenPoint, stampOf } from "./Point.ts"

/** By code, units per 1 USD; null for a fiat without a rate. */
type Rates = Readonly<Record<string, number | null>>

/** The rates of a day. */
export interface FxPoint extends Pick<ChosenPoint, "bucket" | "source" | "observedAt" | "revisedAt">, Totals<Rates> {
  readonly rates: Rates
}

/** Joins the daily points of all fiats. A row counts as observed at 00:00 UTC of its day. */
export const fxHistory = (byQuote: ReadonlyMap<string, ReadonlyArray<ChosenPoint>>): ReadonlyArray<FxPoint> => {
  const all = [...byQuote].flatMap(([quote, points]) => points.map((point) => ({ quote, point })))
  const days = [...Map.groupBy(all, ({ point }) => point.bucket)].toSorted(([a], [b]) => a - b)
  return days.map(([bucket, day]) => {
    const rates = new Map(day.map(({ point, quote }) => [quote, point.close]))
    return {
      bucket,
      rates: Object.fromEntries([...byQuote.keys()].map((quote) => [quote, rates.get(quote) ?? null])),
      ...stampOf(...day.map(({ point }) => point)),
      observedAt: bucket
    }
  })
}

/** A week or month of rates: the last one and the average of each fiat. `days` counts those on which any of them was published. */
export const foldFx: Fold<FxPoint> = (days, last) => {
  const of = (figure: (known: ReadonlyArray<number>) => number | undefined): Rates =>
    Object.fromEntries(
      Object.keys(last.rates).map((code) => {
        const known = days.flatMap(({ rates }) => rates[code] ?? [])
        return [code, known.length === 0 ? null : (figure(known) ?? null)]
      })
    )
  return { ...last, rates: of((known) => known.at(-1)), average: of(mean), days: days.length }
}
