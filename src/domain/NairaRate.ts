// Combines venues' quotes into the naira rate with a confidence, and computes its premium over the official rate. P2P
// venues make the rate, because most USDT is traded there; order books check it, and replace it where no P2P venue has a
// price. Nothing is rounded here, and the caller leaves out quotes that are too old.
import type { OrderBookTop } from "./OrderBook.ts"
import { type BookEstimate, MAX_SPREAD, median, type Prices } from "./P2pBook.ts"
import { bounds, isWithin } from "./Plausibility.ts"

/** Mids closer than this, percent, are the same rate. Quidax and Luno stood 0.3 % apart in June 2026. */
const AGREEMENT = 1.5
/** Mids further apart than this, percent, contradict each other. */
const DISAGREEMENT = 4
/** A P2P book with at least this many ads is deep. */
const DEEP_BOOK = 10

/** One venue's prices, NGN per USDT from the customer's view. They are null together, then with a reason. */
export interface VenueQuote extends Pick<BookEstimate, "buy" | "sell" | "mid"> {
  readonly venue: string
  readonly kind: "p2p" | "order_book"
  /** Null for an order book. */
  readonly adsUsed: number | null
  readonly adsRejected: Readonly<Record<string, number>>
  /** Why there is no price, or a weakness of the price there is. */
  readonly reason: string | null
}

/** The naira rate, NGN per USDT. The prices and the spread are null together, then with a reason and `low`. */
export interface NairaEstimate extends Pick<BookEstimate, "buy" | "sell" | "mid"> {
  /** Percent of mid; negative where the sides cross a little. */
  readonly spread: number | null
  readonly confidence: "high" | "medium" | "low"
  /** Why there is no price. */
  readonly reason: string | null
  /** The venues whose prices were used. */
  readonly used: ReadonlyArray<string>
}

type PricedQuote = VenueQuote & Prices

const isPriced = (quote: VenueQuote): quote is PricedQuote =>
  [quote.buy, quote.sell, quote.mid].every((price) => price !== null && Number.isFinite(price) && price > 0)

/** A price from merchants without a record: anyone can place such ads. */
const isUnverified = ({ reason }: VenueQuote): boolean => reason === "unverified"

/** `a` against `b` in percent of `b`. */
const deviation = (a: number, b: number): number => ((a - b) / b) * 100

const mids = (quotes: ReadonlyArray<PricedQuote>): ReadonlyArray<number> => quotes.map(({ mid }) => mid)

/** From the lowest to the highest mid, percent of the median; 0 where there are fewer than two. */
const range = (quotes: ReadonlyArray<PricedQuote>): number =>
  quotes.length < 2 ? 0 : ((Math.max(...mids(quotes)) - Math.min(...mids(quotes))) / median(mids(quotes))) * 100

/** Of quotes that contradict each other, those near the median of all venues; all of them where none is near. */
const settleDispute = (makers: ReadonlyArray<PricedQuote>, all: ReadonlyArray<PricedQuote>) => {
  if (range(makers) <= DISAGREEMENT) return makers
  const anchor = median(mids(all))
  const near = makers.filter(({ mid }) => Math.abs(deviation(mid, anchor)) <= DISAGREEMENT)
  return near.length > 0 ? near : makers
}

const confidenceOf = (
  mid: number,
  used: ReadonlyArray<PricedQuote>,
  all: ReadonlyArray<PricedQuote>
): NairaEstimate["confidence"] => {
  const p2p = used.filter(({ kind }) => kind === "p2p")
  const books = all.filter(({ kind }) => kind === "order_book")
  const agreeing = all.filter((quote) => Math.abs(deviation(quote.mid, mid)) <= AGREEMENT)
  if (p2p.length === 0) return used.length > 1 && range(used) <= AGREEMENT ? "medium" : "low"
  if (range(used) > DISAGREEMENT) return "low"
  if (books.length > 0 && Math.abs(deviation(median(mids(books)), mid)) > DISAGREEMENT) return "low"
  if (p2p.every(isUnverified)) return "low"
  const deep = agreeing.some(
    ({ kind, adsUsed, reason }) => kind === "p2p" && reason === null && adsUsed !== null && adsUsed >= DEEP_BOOK
  )
  const undisputed = range(all) <= DISAGREEMENT
  return deep && undisputed && agreeing.length > 1 ? "high" : "medium"
}

/**
 * The naira rate from every venue asked: each side is the median over the P2P venues (the mean of two), or over the
 * order books where no P2P venue has a price; an unverified one is used only without a verified one; mid = (buy + sell) / 2.
 *
 * - `high`: two venues or more within `AGREEMENT` of the mid, one of them a deep P2P book, and no two in contradiction.
 * - `low`: P2P venues contradict each other and no other venue decides, order books contradict P2P, the P2P quotes are
 *   unverified, or there are only order books, a single one or several that do not agree.
 * - `medium`: everything between.
 */
export const combineVenues = (venues: ReadonlyArray<VenueQuote>): NairaEstimate => {
  const all = venues.filter(isPriced)
  const p2p = all.filter(({ kind }) => kind === "p2p")
  const verified = p2p.filter((quote) => !isUnverified(quote))
  const makers = [verified, p2p, all].find((quotes) => quotes.length > 0) ?? []
  const used = settleDispute(makers, all)
  if (used.length === 0) {
    const reasons = new Set(venues.flatMap(({ reason }) => reason ?? []))
    const reason = [...reasons].join(", ") || "no_venue"
    return { buy: null, sell: null, mid: null, spread: null, confidence: "low", reason, used: [] }
  }
  const buy = median(used.map((quote) => quote.buy))
  const sell = median(used.map((quote) => quote.sell))
  const mid = (buy + sell) / 2
  return {
    buy,
    sell,
    mid,
    spread: ((buy - sell) / mid) * 100,
    confidence: confidenceOf(mid, used, all),
    reason: null,
    used: used.map(({ venue }) => venue)
  }
}

/** The P2P mid above the official rate in percent; negative below it. Both in NGN per dollar. */
export const premium = (mid: number, official: number): number => deviation(mid, official)

const refusal = (bid: number, ask: number): string | null => {
  if (![bid, ask].every((price) => Number.isFinite(price) && price > 0)) return "not_positive"
  if (![bid, ask].every((price) => isWithin(price, bounds.usdtInNaira))) return "out_of_range"
  if (ask < bid) return "crossed"
  return ((ask - bid) / ((ask + bid) / 2)) * 100 > MAX_SPREAD ? "spread_too_wide" : null
}

/** An order book's quote: the customer buys at the ask and sells at the bid. A crossed book is refused. */
export const orderBookQuote = (venue: string, { ask, bid }: OrderBookTop): VenueQuote => {
  const reason = refusal(bid, ask)
  const prices = reason === null ? { buy: ask, sell: bid, mid: (ask + bid) / 2 } : { buy: null, sell: null, mid: null }
  return { venue, kind: "order_book", ...prices, adsUsed: null, adsRejected: {}, reason }
}

export const quoteFromBook = (venue: string, estimate: BookEstimate): VenueQuote => {
  const { asksUsed: _, bidsUsed: __, ...quote } = estimate
  return { venue, kind: "p2p", ...quote }
}
