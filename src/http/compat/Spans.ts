// The spans of time that programs made for CoinGecko ask for: so many days up to now, or from one time to another, by hours
// or days.
import { DateTime, Option, Result } from "effect"
import { writtenDays } from "../../domain/writtenDays.ts"
import { bucketOf, type Interval, lengthOf } from "../../history/model/Interval.ts"
import { type HistoryRange, MOST_POINTS } from "../../history/model/HistoryRange.ts"
import type { InvalidQuery } from "../handlers/refusing.ts"

/** A span of time by points of an interval; both ends are included, epoch milliseconds. */
export interface Span {
  readonly from: number
  readonly to: number
  readonly interval: Interval
}

export type Fault = Pick<InvalidQuery, "parameter" | "detail">

/** Up to so many days are by hours where no interval is named. */
const MOST_HOURLY_DAYS = 90

const DAY = lengthOf("day")

const intervals = { daily: "day", hourly: "hour" } as const

/** The interval that was asked for, or CoinGecko's for a span of this length. */
const spanOf = (from: number, to: number, asked: keyof typeof intervals | undefined): Result.Result<Span, Fault> => {
  const isShort = to - from <= MOST_HOURLY_DAYS * DAY
  if (asked === "hourly" && !isShort) {
    return Result.fail({ parameter: "interval", detail: `must be daily for more than ${MOST_HOURLY_DAYS} days` })
  }
  const interval = asked === undefined ? (isShort ? "hour" : "day") : intervals[asked]
  return Result.succeed({ from: Math.max(from, to - MOST_POINTS.day * DAY), to, interval })
}

/** So many days, or all, up to now. */
export const lastDays = (days: string, asked: keyof typeof intervals | undefined, now: number) =>
  spanOf(now - (Number.isNaN(Number(days)) ? MOST_POINTS.day : Number(days)) * DAY, now, asked)

/** Seconds since 1970, or a day or time of ISO 8601, of UTC where it names no zone; epoch milliseconds. */
const timeOf = (text: string): number | undefined => {
  if (/^[\d.]+$/.test(text)) return Number(text) * 1000
  const time = text.includes("T") && !/(Z|[+-]\d{2}:\d{2})$/.test(text) ? `${text}Z` : text
  return Option.getOrUndefined(DateTime.make(time))?.epochMilliseconds
}

/** The span between two times as they were written; what is in the future is left out. */
export const between = (
  edges: { readonly from: string; readonly to: string },
  asked: keyof typeof intervals | undefined,
  now: number
): Result.Result<Span, Fault> => {
  const from = timeOf(edges.from)
  const to = timeOf(edges.to)
  if (from === undefined) return Result.fail({ parameter: "from", detail: "must be a time of the calendar" })
  if (to === undefined) return Result.fail({ parameter: "to", detail: "must be a time of the calendar" })
  if (from > to) return Result.fail({ parameter: "from", detail: "must not be after to" })
  return spanOf(from, Math.max(from, Math.min(to, now)), asked)
}

/** The start of a day, written `dd-mm-yyyy` or `yyyy-mm-dd`; a time after it counts for nothing. */
export const startOfDate = (date: string, now: number): Result.Result<number, Fault> => {
  const day = writtenDays(date)[0]?.slice(0, 10) ?? ""
  const start = Option.getOrUndefined(DateTime.make(`${day}T00:00:00Z`))
  if (start === undefined || DateTime.formatIsoDateUtc(start) !== day) {
    return Result.fail({ parameter: "date", detail: "must be a day of the calendar, as dd-mm-yyyy or yyyy-mm-dd" })
  }
  return start.epochMilliseconds > now
    ? Result.fail({ parameter: "date", detail: "must not be in the future" })
    : Result.succeed(start.epochMilliseconds)
}

/** The buckets whose points may be in a span. */
export const rangeOf = ({ from, interval, to }: Span): HistoryRange => ({
  interval,
  first: bucketOf(interval, from - lengthOf(interval)),
  last: bucketOf(interval, to)
})
