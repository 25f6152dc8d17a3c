// A spot pair of an exchange, from its ticker, and its price. Only pairs with turnover and a recent ticker count, because a pair without
// trades keeps its last price.
import { isInUse } from "./Fiat.ts"
import { usualMarket } from "./P2pMarket.ts"
import { bounds, isWithin } from "./Plausibility.ts"
import { hasStreetRate } from "./StreetCurrencies.ts"

/** The quote currencies of pairs that price coins. USDT and USDC are converted into USD at their own prices. */
export const quoteCurrencies = ["USD", "USDT", "USDC"] as const

export type QuoteCurrency = (typeof quoteCurrencies)[number]

/** What pairs with a fiat have on their other side. These are priced by their pairs in USD, USDT and USDC. */
const fiatCounterparts: ReadonlySet<string> = new Set(["USD", "USDT", "USDC", "BTC", "ETH"])

/** Whether exchanges can show what a fiat costs. Where people pay a street rate, P2P markets show it. `code`: in upper case. */
export const isMarketFiat = (code: string): boolean =>
  code !== "USD" && code !== usualMarket.fiat && isInUse(code) && !hasStreetRate(code)

/** Whether a pair of these symbols shows what a fiat costs. */
export const pricesFiat = (base: string, quote: string): boolean => fiatCounterparts.has(base) && isMarketFiat(quote)

/** A pair that is open for trading, with prices in the quote currency. */
export interface Pair {
  /** The exchange's unique name for the pair. */
  readonly market: string
  /** The symbol of the base in upper case. Spellings that only one exchange uses, such as `XBT`, are replaced. */
  readonly base: string
  /** One of {@link quoteCurrencies}, or a fiat. */
  readonly quote: string
  readonly bid: number | null
  readonly ask: number | null
  /** The price of the last trade. */
  readonly last: number | null
  /** Of 24 hours, in the quote currency. */
  readonly turnover: number
  /** Epoch milliseconds by the exchange's clock. If its ticker has no time: that of the response, or of the pair's last sign of life. */
  readonly observedAt: number
}

/** USD. Pairs with less turnover in 24 hours are omitted. */
export const LEAST_TURNOVER = 50_000

/** The maximum age of a ticker, in milliseconds. */
export const TICKER_AGE = 2 * 60_000

/** The widest spread, as a share, at which the mid is used. */
const WIDEST = 0.01

/** Whether a ticker is recent enough. `now`: epoch milliseconds. */
export const isNew = ({ observedAt }: Pick<Pair, "observedAt">, now: number): boolean => now <= observedAt + TICKER_AGE

const isPrice = (value: number | null): value is number => value !== null && isWithin(value, bounds.price)

type Prices = Pick<Pair, "ask" | "bid" | "last">

/** The middle of bid and ask and how far they are apart, as a share; `undefined` unless both are there. */
const bookOf = ({ ask, bid }: Prices): { readonly mid: number; readonly spread: number } | undefined => {
  if (!isPrice(bid) || !isPrice(ask)) return undefined
  const mid = (bid + ask) / 2
  return { mid, spread: (ask - bid) / mid }
}

/** Whether bid and ask are both there and at most 1 % apart. */
export const hasMarket = (prices: Prices): boolean => {
  const book = bookOf(prices)
  return book !== undefined && book.spread >= 0 && book.spread <= WIDEST
}

/**
 * The price of a pair in its quote currency: the mid if the spread is at most 1 %, else the last trade. `undefined` for a pair without a
 * price, and if the bid is above the ask: such a pair is not trading, for example because it has not opened yet.
 */
export const figureOf = (prices: Prices): number | undefined => {
  const book = bookOf(prices)
  if (book !== undefined && book.spread < 0) return undefined
  if (book !== undefined && book.spread <= WIDEST) return book.mid
  return isPrice(prices.last) ? prices.last : undefined
}
