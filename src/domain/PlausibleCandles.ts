// The check of an exchange's candles.
import type { Candle } from "./Candle.ts"
import { bounds, type Check, isWithin, isWithinFactor, Tally } from "./Plausibility.ts"
import { jump } from "./Thresholds.ts"

/** The points, oldest first, whose close is within the factor of a jump of a neighbour's. A single neighbour decides nothing. */
export const withoutSpikes = <A extends Pick<Candle, "close">>(points: ReadonlyArray<A>): ReadonlyArray<A> =>
  points.filter(({ close }, n) => {
    const beside = [points[n - 1], points[n + 1]].flatMap((other) => (other === undefined ? [] : [other.close]))
    return beside.length < 2 || beside.some((other) => isWithinFactor(close, other, jump.factor))
  })

/**
 * The plausible candles, oldest first: figures within bounds, open and close between low and high, no high or low further
 * from open and close than a jump, and no spikes.
 */
export const candles: Check<ReadonlyArray<Candle>> = (received) => {
  const tally = new Tally()
  const isPossible = ({ close, high, low, open }: Candle): boolean =>
    [open, high, low, close].every((price) => isWithin(price, bounds.price)) &&
    low <= Math.min(open, close) &&
    high >= Math.max(open, close) &&
    isWithinFactor(high, Math.max(open, close), jump.factor) &&
    isWithinFactor(low, Math.min(open, close), jump.factor)
  const steady = withoutSpikes(received.filter(isPossible))
  for (let n = steady.length; n < received.length; n++) tally.add("candle")
  const value = steady.map(({ volume, ...prices }) => {
    return { ...prices, volume: volume === null ? null : tally.bounded("volume", volume, bounds.coinVolume) }
  })
  return { value, leftOut: tally.leftOut }
}
