// Identifies the coin of an exchange's pair. Symbols are not unique and change hands, so the price must also match that of the coin at an
// aggregator. An identity survives outages of aggregators. It is given up when aggregators contradict it, or when no list has the coin.
import type { Pair } from "./Pair.ts"
import { OTHER_COIN, SAME_COIN } from "./Thresholds.ts"

/** A coin with its prices at aggregators. */
export interface Candidate {
  /** CoinGecko's identifier. */
  readonly id: string
  /** Upper case, not unique. */
  readonly symbol: string
  readonly name: string
  /** `null` if no aggregator ranks it. */
  readonly rank: number | null
  /** Its price in USD at each aggregator with a fresh one. */
  readonly prices: ReadonlyArray<number>
}

/** The coin of a pair. It says enough of the coin to serve its price while no aggregator does. */
export interface Identity extends Pick<Candidate, "id" | "symbol" | "name"> {
  /** Coins in one unit of the pair's base, because exchanges trade some coins in thousands. */
  readonly unit: number
  /** Since when no list has the coin, epoch milliseconds; `null` while one has it. */
  readonly unlistedSince: number | null
}

/** Identities by {@link keyOf}. */
export type Identities = ReadonlyMap<string, Identity>

/** The aggregators' data on coins. */
export interface Aggregated {
  readonly candidates: Candidates
  /** The coin's price in USD at each aggregator with a fresh one. */
  readonly pricesOf: (id: string) => ReadonlyArray<number>
  /** Whether a fresh list has the coin; `undefined` if no list is fresh. */
  readonly isListed: (id: string) => boolean | undefined
}

/** An identity is given up when no list has had its coin for this long, in milliseconds. */
const UNLISTED = 7 * 86_400_000

const isWithin = (share: number, price: number, other: number): boolean => Math.abs(price / other - 1) <= share

/** The key of a pair among all exchanges. It uses the exchange's name for the pair, because its symbol may change. */
export const keyOf = (exchange: string, { market }: Pick<Pair, "market">): string => `${exchange} ${market}`

/** `1000SATS`, `1MBABYDOGE`. */
const inUnits = /^(1000000|100000|10000|1000|1M)(?=[A-Z])(.+)$/

const sizes: Readonly<Record<string, number>> = { "1M": 1e6 }

/** Whether a pair can be of this many coins. */
export const isUnit = (unit: number): boolean => [1, 1e3, 1e4, 1e5, 1e6].includes(unit)

/** The readings of a base: the symbol itself, or a unit of many coins. */
const readingsOf = (base: string): ReadonlyArray<{ readonly symbol: string; readonly unit: number }> => {
  const [, count = "", symbol] = inUnits.exec(base) ?? []
  const plain = { symbol: base, unit: 1 }
  return symbol === undefined ? [plain] : [plain, { symbol, unit: sizes[count] ?? Number(count) }]
}

/** Coins by symbol, the best rank first; unknown ranks last, then by id. */
export type Candidates = ReadonlyMap<string, ReadonlyArray<Candidate>>

export const candidatesOf = (coins: ReadonlyArray<Candidate>): Candidates =>
  Map.groupBy(
    coins.toSorted((a, b) => (a.rank ?? Infinity) - (b.rank ?? Infinity) || (a.id < b.id ? -1 : 1)),
    ({ symbol }) => symbol
  )

/** The coin of a pair whose base costs `price` USD: the best-ranked one with its symbol and a price within 3 % at an aggregator. */
export const identify = (base: string, price: number, candidates: Candidates): Identity | undefined => {
  for (const { symbol, unit } of readingsOf(base)) {
    const coin = candidates
      .get(symbol)
      ?.find(({ prices }) => prices.some((known) => isWithin(SAME_COIN, price / unit, known)))
    if (coin !== undefined) return { id: coin.id, symbol, name: coin.name, unit, unlistedSince: null }
  }
  return undefined
}

/** A pair as its identity depends on it: its base, and what one unit of it costs in USD. */
interface Priced {
  readonly base: string
  readonly price: number
}

/**
 * Whether aggregators contradict an identity: two are far from the pair's price, or the only one is, and another coin of the symbol has that
 * price, which no aggregator contradicts. One of two alone may have swapped two coins, during a true move that the other has not seen yet.
 */
export const isRefuted = (known: Identity, { base, price }: Priced, { candidates, pricesOf }: Aggregated): boolean => {
  const one = price / known.unit
  const prices = pricesOf(known.id)
  const against = prices.filter((other) => !isWithin(OTHER_COIN, one, other)).length
  if (against !== 1 || prices.length > 1) return against > 1
  const found = identify(base, price, candidates)
  if (found === undefined || found.id === known.id) return false
  return pricesOf(found.id).every((other) => isWithin(OTHER_COIN, price / found.unit, other))
}

/** The identity with the time since when no list has the coin; the same one if that did not change. */
const asListed = (known: Identity, isListed: boolean | undefined, now: number): Identity => {
  if (isListed === undefined || isListed === (known.unlistedSince === null)) return known
  return { ...known, unlistedSince: isListed ? null : now }
}

/** The identity of a pair at `now`, epoch milliseconds: the known one unless it is given up, else a new one. */
export const identityOf = (
  known: Identity | undefined,
  pair: Priced,
  aggregated: Aggregated,
  now: number
): Identity | undefined => {
  if (known === undefined || isRefuted(known, pair, aggregated)) {
    return identify(pair.base, pair.price, aggregated.candidates)
  }
  const listed = asListed(known, aggregated.isListed(known.id), now)
  const isGone = listed.unlistedSince !== null && now - listed.unlistedSince > UNLISTED
  return isGone && aggregated.isListed(known.id) === false ? undefined : listed
}
