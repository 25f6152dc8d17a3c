// The rates of several fiats against USD, one row for each day on which any of them was published.
import { type ChosenPoint, stampOf } from "./Point.ts"

/** The rates of a day, units per 1 USD; null for a fiat without a rate for that day. */
export interface FxPoint extends Pick<ChosenPoint, "bucket" | "source" | "observedAt" | "revisedAt"> {
  readonly rates: Readonly<Record<string, number | null>>
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
