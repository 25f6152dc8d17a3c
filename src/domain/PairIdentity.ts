// Identifies the coin of an exchange's pair. Symbols are not unique and change hands, so the price must also match that of the coin at an
// aggregator. An identity is kept until two aggregators that agree contradict it, so it survives outages of aggregators.
import type { Pair } from "./Pair.ts"

/** A coin with its prices at aggregators. */
export interface Candidate {
  /** CoinGecko's identifier. */
  readonly id: string
  /** Upper case, not unique. */
  readonly symbol: string
  /** `null` if no aggregator ranks it. */
  readonly rank: number | null
  /** Its price in USD at each aggregator with a fresh one. */
  readonly prices: ReadonlyArray<number>
}

/** The coin of a pair. `unit`: coins in one unit of its base, because exchanges trade some coins in thousands. */
export interface Identity {
  readonly id: string
  readonly unit: number
}

/** Identities by {@link keyOf}. */
export type Identities = ReadonlyMap<string, Identity>

/** Prices of the same coin differ by at most this share. */
const SAME = 0.03

/** A pair is another coin if it is further than this share from two aggregators that agree within this share. */
const OTHER = 0.1

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
      ?.find(({ prices }) => prices.some((known) => isWithin(SAME, price / unit, known)))
    if (coin !== undefined) return { id: coin.id, unit }
  }
  return undefined
}

/** Whether two aggregators agree on the coin's price and the pair is more than 10 % from both. */
export const isRefuted = (price: number, prices: ReadonlyArray<number>): boolean => {
  const against = prices.filter((known) => !isWithin(OTHER, price, known))
  return against.some((a, n) => against.slice(n + 1).some((b) => isWithin(OTHER, a, b)))
}

/**
 * The identity of a pair whose base costs `price` USD: the known one unless it is refuted, else a new one. `pricesOf`: a coin's
 * prices at the aggregators.
 */
export const identityOf = (
  known: Identity | undefined,
  { base, price }: { readonly base: string; readonly price: number },
  coins: { readonly candidates: Candidates; readonly pricesOf: (id: string) => ReadonlyArray<number> }
): Identity | undefined =>
  known !== undefined && !isRefuted(price / known.unit, coins.pricesOf(known.id))
    ? known
    : identify(base, price, coins.candidates)
