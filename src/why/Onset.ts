// Finds when a move began, from hourly prices without the market's part (WHY.md §3.3, §3.12): the beginning of its first large leg. It
// is known to the hour at best, so timing may demote a report, never promote one.
import { DateTime } from "effect"
import type { PriceHistory } from "../domain/PriceHistory.ts"
import { returnsByHour } from "./HourlyPrices.ts"
import { variance } from "./Statistics.ts"

/** The start of a move. */
export interface Onset {
  /** Epoch milliseconds. */
  readonly at: number
  /** Whether the first hours stand out from the hours before. */
  readonly sharp: boolean
  /** False where hourly prices do not show it, and `at` is only the start of the window of 24 hours. */
  readonly known: boolean
}

const HOUR = 3_600_000

/** Hours that make a burst. */
const WINDOW = 4

/** Hours before `asOf` in which a move may begin. */
const SPAN = 26

/** A leg is large from this share of the move on, or from this many deviations of an hour before it. */
const LEG = { share: 0.15, deviations: 2 }

/** Until this share of the move is done, the move has not begun. */
const STARTED = 0.1

/** Hourly returns without bitcoin's part, where its price is known. */
const residuals = (coin: PriceHistory, btc: PriceHistory | null, beta: number): Float64Array => {
  const own = returnsByHour(coin)
  if (btc === null) return own.values
  const others = returnsByHour(btc)
  return own.values.map((value, i) => value - beta * (others.values[i + own.first - others.first] ?? 0))
}

const sumOf = (values: Float64Array): number => values.reduce((sum, value) => sum + value, 0)

/** The path of prices from the start of hour `first` on: one more point than there are hours. */
const pathFrom = (signed: Float64Array, first: number): ReadonlyArray<number> => {
  const path = [0]
  for (const value of signed.subarray(first)) path.push((path.at(-1) ?? 0) + value)
  return path
}

/**
 * The hour in which the first large leg begins, after the lowest point of the path; `null` if the path did not go this way. `sigma`:
 * the deviation of a quiet hour.
 */
const firstLeg = (path: ReadonlyArray<number>, sigma: number): number | null => {
  const low = path.lastIndexOf(Math.min(...path))
  const rises = path.map((value) => value - (path[low] ?? 0))
  const total = rises.at(-1) ?? 0
  if (!(total > 0)) return null
  const large = Math.max(LEG.share * total, LEG.deviations * sigma)
  const reached = rises.findIndex((rise, i) => i > low && rise >= Math.min(large, total))
  return rises.findLastIndex((rise, i) => i >= low && i < reached && rise <= STARTED * total)
}

/**
 * The start of a move in this direction (`sign`) in the day before `asOf`. Without bitcoin's prices the market's part
 * stays in.
 */
export const findOnset = (options: {
  readonly asOf: DateTime.Utc
  readonly sign: number
  readonly hourly: PriceHistory | null
  readonly btcHourly: PriceHistory | null
  readonly beta: number
}): Onset => {
  const asOf = DateTime.toEpochMillis(options.asOf)
  const none: Onset = { at: asOf - 24 * HOUR, sharp: false, known: false }
  const { btcHourly, hourly } = options
  if (hourly === null || hourly.prices.length < 12) return none
  const start = DateTime.toEpochMillis(hourly.end) - (hourly.prices.length - 1) * HOUR
  const signed = residuals(hourly, btcHourly, options.beta).map((value) => value * options.sign)
  const end = Math.min(signed.length, Math.floor((asOf - start) / HOUR))
  const first = Math.max(0, Math.ceil((asOf - start) / HOUR) - SPAN)
  if (first >= end) return none
  const quiet = signed.subarray(0, first)
  const sigma = quiet.length < 6 ? 0 : Math.sqrt(variance(quiet))
  const path = pathFrom(signed.subarray(0, end), first)
  const leg = firstLeg(path, sigma)
  if (leg === null) return none
  const index = first + leg
  const total = (path.at(-1) ?? 0) - (path[leg] ?? 0)
  const burst = sumOf(signed.subarray(index, Math.min(end, index + WINDOW)))
  return { at: start + index * HOUR, sharp: burst > 4 * sigma && burst > 0.3 * total, known: true }
}
