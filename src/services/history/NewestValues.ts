// The newest values of series at a moment: of single observations, of the closes of hours and of days the one that was
// observed last. At a day it is the day's close, as its history has it.
import { Effect, Result } from "effect"
import { endOf, type Moment, MOMENT_REACH } from "../../domain/history/Moment.ts"
import { noSides, type NairaSides, type RecordedPoint } from "../../domain/history/Point.ts"
import type { HistoryService } from "../../history/History.ts"
import * as Series from "../../history/Series.ts"
import type { Backfill } from "./Backfill.ts"
import type * as HistoryAccess from "./HistoryAccess.ts"

/** A value of a series with its time. `venues` is there for observations of the naira. */
export interface Newest extends NairaSides {
  readonly value: number
  readonly source: string
  readonly observedAt: number
  /** The bucket that the value closed; null for a single observation. */
  readonly bucket: number | null
  readonly venues: string | null
}

type Access = Effect.Success<typeof HistoryAccess.make>

/** The newest value of each series that has one within 7 days before the moment. */
export const newestValues = Effect.fn("newestValues")(function* (
  { chosen, recorded }: Access,
  names: ReadonlyArray<string>,
  moment: Moment
) {
  return yield* recorded((history) => find(chosen, history, names, moment))
})

/**
 * The same of coins. Where nothing is recorded of one that the sources know now, its days are fetched first; what cannot be
 * fetched at once stays out.
 */
export const newestOfCoins = Effect.fn("newestOfCoins")(function* (
  access: Access,
  backfill: Backfill["Service"],
  held: ReadonlyMap<string, Result.Result<unknown, unknown>>,
  moment: Moment
) {
  const values = newestValues(access, [...held.keys()].map(Series.coin), moment)
  const found = yield* values
  const missing = [...held].filter(([id, now]) => Result.isSuccess(now) && !found.has(Series.coin(id)))
  const fetched = yield* Effect.forEach(missing, ([id]) => backfill.coin(id, "day", endOf(moment)), {
    concurrency: "unbounded"
  })
  return fetched.includes(true) ? yield* values : found
})

const find = Effect.fnUntraced(function* (
  chosen: Access["chosen"],
  history: HistoryService,
  names: ReadonlyArray<string>,
  moment: Moment
) {
  const end = endOf(moment)
  const observed = yield* history.newestObservations(names, end, end - MOMENT_REACH)
  const points = yield* history.newestPoints(names, end, end - MOMENT_REACH)
  const closes =
    moment._tag === "Day" ? yield* chosen("day", yield* history.points("day", names, moment.day, moment.day)) : () => []
  const found = new Map<string, Newest>()
  for (const name of names) {
    const [close] = closes(name)
    const [observation] = observed.get(name) ?? []
    const point = (points.get(name) ?? []).reduce<RecordedPoint | undefined>(
      (best, one) => (best === undefined || isBetter(name, one, best) ? one : best),
      undefined
    )
    const candidates = [observation, close ?? point].filter((one) => one !== undefined).map(toNewest)
    const best =
      close === undefined
        ? candidates.toSorted((a, b) => b.observedAt - a.observedAt)[0]
        : // The observation that closed the day says more than the point that was made of it.
          (candidates.find(({ observedAt, venues }) => venues !== null && observedAt === close.observedAt) ??
          toNewest(close))
    if (best !== undefined) found.set(name, best)
  }
  return found
})

const isBetter = (series: string, one: RecordedPoint, other: RecordedPoint): boolean => {
  if (one.observedAt !== other.observedAt) return one.observedAt > other.observedAt
  if (one.origin === other.origin) return one.revision > other.revision
  const origins = Series.originsOf(series)
  const rankOf = (origin: string) => (origins.includes(origin) ? origins.indexOf(origin) : origins.length)
  return rankOf(one.origin) < rankOf(other.origin)
}

const toNewest = (
  one: NairaSides & { readonly source: string; readonly observedAt: number } & (
      | { readonly value: number; readonly venues: string | null }
      | { readonly close: number; readonly bucket: number }
    )
): Newest => ({
  ...noSides,
  buy: one.buy,
  sell: one.sell,
  confidence: one.confidence,
  kind: one.kind,
  source: one.source,
  observedAt: one.observedAt,
  bucket: "bucket" in one ? one.bucket : null,
  value: "value" in one ? one.value : one.close,
  venues: "venues" in one ? one.venues : null
})
