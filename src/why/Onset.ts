// Finds when a move began, from hourly prices without the market's part (WHY.md §3.3). It is known to the hour at best,
// and the start of a gradual move is found late: so timing may demote a report, never promote one.
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
  /** False where hourly prices do not tell, and `at` is only the start of the window of 24 hours. */
  readonly known: boolean
}

const HOUR = 3_600_000

/** Hours that make a burst. */
const WINDOW = 4

/** Hours after the turning point in which the first loud hour is the start. */
const PATIENCE = 6

/** Hourly returns without bitcoin's part, where its price is known. */
const residuals = (coin: PriceHistory, btc: PriceHistory | null, beta: number): Float64Array => {
  const own = returnsByHour(coin)
  if (btc === null) return own.values
  const others = returnsByHour(btc)
  return own.values.map((value, i) => value - beta * (others.values[i + own.first - others.first] ?? 0))
}

/**
 * Where a quiet path turns into a move: where it lies furthest under the straight line from its start to its end
 * (cumulative sums, Page 1954), which finds ramps and jumps alike. `null` where the path did not go this way.
 */
const turningPoint = (signed: Float64Array, first: number): number | null => {
  const total = signed.reduce((sum, value) => sum + value, 0)
  if (!(total > 0) || first >= signed.length) return null
  let at = first
  let least = Number.POSITIVE_INFINITY
  let path = 0
  for (let i = 0; i < signed.length; i++) {
    const under = path - (i / signed.length) * total
    if (i >= first && under < least - 1e-12) {
      least = under
      at = i
    }
    path += signed[i] ?? 0
  }
  return at
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
  const first = Math.max(0, Math.ceil((asOf - start) / HOUR) - 26)
  const turn = turningPoint(signed.slice(0, end), first)
  if (turn === null) return none
  const total = signed.slice(turn, end).reduce((sum, value) => sum + value, 0)
  const quiet = signed.slice(0, turn)
  const sigma = quiet.length < 6 ? 0 : Math.sqrt(variance(quiet))
  const loud = Math.max(2 * sigma, 0.06 * total)
  const found = signed.findIndex((value, i) => i >= turn && i < Math.min(end, turn + PATIENCE) && value > loud)
  const index = found === -1 ? turn : found
  const burst = signed.slice(index, Math.min(end, index + WINDOW)).reduce((sum, value) => sum + value, 0)
  return { at: start + index * HOUR, sharp: burst > 4 * sigma && burst > 0.3 * total, known: true }
}
