// The price of one coin from the pairs of several exchanges: their median, weighted by turnover. Whatever a minority of the exchanges
// says, in price, turnover or time, the price lies between the lowest and the highest pair of the others. The order of the pairs does
// not matter.
import { FAR } from "./Thresholds.ts"

/** A coin's price needs this many exchanges. */
export const LEAST_EXCHANGES = 3

/** The price and weight of one pair of a coin. */
export interface Voice {
  readonly exchange: string
  /** The exchange's name for the pair. */
  readonly market: string
  /** In USD. */
  readonly price: number
  /** Turnover of 24 hours in USD, above 0. */
  readonly weight: number
  /** Epoch milliseconds. */
  readonly observedAt: number
}

/** The quote of one exchange: the weighted median of its own pairs. */
export interface ExchangeQuote {
  readonly exchange: string
  readonly price: number
  /** The time of its oldest pair, epoch milliseconds. */
  readonly observedAt: number
}

export interface Consensus {
  /** In USD. */
  readonly price: number
  /** Between them are the middle 80 % of the weight, in USD. */
  readonly low: number
  readonly high: number
  /** The weighted mean distance of the pairs from the price, in percent. */
  readonly dispersion: number
  /** The heaviest exchange first. */
  readonly exchanges: ReadonlyArray<ExchangeQuote>
  /** The time of the oldest pair, epoch milliseconds. */
  readonly observedAt: number
}

/** The largest number of exchanges that is less than half of all. */
const minorityOf = (exchanges: number): number => Math.floor((exchanges - 1) / 2)

/**
 * The most weight of one exchange, as a share: so little that no minority reaches half of the weight. 40 % each of 3 or 4 exchanges,
 * 24 % of 5 or 6, 16 % of 7 or 8.
 */
const mostOf = (exchanges: number): number => Math.max(Math.min(0.4, 0.48 / minorityOf(exchanges)), 1 / exchanges)

/** The share of the weight below `low`, and above `high`. */
const TAIL = 0.1

/** Sums of shares are exact to this. */
const PRECISION = 1e-9

type Weighted = Pick<Voice, "price" | "weight">

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

/** A total order, so that sums do not depend on the order of arrival. */
const byPrice = (a: Voice, b: Voice): number =>
  a.price - b.price || compare(a.exchange, b.exchange) || compare(a.market, b.market) || a.weight - b.weight

const sumOf = (values: ReadonlyArray<number>): number => values.reduce((sum, value) => sum + value, 0)

/** The price at which half of the weight is reached; the middle of two prices if exactly half is on either side. */
const weightedMedian = (ascending: ReadonlyArray<Weighted>): number => {
  const half = sumOf(ascending.map(({ weight }) => weight)) / 2
  let below = 0
  for (const [n, { price, weight }] of ascending.entries()) {
    below += weight
    const next = ascending[n + 1]
    if (next !== undefined && Math.abs(below / half - 1) <= PRECISION) return price + (next.price - price) / 2
    if (below >= half || next === undefined) return price
  }
  return Number.NaN
}

/** The first price with more than {@link TAIL} of the weight at or before it. `shares`: from one end to the other. */
const edgeOf = (shares: ReadonlyArray<Weighted>): number => {
  let passed = 0
  return shares.find(({ weight }) => (passed += weight) > TAIL + PRECISION)?.price ?? Number.NaN
}

/** The largest weight that an exchange may have, so that its share of the sum of all weights after cutting is not too large. */
const weightLimit = (weights: ReadonlyArray<number>): number => {
  const descending = weights.toSorted((a, b) => b - a)
  const most = mostOf(descending.length)
  for (const [cut, weight] of descending.entries()) {
    const share = 1 - most * cut
    // If the shares of the cut exchanges add up to 1, they weigh as much as the heaviest of the others.
    if (share <= PRECISION) return weight
    const limit = (most * sumOf(descending.slice(cut))) / share
    if (weight <= limit) return limit
  }
  return Infinity
}

const totalsOf = (voices: ReadonlyArray<Voice>): ReadonlyMap<string, number> => {
  const totals = new Map<string, number>()
  for (const { exchange, weight } of voices) totals.set(exchange, (totals.get(exchange) ?? 0) + weight)
  return totals
}

/** The pairs with shares as weights, which add up to 1. All pairs of an exchange above the limit are cut in proportion. */
const sharesOf = (ascending: ReadonlyArray<Voice>, totals: ReadonlyMap<string, number>): ReadonlyArray<Voice> => {
  const limit = weightLimit([...totals.values()])
  const all = sumOf([...totals.values()].map((total) => Math.min(total, limit)))
  return ascending.map((voice) => {
    const total = totals.get(voice.exchange) ?? voice.weight
    return { ...voice, weight: ((voice.weight / total) * Math.min(total, limit)) / all }
  })
}

/** The shares of pairs of one coin in percent, by exchange and the exchange's name for the pair. */
export const weightsOf = (voices: ReadonlyArray<Voice>): ReadonlyMap<string, number> =>
  new Map(
    sharesOf(voices, totalsOf(voices)).map(({ exchange, market, weight }) => [`${exchange} ${market}`, 100 * weight])
  )

const oldestOf = (voices: ReadonlyArray<Voice>): number =>
  voices.reduce((oldest, { observedAt }) => Math.min(oldest, observedAt), Infinity)

/**
 * The consensus of the pairs of one coin; `undefined` if fewer than `least` exchanges have one, or if more exchanges than a minority
 * are more than 10 % from the median.
 */
export const consensusOf = (voices: ReadonlyArray<Voice>, least = LEAST_EXCHANGES): Consensus | undefined => {
  const ascending = voices.toSorted(byPrice)
  const totals = totalsOf(ascending)
  if (totals.size < least) return undefined
  const shares = sharesOf(ascending, totals)
  const price = weightedMedian(shares)
  const far = ({ price: one }: Pick<Voice, "price">): number => Math.abs(one / price - 1)
  const exchanges = [...totals]
    .sort(([a, weightOfA], [b, weightOfB]) => weightOfB - weightOfA || compare(a, b))
    .map(([exchange]): ExchangeQuote => {
      const own = ascending.filter((voice) => voice.exchange === exchange)
      return { exchange, price: weightedMedian(own), observedAt: oldestOf(own) }
    })
  if (exchanges.filter((one) => far(one) > FAR).length > minorityOf(totals.size)) return undefined
  return {
    price,
    low: edgeOf(shares),
    high: edgeOf(shares.toReversed()),
    dispersion: 100 * sumOf(shares.map((voice) => far(voice) * voice.weight)),
    exchanges,
    observedAt: oldestOf(voices)
  }
}
