// Days of the simulated world: which are working days of banks, and which is the last one a source has published. Days
// are counted from 1970-01-01, in UTC; the one hour to Lagos never moves a publication into another day.
import { DateTime } from "effect"

/** Milliseconds of a minute, an hour and a day. */
export const minuteMs = 60_000
export const hourMs = 60 * minuteMs
export const dayMs = 24 * hourMs

export const dayOf = (at: number): number => Math.floor(at / dayMs)

/** `YYYY-MM-DD`. */
export const isoDate = (day: number): string => DateTime.formatIsoDateUtc(DateTime.makeUnsafe(day * dayMs))

/** `2026-09-13T17:05:10.000Z`. */
export const isoTime = (at: number): string => DateTime.formatIso(DateTime.makeUnsafe(at))

/** `February-18-2026`, as the CBN writes it on its NFEM page. */
export const monthDate = (day: number): string => {
  const format = { locale: "en-US", month: "long", day: "2-digit", year: "numeric" } as const
  return DateTime.formatUtc(DateTime.makeUnsafe(day * dayMs), format).replaceAll(/,? /g, "-")
}

/** Whether a day is Monday to Friday. 1970-01-01 was a Thursday. */
export const isWeekday = (day: number): boolean => (((day + 3) % 7) + 7) % 7 < 5

const nigerianHolidays: ReadonlySet<string> = new Set(["01-01", "05-01", "06-12", "10-01", "12-25", "12-26"])

/** Whether the Central Bank of Nigeria works on a day. */
export const isNigerianBusinessDay = (day: number): boolean =>
  isWeekday(day) && !nigerianHolidays.has(isoDate(day).slice(5))

/** The last open day that is published at `at`. A day is published `cutoff` ms after it begins. */
export const lastPublished = (at: number, cutoff: number, isOpen: (day: number) => boolean): number => {
  let day = dayOf(at - cutoff)
  while (!isOpen(day)) day--
  return day
}
