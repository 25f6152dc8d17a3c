// The newest value of a series at a time: the last of its observations and of its closes of hours and days.
import { Array as Arr, Effect, Exit, Request, RequestResolver } from "effect"
import { choosePoints, validAt } from "../../history/model/choosePoints.ts"
import { MOMENT_REACH } from "../../history/model/Moment.ts"
import { type Observation, OWN_RECORD, type Point } from "../../history/model/Point.ts"
import type { Stored } from "../../history/store/History.ts"
import type { AskedFor, BySeries } from "../../history/store/HistoryReader.ts"
import * as SeriesName from "../../history/store/SeriesName.ts"
import type { Unavailable } from "../refresh/Unavailable.ts"

/** A value of a series with its time. */
export interface Newest extends Observation {
  /** The bucket that the value closed; null for a single observation. */
  readonly bucket: number | null
}

export const toNewest = ({ close, ...point }: Point) => ({ ...point, value: close, venues: null })

/** The newest value of each series within 7 days before its time, epoch milliseconds; absent if there is none. */
export type NewestOf = (times: ReadonlyMap<string, number>) => Effect.Effect<Map<string, Newest>, Unavailable>

type Recorded = <A>(question: (stored: Stored) => Effect.Effect<A, unknown>) => Effect.Effect<A, Unavailable>

const chosen = (
  series: string,
  time: number,
  observations: ReadonlyArray<Observation> = [],
  hours: ReadonlyArray<Point> = [],
  days: ReadonlyArray<Point> = []
): Newest | undefined => {
  const preference = SeriesName.preferenceOf(series)
  // At the same moment an observation has more detail than the points built from it.
  const [newest] = [
    ...observations.map((one) => ({ ...one, bucket: null, origin: OWN_RECORD })),
    ...choosePoints("hour", hours, preference).map(toNewest),
    ...choosePoints("day", days, preference).map(toNewest)
  ].toSorted((a, b) => validAt(preference, b, time) - validAt(preference, a, time) || b.observedAt - a.observedAt)
  return newest
}

/** A series and a time, epoch milliseconds. */
export type Wanted = readonly [series: string, time: number]

const keyOf = (series: string, time: number): string => `${time} ${series}`

const byKey = <A extends AskedFor & { readonly series: string }>(rows: BySeries<A>) =>
  Map.groupBy([...rows.values()].flat(), ({ askedFor, series }) => keyOf(series, askedFor))

/** The newest value for each of some pairs, in their order, with three statements; `undefined` if there is none. */
export const newestEach = Effect.fn("newestEach")(function* (recorded: Recorded, wanted: ReadonlyArray<Wanted>) {
  const found = yield* recorded(({ newestAt }) => newestAt(wanted, MOMENT_REACH))
  const [days, hours, observations] = [byKey(found.days), byKey(found.hours), byKey(found.observations)]
  return wanted.map(([series, time]) => {
    const key = keyOf(series, time)
    return chosen(series, time, observations.get(key), hours.get(key), days.get(key))
  })
})

const byName =
  (each: (wanted: ReadonlyArray<Wanted>) => Effect.Effect<ReadonlyArray<Newest | undefined>, Unavailable>): NewestOf =>
  (times) => {
    const wanted = [...times]
    return Effect.map(each(wanted), (found) => {
      const named = Arr.zipWith(wanted, found, ([name], newest): ReadonlyArray<readonly [string, Newest]> =>
        newest === undefined ? [] : [[name, newest]]
      )
      return new Map(named.flat())
    })
  }

/** Reads with three statements, however many series there are. */
export const newestOf = (recorded: Recorded): NewestOf => byName((wanted) => newestEach(recorded, wanted))

class NewestAt extends Request.Class<{ readonly wanted: Wanted }, Newest | undefined, Unavailable> {}

/** At most so many pairs in one statement. */
const AT_ONCE = 1000

/** The same as `newestOf`, except that concurrent questions share statements. For one caller with many moments. */
export const batched = (recorded: Recorded): NewestOf => {
  const resolver = RequestResolver.make<NewestAt>((entries) =>
    newestEach(
      recorded,
      entries.map(({ request }) => request.wanted)
    ).pipe(
      Effect.map((found) => entries.forEach((entry, n) => entry.completeUnsafe(Exit.succeed(found[n])))),
      Effect.provideContext(entries[0].context)
    )
  ).pipe(RequestResolver.batchN(AT_ONCE))
  return byName((wanted) =>
    Effect.forEach(wanted, (one) => Effect.request(new NewestAt({ wanted: one }), resolver), {
      concurrency: "unbounded"
    })
  )
}
