// A spot pair of an exchange from its ticker, and the one price that is used of it. Only pairs with turnover and a recent ticker count,
// because a pair without trades keeps its last price.
import { bounds, isWithin } from "./Plausibility.ts"

/** The quote currencies of pairs. USDT and USDC are converted into USD at their own prices. */
export const quoteCurrencies = ["USD", "USDT", "USDC"] as const

export type QuoteCurrency = (typeof quoteCurrencies)[number]

/** A pair that is open for trading, with prices in the quote currency. */
export interface Pair {
  /** The exchange's unique name for the pair. */
  readonly market: string
  /** The symbol of the base in upper case. Spellings that only one exchange uses, such as `XBT`, are replaced. */
  readonly base: string
  readonly quote: QuoteCurrency
  readonly bid: number | null
  readonly ask: number | null
  /** The price of the last trade. */
  readonly last: number | null
  /** Of 24 hours, in the quote currency. */
  readonly turnover: number
  /** Epoch milliseconds by the exchange's clock; the time of the response if the ticker has none. */
  readonly observedAt: number
}

/** USD. Pairs with less turnover in 24 hours are omitted. */
export const LEAST_TURNOVER = 50_000

/** The maximum age of a ticker, in milliseconds. */
export const TICKER_AGE = 2 * 60_000

/** The widest spread, as a share, at which the mid is used. A book that is crossed by more has no price. */
const WIDEST = 0.01

/** Whether a ticker is recent enough. `now`: epoch milliseconds. */
export const isNew = ({ observedAt }: Pick<Pair, "observedAt">, now: number): boolean => now <= observedAt + TICKER_AGE

const isPrice = (value: number | null): value is number => value !== null && isWithin(value, bounds.price)

/**
 * The price of a pair in its quote currency: the mid if the spread is at most 1 %, else the last trade. `undefined` for a book that is
 * crossed by more than 1 %, and for a pair without a price.
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
