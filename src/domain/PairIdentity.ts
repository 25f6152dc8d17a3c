// Which coin a pair of an exchange is. Symbols are not unique and change hands, so a symbol alone decides nothing: the price must be
// that of the coin at an aggregator. An identity is kept until two aggregators that agree say otherwise, so that it outlives them.
import type { Pair } from "./Pair.ts"

/** A coin as aggregators price it. */
export interface Candidate {
  /** CoinGecko's identifier. */
  readonly id: string
  /** Upper case, not unique. */
  readonly symbol: string
  /** `null` where no aggregator ranks it. */
  readonly rank: number | null
  /** Its price in USD at each aggregator that has a new one. */
  readonly prices: ReadonlyArray<number>
}

/** The coin of a pair, and how many coins one unit of its base is: exchanges trade some in thousands. */
export interface Identity {
  readonly id: string
  readonly unit: number
}

/** Identities by {@link keyOf}. */
export type Identities = ReadonlyMap<string, Identity>

/** A price this close to an aggregator's is that of the same coin, as a share. */
const SAME = 0.03

/** A pair further than this share from two aggregators that are within it of each other is another coin. */
const OTHER = 0.1

const isWithin = (share: number, price: number, other: number): boolean => Math.abs(price / other - 1) <= share

/** A pair of any exchange. The exchange's name of it is used: its symbol may change. */
export const keyOf = (exchange: string, { market }: Pick<Pair, "market">): string => `${exchange} ${market}`

/** `1000SATS`, `1MBABYDOGE`. */
const inUnits = /^(1000000|100000|10000|1000|1M)(?=[A-Z])(.+)$/

const sizes: Readonly<Record<string, number>> = { "1M": 1e6 }

/** What a base may mean: the symbol itself, and a unit of many coins. */
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

/** The coin of a pair whose base costs `price` USD: the best-ranked of its symbol that an aggregator prices within 3 % of it. */
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
 * The identity of a pair whose base costs `price` USD: the known one unless it is refuted, else a new one. `pricesOf` gives a
 * coin's prices at the aggregators.
 */
export const identityOf = (
  known: Identity | undefined,
  { base, price }: { readonly base: string; readonly price: number },
  coins: { readonly candidates: Candidates; readonly pricesOf: (id: string) => ReadonlyArray<number> }
): Identity | undefined =>
  known !== undefined && !isRefuted(price / known.unit, coins.pricesOf(known.id))
    ? known
    : identify(base, price, coins.candidates)
