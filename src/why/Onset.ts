// Finds when a move began, from hourly prices (WHY.md §3.3, §3.12): the beginning of its first large leg.
// It is known to the hour at best, so timing may demote a report, never promote one.
import { DateTime } from "effect"
import type { PriceHistory } from "../domain/PriceHistory.ts"
import { returnsByHour, variance } from "./Statistics.ts"

export interface Onset {
  /** Epoch milliseconds. */
  readonly at: number
  /** Whether the first hours stand out from the hours before. */
  readonly sharp: boolean
  /** False where hourly prices do not show it, and `at` is only the start of the window of 24 hours. */
  readonly known: boolean
}

const HOUR = 3_600_000
const BURST_HOURS = 4

/** Hours before the explanation in which a move may begin. */
const SPAN_HOURS = 26

/** A leg is what a few hours do. It is large from this share of the largest on, and begins in the hour that does this part of it. */
const LEG = { hours: 2, share: 0.4, part: 0.3 }

/** The hour in which the first large leg begins, after the lowest point of the path; `null` if the path did not go this way. */
const firstLeg = (path: ReadonlyArray<number>): number | null => {
  const low = path.lastIndexOf(Math.min(...path))
  const end = path.length - 1
  const rise = (at: number, hours: number): number => (path[Math.min(at + hours, end)] ?? 0) - (path[at] ?? 0)
  if (!(rise(low, end) > 0)) return null
  const legs = path.slice(low, end).map((_, at) => rise(low + at, LEG.hours))
  const large = LEG.share * Math.max(...legs)
  const first = low + legs.findIndex((leg) => leg >= large)
  return rise(first, 1) >= LEG.part * rise(first, LEG.hours) ? first : first + 1
}

/** The start of a move in this direction (`sign`) in the day before `now`. */
export const findOnset = (now: DateTime.Utc, sign: number, hourly: PriceHistory | null): Onset => {
  const asOf = DateTime.toEpochMillis(now)
  const none: Onset = { at: asOf - 24 * HOUR, sharp: false, known: false }
  if (hourly === null || hourly.prices.length < 12) return none
  const start = DateTime.toEpochMillis(hourly.end) - (hourly.prices.length - 1) * HOUR
  const signed = returnsByHour(hourly).values.map((value) => value * sign)
  const end = Math.min(signed.length, Math.floor((asOf - start) / HOUR))
  const first = Math.max(0, Math.ceil((asOf - start) / HOUR) - SPAN_HOURS)
  if (first >= end) return none
  const quiet = signed.subarray(0, first)
  const sigma = quiet.length < 6 ? 0 : Math.sqrt(variance(quiet))
  const path = [0]
  for (const value of signed.subarray(first, end)) path.push((path.at(-1) ?? 0) + value)
  const leg = firstLeg(path)
  if (leg === null) return none
  const [begin = 0, last = 0] = [path[leg], path.at(-1)]
  const burst = (path[leg + BURST_HOURS] ?? last) - begin
  return { at: start + (first + leg) * HOUR, sharp: burst > Math.max(4 * sigma, 0.3 * (last - begin)), known: true }
}
