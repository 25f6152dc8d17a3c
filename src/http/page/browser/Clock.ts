// Formats times and ages. Ages use the server's clock, from its last response, because the user's may be wrong.
import type { Instant } from "./Answers.ts"

/** Milliseconds. */
export const HOUR = 3_600_000
export const DAY = 24 * HOUR
export const WEEK = 7 * DAY

/** The start of the hour, day or week of a time. Weeks begin on Monday; 1 January 1970 was a Thursday. */
export const startOf = (step: number, time: number): number => {
  const offset = step === WEEK ? 3 * DAY : 0
  return Number.isFinite(time) ? time - ((time + offset) % step) : time
}

/** Seconds after which data is stale. Fiat rates have a longer limit, because they change on working days only. */
export const STALE_AFTER = 900
export const FIAT_STALE_AFTER = 4 * 86_400

/**
 * The server's clock minus the user's, in milliseconds. Not measured by `performance.now()`, which stops while the machine sleeps:
 * old data would look fresh.
 */
let skew = 0

/** Sets the server's clock from a response that just arrived: its time, epoch milliseconds. */
export const setServerTime = (now: number): void => {
  skew = now - Date.now()
}

/** The server's time, epoch milliseconds. */
export const serverNow = (): number => Date.now() + skew

/** Seconds since the instant, by the server's clock; never below 0. */
export const secondsSince = (instant: Instant): number => Math.max(0, (serverNow() - Date.parse(instant)) / 1000)

const UNITS = [
  [86_400, "day"],
  [3600, "hour"],
  [60, "minute"]
] as const

/** Such as `12 s` and `3 minutes`. */
export const span = (seconds: number): string => {
  for (const [size, unit] of UNITS) {
    const count = Math.floor(seconds / size)
    if (count > 0) return `${count} ${unit}${count > 1 ? "s" : ""}`
  }
  return `${Math.floor(seconds)} s`
}

/** Formats times in UTC, given as RFC 3339 or in epoch milliseconds. */
export const utc = (options: Intl.DateTimeFormatOptions): ((time: Instant | number) => string) => {
  const format = new Intl.DateTimeFormat("en-GB", { ...options, timeZone: "UTC" })
  return (time) => format.format(new Date(time))
}

/** The UTC day, such as 3 Nov 2026. */
export const dayOf = utc({ dateStyle: "medium" })

/** The same with hours and minutes. */
export const hourOf = utc({ dateStyle: "medium", timeStyle: "short" })

const toTheSecond = utc({ dateStyle: "medium", timeStyle: "medium" })

export const absolute = (instant: Instant): string => `${toTheSecond(instant)} UTC`

/** `YYYY-MM-DD` of a time in epoch milliseconds, UTC. */
export const dateOf = (time: number): string => new Date(time).toISOString().slice(0, 10)
