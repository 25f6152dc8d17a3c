// The newest values of series at a moment: of single observations, of the closes of hours and of days the one that was
// observed last. At a day it is the day's close, as its history has it.
import { Effect, Result } from "effect"
import { isPreferred } from "../model/choosePoints.ts"
import { endOf, type Moment, MOMENT_REACH } from "../model/Moment.ts"
import type { Point, RecordedPoint } from "../model/Point.ts"
import type { StoredObservation } from "../store/HistoryRows.ts"
import * as SeriesName from "../store/SeriesName.ts"
import type { Backfill } from "./Backfill.ts"
import type { Access } from "./HistoryAccess.ts"

/** A value of a series with its time. */
export interface Newest extends StoredObservation {
  /** The bucket that the value closed; null for a single observation. */
  readonly bucket: number | null
}

/** The newest value of each series that has one within 7 days before the moment. */
export const newestValues = Effect.fn("newestValues")(function* (
  { chosen, recorded }: Access,
  names: ReadonlyArray<string>,
  moment: Moment
) {
  const end = endOf(moment)
  const { days, observed, points } = yield* recorded((history) =>
    Effect.all({
      observed: history.newestObservations(names, end, end - MOMENT_REACH),
      points: history.newestPoints(names, end, end - MOMENT_REACH),
      days: moment._tag === "Day" ? history.points("day", names, moment.day, moment.day) : Effect.succeed(new Map())
    })
  )
  const closes = yield* chosen("day", days)
  const found = new Map<string, Newest>()
  for (const name of names) {
    const [close] = closes(name)
    const [observation] = observed.get(name) ?? []
    const point = newestOf(name, points.get(name) ?? [])
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
  const values = newestValues(access, [...held.keys()].map(SeriesName.coin), moment)
  const found = yield* values
  const missing = [...held].filter(([id, now]) => Result.isSuccess(now) && !found.has(SeriesName.coin(id)))
  const fetched = yield* Effect.forEach(missing, ([id]) => backfill.coin(id, "day", endOf(moment)), {
    concurrency: "unbounded"
  })
  return fetched.includes(true) ? yield* values : found
})

/** The point that was observed last; of several, the preferred one. */
const newestOf = (series: string, points: ReadonlyArray<RecordedPoint>): RecordedPoint | undefined => {
  const isBetter = isPreferred(SeriesName.originsOf(series))
  const [newest] = points.toSorted((a, b) => b.observedAt - a.observedAt || (isBetter(a, b) ? -1 : 1))
  return newest
}

const toNewest = (one: StoredObservation | Omit<Point, "revisedAt">): Newest => {
  const { buy, confidence, kind, observedAt, sell, source } = one
  const stamp = { buy, confidence, kind, observedAt, sell, source }
  return "close" in one
    ? { ...stamp, value: one.close, bucket: one.bucket, venues: null }
    : { ...stamp, value: one.value, bucket: null, venues: one.venues }
}
