// The buckets of a history request. Days are UTC; `from` and `to` are both included. A request for weeks or months reads all days of
// each of them, so that a week is the same in every answer.
import { Result } from "effect"
import { bucketOf, bucketsBetween, dayOf, type Interval, lengthOf, startOfDay } from "./Interval.ts"
import { lastDayOf, type Period, periodsBetween, startOfPeriod } from "./Period.ts"

/** Days as `YYYY-MM-DD`. */
export interface HistoryQuery {
  readonly from?: string | undefined
  readonly to?: string | undefined
  readonly interval: Interval | Period
}

/** The first and last requested bucket that have begun. `last` is before `first` if none has. */
export interface HistoryRange {
  readonly interval: Interval
  readonly first: number
  readonly last: number
  /** Set where the points are weeks or months of these days. */
  readonly period?: Period
}

/** The start of each point of a range. */
export const bucketsIn = ({ first, interval, last, period }: HistoryRange): ReadonlyArray<number> =>
  period === undefined ? bucketsBetween(interval, first, last) : periodsBetween(period, first, last)

export interface RangeFault {
  readonly parameter: "from" | "to"
  readonly detail: string
}

const DAY = lengthOf("day")

export const MOST_POINTS: Readonly<Record<Interval, number>> = { day: 3660, hour: 2160 }

/** The number of days returned if `from` is absent. */
export const DEFAULT_DAYS: Readonly<Record<Interval, number>> = { day: 30, hour: 2 }

/** The number of weeks or months returned if `from` is absent. */
const DEFAULT_PERIODS = 12

const fault = (parameter: RangeFault["parameter"], detail: string) => Result.fail<RangeFault>({ parameter, detail })

/** The buckets of a query; `now` in epoch milliseconds. Fails if `to` is in the future, before `from`, or too far from it. */
export const rangeOf = (query: HistoryQuery, now: number): Result.Result<HistoryRange, RangeFault> => {
  const { from, to } = query
  const period = query.interval === "day" || query.interval === "hour" ? undefined : query.interval
  const interval = query.interval === "hour" ? "hour" : "day"
  const today = dayOf(now)
  if (to !== undefined && to > today) return fault("to", `must not be after today, ${today} (UTC)`)
  const lastDay = startOfDay(to ?? today)
  const firstDay = from === undefined ? defaultFirst(lastDay, interval, period) : startOfDay(from)
  if (firstDay > lastDay) {
    return fault("from", `must not be after ${to === undefined ? "today" : "to"}, ${dayOf(lastDay)}`)
  }
  const most = MOST_POINTS[interval]
  const days = (most * lengthOf(interval)) / DAY
  if ((lastDay - firstDay) / DAY + 1 > days) {
    return fault(
      "from",
      `at most ${most} ${period === undefined ? "points" : "days"} in one answer: with interval=${query.interval}, from may be ${days - 1} days before to, not more`
    )
  }
  if (period !== undefined) {
    const last = Math.min(lastDayOf(period, lastDay), startOfDay(today))
    return Result.succeed({ interval, first: startOfPeriod(period, firstDay), last, period })
  }
  const last = Math.min(lastDay + DAY - lengthOf(interval), bucketOf(interval, now))
  return Result.succeed({ interval, first: firstDay, last })
}

const defaultFirst = (lastDay: number, interval: Interval, period: Period | undefined): number =>
  period === undefined
    ? lastDay - (DEFAULT_DAYS[interval] - 1) * DAY
    : startOfPeriod(period, lastDay, 1 - DEFAULT_PERIODS)
