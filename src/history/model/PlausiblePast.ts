// Plausibility checks of historical data. They drop impossible values, and closes more than 5 times above or below
// those on both sides.
import type { Close } from "./Close.ts"
import type { DayRate } from "../../domain/FxRates.ts"
import type { P2pMarket } from "../../domain/P2pMarket.ts"
import { bounds, type Bounds, type Check, isWithin, Tally } from "../../domain/Plausibility.ts"
import { withoutSpikes } from "../../domain/PlausibleCandles.ts"
import { isPossibleRate } from "../../domain/PlausibleRates.ts"

const closesWithin =
  (figure: string, limits: Bounds): Check<ReadonlyArray<Close>> =>
  (received) => {
    const tally = new Tally()
    const possible = received.flatMap(({ high, low, open, ...rest }) => {
      const close = tally.bounded(figure, rest.close, limits)
      const near = (value: number | null) => (value === null || !isWithin(value, limits) ? null : value)
      return close === null ? [] : [{ ...rest, open: near(open), high: near(high), low: near(low) }]
    })
    const value = withoutSpikes(possible)
    for (let n = value.length; n < possible.length; n++) tally.add(figure)
    return { value, leftOut: tally.leftOut }
  }

/** Closes of a coin in USD. */
export const closes: Check<ReadonlyArray<Close>> = closesWithin("past_price", bounds.price)

/** Closes of USDT in the fiat of a P2P market. */
export const marketCloses = ({ bounds }: Pick<P2pMarket, "bounds">): Check<ReadonlyArray<Close>> =>
  closesWithin("past_p2p", bounds)

/**
 * Fiat rates, in the order of days. Each must be within bounds and plausible against the last accepted rate of its currency, at first
 * against that of `beside`.
 */
export const dayRatesAfter =
  (beside: Readonly<Record<string, number>>): Check<ReadonlyArray<DayRate>> =>
  (received) => {
    const tally = new Tally()
    const former = new Map(Object.entries(beside))
    const value = received.filter(({ code, rate }) => {
      const isPossible = isPossibleRate(rate, former.get(code))
      if (isPossible) former.set(code, rate)
      else tally.add("past_fiat_rate")
      return isPossible
    })
    return { value, leftOut: tally.leftOut }
  }

/** The same, of days without rates beside them. */
export const dayRates = dayRatesAfter({})
