// The check of an exchange's tickers.
import { DateTime } from "effect"
import type { Pair } from "./Pair.ts"
import { bounds, type Check, Tally } from "./Plausibility.ts"
import { AHEAD } from "./Thresholds.ts"

/** An exchange has one pair of two symbols. If it lists more than this many, all are dropped, because thousands would be slow. */
const MOST_ALIKE = 4

/** The pairs with plausible figures; refused if none is left. */
export const spotPairs: Check<ReadonlyArray<Pair>> = (received, { now }) => {
  const tally = new Tally()
  const alike = new Map<string, number>()
  const symbolsOf = ({ base, quote }: Pair): string => `${base} ${quote}`
  for (const pair of received) alike.set(symbolsOf(pair), (alike.get(symbolsOf(pair)) ?? 0) + 1)
  const value = received.flatMap((pair): ReadonlyArray<Pair> => {
    if ((alike.get(symbolsOf(pair)) ?? 0) > MOST_ALIKE) {
      tally.add("market")
      return []
    }
    const turnover = tally.bounded("turnover", pair.turnover, bounds.coinVolume)
    const isAhead = pair.observedAt > now.epochMilliseconds + AHEAD
    if (isAhead) tally.add("updated")
    if (isAhead || turnover === null) return []
    return [
      {
        ...pair,
        bid: tally.bounded("bid", pair.bid, bounds.price),
        ask: tally.bounded("ask", pair.ask, bounds.price),
        last: tally.bounded("last", pair.last, bounds.price),
        observedAt: Math.min(pair.observedAt, now.epochMilliseconds)
      }
    ]
  })
  const newest = value.reduce((latest, { observedAt }) => Math.max(latest, observedAt), 0)
  return { value: value.length === 0 ? null : value, leftOut: tally.leftOut, newest: DateTime.makeUnsafe(newest) }
}
