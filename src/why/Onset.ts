// When a move began, from hourly prices without the market's part of them (WHY.md §3.3). An hour is as fine as it gets, and a
// gradual move is found late: so timing may only ever demote a report.
import { DateTime } from "effect"
import type { Series } from "./WhyInput.ts"

/** When, and whether the beginning stands out. */
export interface Onset {
  /** Milliseconds since the epoch. */
  readonly at: number
  readonly sharp: boolean
  /** False when there were no hourly prices and `at` is only the start of the window. */
  readonly known: boolean
}

const HOUR = 3_600_000
const WINDOW = 4

const logReturns = (series: Series): ReadonlyArray<number | null> =>
  series.price.slice(1).map((price, i) => {
    const before = series.price[i]
    return price === null || before === null || before === undefined || !(price > 0) || !(before > 0)
      ? null
      : Math.log(price / before)
  })

const deviation = (values: ReadonlyArray<number>): number => {
  if (values.length < 6) return 0
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length
  return Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length)
}

/** What an hour's return would have been without bitcoin's. Hours with no price count as quiet. */
const residuals = (coin: Series, btc: Series | null, beta: number): ReadonlyArray<number> => {
  const own = logReturns(coin)
  if (btc === null || btc.stepMinutes !== coin.stepMinutes) return own.map((value) => value ?? 0)
  const others = logReturns(btc)
  const step = coin.stepMinutes * 60_000
  const shift = Math.round((DateTime.toEpochMillis(coin.start) - DateTime.toEpochMillis(btc.start)) / step)
  return own.map((value, i) => (value === null ? 0 : value - beta * (others[i + shift] ?? 0)))
}

/** The beginning of a move of this direction in the day before `asOf`. `beta` 0 keeps the market's part. */
export const findOnset = (options: {
  readonly asOf: DateTime.Utc
  readonly sign: number
  readonly hourly: Series | null
  readonly btcHourly: Series | null
  readonly beta: number
}): Onset => {
  const asOf = DateTime.toEpochMillis(options.asOf)
  const none: Onset = { at: asOf - 24 * HOUR, sharp: false, known: false }
  const series = options.hourly
  if (series === null || series.price.filter((price) => price !== null).length < 12) return none
  const step = series.stepMinutes * 60_000
  const start = DateTime.toEpochMillis(series.start)
  const signed = residuals(series, options.btcHourly, options.beta).map((value) => value * options.sign)
  const timeOf = (index: number): number => start + index * step
  const first = Math.max(
    0,
    signed.findIndex((_, i) => timeOf(i) >= asOf - 26 * HOUR)
  )
  const last = signed.findLastIndex((_, i) => timeOf(i + 1) <= asOf)
  if (last < first + 1) return none
  const size = Math.max(1, Math.round((WINDOW * HOUR) / step))
  const sumFrom = (index: number): number => signed.slice(index, index + size).reduce((sum, value) => sum + value, 0)
  let best = first
  for (let i = first; i <= last; i++) if (sumFrom(i) > sumFrom(best) + 1e-12) best = i
  const total = sumFrom(best)
  if (!(total > 0)) return none
  const quiet = signed.slice(0, Math.max(first, best - 2))
  const sigma = deviation(quiet)
  const threshold = Math.max(3 * sigma, 0.12 * total)
  const from = Math.max(first, best - 2)
  const found = signed.findIndex((value, i) => i >= from && i <= Math.min(last, best + size - 1) && value > threshold)
  const index = found === -1 ? best : found
  const whole = signed.slice(first, last + 1).reduce((sum, value) => sum + value, 0)
  return { at: timeOf(index), sharp: total > 5 * sigma && total > 0.4 * whole, known: true }
}
