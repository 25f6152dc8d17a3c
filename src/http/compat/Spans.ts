// The time spans of CoinGecko's endpoints: the last days up to now, or from one time to another, by hour or by day.
import { DateTime, Option, Result } from "effect"
import { writtenDays } from "../../domain/writtenDays.ts"
import { bucketOf, type Interval, lengthOf } from "../../history/model/Interval.ts"
import { type HistoryRange, MOST_POINTS } from "../../history/model/HistoryRange.ts"
import type { InvalidQuery } from "../handlers/refusing.ts"

/** Both ends are included, epoch milliseconds. */
export interface Span {
  readonly from: number
  readonly to: number
  readonly interval: Interval
}

export type Fault = Pick<InvalidQuery, "parameter" | "detail">

/** The longest hourly span. Up to this length a span is hourly by default. */
const MOST_HOURLY_DAYS = 90

const DAY = lengthOf("day")

const intervals = { daily: "day", hourly: "hour" } as const

/** The span with the requested interval, or with CoinGecko's default for its length. Limited to its newest days. */
const spanOf = (from: number, to: number, asked: keyof typeof intervals | undefined): Result.Result<Span, Fault> => {
  const isShort = to - from <= MOST_HOURLY_DAYS * DAY
  if (asked === "hourly" && !isShort) {
    return Result.fail({ parameter: "interval", detail: `must be daily for more than ${MOST_HOURLY_DAYS} days` })
  }
  const interval = asked === undefined ? (isShort ? "hour" : "day") : intervals[asked]
  return Result.succeed({ from: Math.max(from, to - MOST_POINTS.day * DAY), to, interval })
}

/** The last days up to now; a text that is no number, such as `max`, means all. */
export const lastDays = (days: string, asked: keyof typeof intervals | undefined, now: number) =>
  spanOf(now - (Number.isNaN(Number(days)) ? MOST_POINTS.day : Number(days)) * DAY, now, asked)

/** Epoch milliseconds of a text: Unix seconds, or an ISO 8601 day or time, in UTC if it names no zone. */
const timeOf = (text: string): number | undefined => {
  if (/^[\d.]+$/.test(text)) return Number(text) * 1000
  const time = text.includes("T") && !/(Z|[+-]\d{2}:\d{2})$/.test(text) ? `${text}Z` : text
  return Option.getOrUndefined(DateTime.make(time))?.epochMilliseconds
}

/** The span between two times in text form. An end in the future becomes now. */
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

/** Epoch milliseconds of the start of a day, written `dd-mm-yyyy` or `yyyy-mm-dd`. A time after the day is ignored. */
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
