// The newest value of each series at a moment: the last of its observations and of its closes of hours and days. At a
// day it is the close of that day.
import { percentAbove } from "../../domain/Decimal.ts"
import { Effect, Result } from "effect"
import { choosePoints, validAt } from "../../history/model/choosePoints.ts"
import { lengthOf } from "../../history/model/Interval.ts"
import { endOf, type Moment, MOMENT_REACH } from "../../history/model/Moment.ts"
import { type Observation, OWN_RECORD, type Point } from "../../history/model/Point.ts"
import * as SeriesName from "../../history/store/SeriesName.ts"
import type { Unavailable } from "../refresh/Unavailable.ts"
import type { Backfill } from "./Backfill.ts"
import { type Access, fetching } from "./HistoryAccess.ts"

/** The allowed difference from 24 hours, ms, between the two values of a change over 24 hours. */
const CHANGE_TOLERANCE = { less: 60_000, more: lengthOf("hour") }

/** A value of a series with its time. */
export interface Newest extends Observation {
  /** The bucket that the value closed; null for a single observation. */
  readonly bucket: number | null
}

/**
 * The newest value of each series within 7 days before its time, epoch milliseconds; absent if there is none. Three
 * statements, however many series and times there are.
 */
export const newestBefore = Effect.fn("newestBefore")(function* (access: Access, times: ReadonlyMap<string, number>) {
  const { days, hours, observations } = yield* access.recorded(({ newest }) => newest(times, MOMENT_REACH))
  const found = new Map<string, Newest>()
  for (const [name, time] of times) {
    const preference = SeriesName.preferenceOf(name)
    // At the same moment an observation has more detail than the points built from it.
    const [newest] = [
      ...(observations.get(name) ?? []).map((one) => ({ ...one, bucket: null, origin: OWN_RECORD })),
      ...choosePoints("hour", hours.get(name) ?? [], preference).map(toNewest),
      ...choosePoints("day", days.get(name) ?? [], preference).map(toNewest)
    ].toSorted((a, b) => validAt(preference, b, time) - validAt(preference, a, time) || b.observedAt - a.observedAt)
    if (newest !== undefined) found.set(name, newest)
  }
  return found
})

export type Valued = Pick<Newest, "value" | "observedAt" | "kind">

/** The newest value of each series at about 24 hours before a time, epoch milliseconds; it may be older than a change allows. */
export const dayBefore = (access: Access, times: ReadonlyMap<string, number>) =>
  newestBefore(
    access,
    new Map([...times].map(([name, time]) => [name, time - lengthOf("day") + CHANGE_TOLERANCE.less]))
  )

/** The change since a value of 24 hours before, percent; `undefined` without one, or if it is older or of another kind. */
export const changeSince = (then: Valued | undefined, now: Valued): number | undefined =>
  then === undefined ||
  then.kind !== now.kind ||
  then.observedAt < now.observedAt - lengthOf("day") - CHANGE_TOLERANCE.more
    ? undefined
    : percentAbove(now.value, then.value)

/** The newest value of each series within 7 days before a moment; for a day its close. */
export const newestValues = Effect.fn("newestValues")(function* (
  access: Access,
  names: ReadonlyArray<string>,
  moment: Moment
) {
  const found = yield* newestBefore(access, new Map(names.map((name) => [name, endOf(moment)])))
  if (moment._tag === "Time") return found
  const closes = yield* access.points({ interval: "day", first: moment.day, last: moment.day }, names)
  for (const name of names) {
    const [close] = closes(name)
    // The observation that closed the day has more detail than the point built from it.
    const newest = found.get(name)
    const isClosing = newest?.bucket === null && newest.observedAt === close?.observedAt
    if (close !== undefined && !isClosing) found.set(name, toNewest(close))
  }
  return found
})

/**
 * The same for coins. If the sources know a coin now, but its last days before the moment are not recorded, they are
 * fetched first. `unanswered` has the failures of those fetches, by id.
 */
export const newestOfCoins = (
  access: Access,
  backfill: Backfill["Service"],
  current: ReadonlyMap<string, Result.Result<unknown, unknown>>,
  moment: Moment
) => {
  const unanswered = new Map<string, Unavailable>()
  const found = fetching(newestValues(access, [...current.keys()].map(SeriesName.coin), moment), (found) =>
    [...current].flatMap(([id, now]) => {
      const observedAt = found.get(SeriesName.coin(id))?.observedAt ?? -Infinity
      if (Result.isFailure(now) || observedAt > endOf(moment) - 2 * lengthOf("day")) return []
      const fetched = backfill.coin(id, "day", endOf(moment))
      return [Effect.tapError(fetched, (failure) => Effect.sync(() => unanswered.set(id, failure)))]
    })
  )
  return Effect.map(found, ({ found }) => ({ found, unanswered }))
}

const toNewest = ({ close, ...point }: Point) => ({ ...point, value: close, venues: null })
