// The newest value of each series at a moment; at a day it is the close of that day.
import { percentAbove } from "../../domain/Decimal.ts"
import { Effect, Result } from "effect"
import { lengthOf } from "../../history/model/Interval.ts"
import { endOf, type Moment } from "../../history/model/Moment.ts"
import type { ChosenPoint } from "../../history/model/Point.ts"
import * as SeriesName from "../../history/store/SeriesName.ts"
import type { Unavailable } from "../refresh/Unavailable.ts"
import type { Backfill } from "./Backfill.ts"
import { type Access, fetching } from "./HistoryAccess.ts"
import { type Newest, toNewest } from "./newestEach.ts"

/** The allowed difference from 24 hours, ms, between the two values of a change over 24 hours. */
const CHANGE_TOLERANCE = { less: 60_000, more: lengthOf("hour") }

export type Valued = Pick<Newest, "value" | "observedAt" | "kind">

/** The newest value of each series at about 24 hours before a time, epoch milliseconds; it may be older than a change allows. */
export const dayBefore = (access: Access, times: ReadonlyMap<string, number>) =>
  access.newest(new Map([...times].map(([name, time]) => [name, time - lengthOf("day") + CHANGE_TOLERANCE.less])))

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
  const found = yield* access.newest(new Map(names.map((name) => [name, endOf(moment)])))
  if (moment._tag === "Time") return found
  const closes = yield* access.points({ interval: "day", first: moment.day, last: moment.day }, names)
  for (const name of names) {
    const closing = closeOf(found.get(name), closes(name)[0])
    if (closing !== undefined) found.set(name, closing)
  }
  return found
})

/** The value at a day: its close, else the newest one before it. */
export const closeOf = (newest: Newest | undefined, close: ChosenPoint | undefined): Newest | undefined => {
  // The observation that closed the day has more detail than the point built from it.
  const isClosing = newest?.bucket === null && newest.observedAt === close?.observedAt
  return close === undefined || isClosing ? newest : toNewest(close)
}

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

export type { Newest } from "./newestEach.ts"
