// A coin's hourly prices as series, and by the hour that they belong to, so that coins whose histories end at different
// hours can be laid side by side. What is derived of a history is derived once: prices come every few hours and are
// read in every run.
import { DateTime } from "effect"
import type { PriceHistory } from "../domain/PriceHistory.ts"
import type { Series } from "./WhyInput.ts"

const HOUR = 3_600_000

/** Values by the hour since 1970, oldest first. */
export type ByHour = ReadonlyMap<number, number>

/** Hourly prices as an evenly spaced series; `null` where none are held. */
export const seriesOf = (history: PriceHistory | undefined): Series | null =>
  history === undefined
    ? null
    : {
        start: DateTime.subtract(history.end, { hours: history.prices.length - 1 }),
        stepMinutes: 60,
        price: history.prices
      }

const oncePerHistory = (derive: (history: PriceHistory) => ByHour): ((history: PriceHistory) => ByHour) => {
  const derived = new WeakMap<PriceHistory, ByHour>()
  return (history) => {
    const held = derived.get(history)
    if (held !== undefined) return held
    const value = derive(history)
    derived.set(history, value)
    return value
  }
}

/** Prices by their hour. */
export const pricesByHour = oncePerHistory(({ end, prices }) => {
  const first = Math.floor(end.epochMilliseconds / HOUR) - (prices.length - 1)
  return new Map(prices.map((price, n) => [first + n, price]))
})

/** Log returns by the hour that they end in. */
export const returnsByHour = oncePerHistory(({ end, prices }) => {
  const lastHour = Math.floor(end.epochMilliseconds / HOUR)
  return new Map(
    prices.slice(1).map((price, n) => [lastHour - (prices.length - 2 - n), Math.log(price / (prices[n] ?? price))])
  )
})

/** The values of both at the hours that both have. */
export const inCommon = (a: ByHour, b: ByHour): ReadonlyArray<readonly [a: number, b: number]> => {
  const both: Array<readonly [number, number]> = []
  for (const [hour, own] of a) {
    const other = b.get(hour)
    if (other !== undefined) both.push([own, other])
  }
  return both
}
