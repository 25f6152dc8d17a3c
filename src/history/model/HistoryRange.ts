// The buckets of a history request. Days are UTC; `from` and `to` are both included.
import { Result } from "effect"
import { bucketOf, dayOf, type Interval, lengthOf, startOfDay } from "./Interval.ts"

/** Days as `YYYY-MM-DD`. */
export interface HistoryQuery {
  readonly from?: string | undefined
  readonly to?: string | undefined
  readonly interval: Interval
}

/** The first and last requested bucket that have begun. `last` is before `first` if none has. */
export interface HistoryRange {
  readonly interval: Interval
  readonly first: number
  readonly last: number
}

/** Why a range is invalid, and the parameter at fault. */
export interface RangeFault {
  readonly parameter: "from" | "to"
  readonly detail: string
}

const DAY = lengthOf("day")

export const MOST_POINTS: Readonly<Record<Interval, number>> = { day: 3660, hour: 2160 }

/** The number of days returned if `from` is absent. */
export const DEFAULT_DAYS: Readonly<Record<Interval, number>> = { day: 30, hour: 2 }

const fault = (parameter: RangeFault["parameter"], detail: string) => Result.fail<RangeFault>({ parameter, detail })

/** The buckets of a query; `now` in epoch milliseconds. Fails if `to` is in the future, before `from`, or too far from it. */
export const rangeOf = ({ from, interval, to }: HistoryQuery, now: number): Result.Result<HistoryRange, RangeFault> => {
  const today = dayOf(now)
  if (to !== undefined && to > today) return fault("to", `must not be after today, ${today} (UTC)`)
  const lastDay = startOfDay(to ?? today)
  const firstDay = from === undefined ? lastDay - (DEFAULT_DAYS[interval] - 1) * DAY : startOfDay(from)
  if (firstDay > lastDay) {
    return fault("from", `must not be after ${to === undefined ? "today" : "to"}, ${dayOf(lastDay)}`)
  }
  const most = MOST_POINTS[interval]
  const days = (most * lengthOf(interval)) / DAY
  if ((lastDay - firstDay) / DAY + 1 > days) {
    return fault(
      "from",
      `at most ${most} points in one answer: with interval=${interval}, from may be ${days - 1} days before to, not more`
    )
  }
  const last = Math.min(lastDay + DAY - lengthOf(interval), bucketOf(interval, now))
  return Result.succeed({ interval, first: firstDay, last })
}
