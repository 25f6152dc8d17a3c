// A spot pair of an exchange as its ticker shows it, and the one figure that is taken from it. A pair counts while it is traded and
// its ticker is new; a pair without trades keeps its last price.
import { bounds, isWithin } from "./Plausibility.ts"

/** What pairs are quoted in. USDT and USDC are turned into USD by prices of their own. */
export const quoteCurrencies = ["USD", "USDT", "USDC"] as const

export type QuoteCurrency = (typeof quoteCurrencies)[number]

/** A pair that is open for trading. Prices are in the quote currency. */
export interface Pair {
  /** The exchange's own name of the pair, which is unique there. */
  readonly market: string
  /** The symbol of the base, upper case, in the exchange's spelling except where that is its alone (`XBT`). */
  readonly base: string
  readonly quote: QuoteCurrency
  readonly bid: number | null
  readonly ask: number | null
  /** The price of the last trade. */
  readonly last: number | null
  /** Of 24 hours, in the quote currency. */
  readonly turnover: number
  /** Epoch milliseconds by the exchange's clock; the time of its response where it has none. */
  readonly observedAt: number
}

/** Pairs with less turnover in 24 hours are left out, in USD. */
export const LEAST_TURNOVER = 50_000

/** The maximum age of a ticker, in milliseconds. */
export const TICKER_AGE = 2 * 60_000

/** The middle of bid and ask is used where they are at most this share apart; a book crossed by more is no book. */
const WIDEST = 0.01

/** Whether a ticker is new enough at `now`, epoch milliseconds. */
export const isNew = ({ observedAt }: Pick<Pair, "observedAt">, now: number): boolean => now <= observedAt + TICKER_AGE

const isPrice = (value: number | null): value is number => value !== null && isWithin(value, bounds.price)

/**
 * The price that a pair shows, in its quote currency: the middle of bid and ask where they are at most 1 % apart, else the last trade.
 * `undefined` for a book that is crossed by more than 1 % and for a pair without a price.
 */
export const figureOf = ({ ask, bid, last }: Pick<Pair, "ask" | "bid" | "last">): number | undefined => {
  if (isPrice(bid) && isPrice(ask)) {
    const mid = (bid + ask) / 2
    const spread = (ask - bid) / mid
    if (spread < -WIDEST) return undefined
    if (spread <= WIDEST) return mid
  }
  return isPrice(last) ? last : undefined
}
