// The check of an exchange's candles.
import type { Candle } from "./Candle.ts"
import { bounds, type Check, isWithin, isWithinFactor, JUMP_FACTOR, Tally } from "./Plausibility.ts"

/**
 * The plausible candles, oldest first: figures within bounds, open and close between low and high, no high or low more than `JUMP_FACTOR`
 * from open and close, and no close more than that from both its neighbours.
 */
export const candles: Check<ReadonlyArray<Candle>> = (received) => {
  const tally = new Tally()
  const isPossible = ({ close, high, low, open }: Candle): boolean =>
    [open, high, low, close].every((price) => isWithin(price, bounds.price)) &&
    low <= Math.min(open, close) &&
    high >= Math.max(open, close) &&
    isWithinFactor(high, Math.max(open, close), JUMP_FACTOR) &&
    isWithinFactor(low, Math.min(open, close), JUMP_FACTOR)
  const possible = received.filter(isPossible)
  const steady = possible.filter(({ close }, n) => {
    const beside = [possible[n - 1], possible[n + 1]].flatMap((other) => (other === undefined ? [] : [other.close]))
    return beside.length < 2 || beside.some((other) => isWithinFactor(close, other, JUMP_FACTOR))
  })
  for (let n = steady.length; n < received.length; n++) tally.add("candle")
  const value = steady.map(({ volume, ...prices }) => {
    return { ...prices, volume: volume === null ? null : tally.bounded("volume", volume, bounds.coinVolume) }
  })
  return { value, leftOut: tally.leftOut }
}
