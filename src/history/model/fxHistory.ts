// The rates of several fiats against USD, a row for each day on which one of them was published.
import { joinSources } from "../../domain/Snapshot.ts"
import type { ChosenPoint } from "./Point.ts"

/** The rates of a day, units per 1 USD; null for a fiat of which none was published that day. */
export interface FxPoint extends Pick<ChosenPoint, "bucket" | "source" | "observedAt" | "revisedAt"> {
  readonly rates: Readonly<Record<string, number | null>>
}

/** One row a day from the days of each fiat. A row counts as observed at 00:00 UTC of its day. */
export const fxHistory = (byQuote: ReadonlyMap<string, ReadonlyArray<ChosenPoint>>): ReadonlyArray<FxPoint> => {
  const days = new Map<number, Map<string, ChosenPoint>>()
  for (const [quote, points] of byQuote) {
    for (const point of points) {
      const day = days.get(point.bucket) ?? new Map<string, ChosenPoint>()
      days.set(point.bucket, day.set(quote, point))
    }
  }
  const rows = [...days].toSorted(([a], [b]) => a - b)
  return rows.map(([bucket, day]) => {
    const revisions = [...day.values()].flatMap(({ revisedAt }) => revisedAt ?? [])
    return {
      bucket,
      rates: Object.fromEntries([...byQuote.keys()].map((quote) => [quote, day.get(quote)?.close ?? null])),
      source: joinSources([...day.values()].map(({ source }) => source)),
      observedAt: bucket,
      revisedAt: revisions.length === 0 ? null : Math.max(...revisions)
    }
  })
}
