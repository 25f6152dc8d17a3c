// The buckets of a history: hours and days of UTC, which bucket a time belongs to, and when a bucket is final.
// All times are epoch milliseconds; a bucket is named by its start.

import { DateTime } from "effect"
import { rememberEach } from "../../domain/rememberEach.ts"

export type Interval = "hour" | "day"

export const intervals: ReadonlyArray<Interval> = ["hour", "day"]

const MINUTE = 60_000
const HOUR = 60 * MINUTE

/** The intervals of exchanges' candles. Minutes are not recorded. */
export type CandleInterval = Interval | "minute"

const lengths: Readonly<Record<CandleInterval, number>> = { minute: MINUTE, hour: HOUR, day: 24 * HOUR }

/** The length of a bucket, ms. */
export const lengthOf = (interval: CandleInterval): number => lengths[interval]

/** How long after its end a bucket accepts observations that were made in it, ms. */
export const graceOf = (interval: Interval): number => (interval === "hour" ? 5 * MINUTE : HOUR)

/** A source's stamp at most this far from a boundary of buckets means that boundary, ms. */
export const STAMP_TOLERANCE = MINUTE

/** The bucket of an observation. */
export const bucketOf = (interval: CandleInterval, time: number): number =>
  Math.floor(time / lengthOf(interval)) * lengthOf(interval)

/**
 * The bucket that a point of a source's own history closes. Sources stamp the close of a bucket with its end, give or
 * take some seconds, so a stamp up to 60 s after a boundary belongs to the bucket before it.
 */
export const bucketOfStamp = (interval: Interval, stamp: number): number => {
  const bucket = bucketOf(interval, stamp)
  return stamp - bucket <= STAMP_TOLERANCE ? bucket - lengthOf(interval) : bucket
}

/** When a bucket stops accepting observations. */
export const finalAt = (interval: Interval, bucket: number): number => bucket + lengthOf(interval) + graceOf(interval)

export const isFinal = (interval: Interval, bucket: number, now: number): boolean => now >= finalAt(interval, bucket)

/** The buckets from `first` to `last`, both included; none if `last` is before `first`. */
export const bucketsBetween = (interval: Interval, first: number, last: number): ReadonlyArray<number> => {
  const length = lengthOf(interval)
  return Array.from({ length: Math.max(0, Math.floor((last - first) / length) + 1) }, (_, n) => first + n * length)
}

/** Caches about ten years of days. */
const textOfDay = rememberEach(4000, (day: number) =>
  DateTime.formatIsoDateUtc(DateTime.makeUnsafe(day * lengthOf("day")))
)

/** The UTC day of a time, `YYYY-MM-DD`. Cached: a history has thousands of days, and formatting one takes a microsecond. */
export const dayOf = (time: number): string => textOfDay(Math.floor(time / lengthOf("day")))

const padded = (value: number, length: number): string => String(value).padStart(length, "0")

/** A time, RFC 3339 with `Z` and milliseconds. */
export const timeOf = (time: number): string => {
  const since = Math.floor(time - bucketOf("day", time))
  if (since === 0) return `${dayOf(time)}T00:00:00.000Z`
  const [hour, minute] = [Math.floor(since / HOUR), Math.floor((since % HOUR) / MINUTE)]
  const [second, milli] = [Math.floor((since % MINUTE) / 1000), since % 1000]
  return `${dayOf(time)}T${padded(hour, 2)}:${padded(minute, 2)}:${padded(second, 2)}.${padded(milli, 3)}Z`
}

export const startOfDay = (day: string): number => DateTime.makeUnsafe(`${day}T00:00:00Z`).epochMilliseconds
