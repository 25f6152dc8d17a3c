// Combines venues' quotes into a market's rate with a confidence, and computes its premium over the official rate. P2P venues make
// the rate, because most USDT is traded there. Order books check it, and replace it if no P2P venue has a price. Of three or more venues
// no minority moves the rate beyond the others, whatever it says. Nothing is rounded here. The caller must drop quotes that are too old.
import type { DateTime } from "effect"
import type { OrderBookTop } from "./OrderBook.ts"
import { type BookEstimate, median, type Prices } from "./P2pBook.ts"
import { derived, difference, percentAbove } from "./Decimal.ts"
import type { P2pMarket } from "./P2pMarket.ts"
import { isWithin } from "./Plausibility.ts"

/** Mids closer than this, percent, are the same rate. Quidax and Luno were 0.3 % apart in June 2026. */
const AGREEMENT = 1.5
/** An order book with a wider spread, percent of mid, has no price: its mid is known only to half of that, so not to `AGREEMENT`. */
const MAX_BOOK_SPREAD = 3
/** Mids further apart than this, percent, contradict each other. */
const DISAGREEMENT = 4
/** If no two venues are within this, percent, nothing is known without the last served mid. */
const APART = 5
/** The last served mid decides for a venue within this, percent. */
const NEAR_SERVED = 3
/** A premium or discount beyond this, percent, is possible (it was about 60 in early 2023), but lowers the confidence. */
const USUAL_PREMIUM = 35
/** A P2P book with at least this many ads is deep. */
const DEEP_BOOK = 10
/** A book has its full weight from this many ads, which the venues with the smallest pages show of both sides together. */
const WHOLE_BOOK = 40
/** A venue's sides are swapped if its spread is negative and more than this below that of the others, percent of mid. */
const MAX_REVERSAL = 2

/** One venue's prices, fiat per USDT from the customer's view. They are all null or all set; if null, there is a reason. */
export interface VenueQuote extends Pick<BookEstimate, "buy" | "sell" | "mid"> {
  readonly venue: string
  readonly kind: "p2p" | "order_book"
  /** Null for an order book. */
  readonly adsUsed: number | null
  readonly adsRejected: Readonly<Record<string, number>>
  /** Why there is no price, or a weakness of the price. */
  readonly reason: string | null
}

/** How reliable a rate is, best first. */
export const CONFIDENCES = ["high", "medium", "low"] as const

export type Confidence = (typeof CONFIDENCES)[number]

/** The least of some confidences, of which an unknown one, `null`, is the least of all; `undefined` without any. */
export const leastConfidence = (each: Iterable<Confidence | null | undefined>): Confidence | null | undefined => {
  const found = new Set(each)
  return found.has(null) ? null : CONFIDENCES.findLast((confidence) => found.has(confidence))
}

/** A venue's quote with the time of its observation; `null` without a recent one. */
export interface Venue extends VenueQuote {
  readonly updated: DateTime.Utc | null
}

/** The kind of a mid: an order book is called so only if no P2P venue is behind the mid. */
export const kindOf = (makers: ReadonlyArray<Pick<VenueQuote, "kind">>): VenueQuote["kind"] =>
  makers.some(({ kind }) => kind === "p2p") ? "p2p" : "order_book"

/** A market's rate, fiat per USDT. Prices and spread are all null or all set; if null, there is a reason and `low` confidence. */
export interface P2pEstimate extends Pick<BookEstimate, "buy" | "sell" | "mid"> {
  /** Percent of mid; negative if the sides cross a little. */
  readonly spread: number | null
  readonly confidence: Confidence
  /** Why there is no price. */
  readonly reason: string | null
  /** The venues whose prices were used, and those at whose mid the rate is limited. */
  readonly used: ReadonlyArray<string>
}

type PricedQuote = VenueQuote & Prices

const isPriced = (quote: VenueQuote): quote is PricedQuote =>
  [quote.buy, quote.sell, quote.mid].every((price) => price !== null && Number.isFinite(price) && price > 0)

/** Whether the price comes from merchants without a record. Anyone can place such ads. */
const isUnverified = ({ reason }: VenueQuote): boolean => reason === "unverified"

/** How far `a` is above `b`, percent of `b`. */
const deviation = (a: number, b: number): number => ((a - b) / b) * 100

const isNear = (a: number, b: number, limit: number): boolean => Math.abs(deviation(a, b)) <= limit

/** The spread of the published (rounded) prices. Prices which are published as equal have a spread of 0. */
export const spreadOf = ({ buy, mid, sell }: Prices): number => (difference(derived(buy), derived(sell)) / mid) * 100

const mids = (quotes: ReadonlyArray<PricedQuote>): ReadonlyArray<number> => quotes.map(({ mid }) => mid)

const isOrderBook = ({ kind }: VenueQuote): boolean => kind === "order_book"

/** From the lowest to the highest mid, percent of the median; 0 for fewer than two quotes. */
const range = (quotes: ReadonlyArray<PricedQuote>): number =>
  quotes.length < 2 ? 0 : ((Math.max(...mids(quotes)) - Math.min(...mids(quotes))) / median(mids(quotes))) * 100

/**
 * A book's weight, 0 to 1: the square of its ads as a share of a whole book, because the error of a book's best price is in inverse
 * proportion to its ads. Order books have no ads and always weigh 1.
 */
const weightOf = ({ adsUsed }: VenueQuote): number => (Math.min(adsUsed ?? WHOLE_BOOK, WHOLE_BOOK) / WHOLE_BOOK) ** 2

/**
 * The weighted median, interpolated between the centres of the weights. It is the weighted mean of two values and the middle one of
 * three with equal weights, and does not jump if a weight changes a little.
 */
const weightedMedian = (quotes: ReadonlyArray<PricedQuote>, price: (quote: PricedQuote) => number): number => {
  const sorted = quotes.toSorted((a, b) => price(a) - price(b))
  const half = sorted.reduce((sum, quote) => sum + weightOf(quote), 0) / 2
  let before: { readonly centre: number; readonly value: number } | undefined
  let passed = 0
  for (const quote of sorted) {
    const [weight, value] = [weightOf(quote), price(quote)]
    const centre = passed + weight / 2
    if (centre >= half) {
      return before === undefined || centre === before.centre
        ? value
        : before.value + ((value - before.value) * (half - before.centre)) / (centre - before.centre)
    }
    before = { centre, value }
    passed += weight
  }
  return before?.value ?? Number.NaN
}

/** The largest number of venues that is less than half of all. */
const minorityOf = (venues: number): number => Math.floor((venues - 1) / 2)

/** The middle of some values: whichever minority is wrong, it is between the lowest and the highest value of the others. */
interface Middle {
  readonly least: number
  readonly most: number
}

const middleOf = (values: ReadonlyArray<number>): Middle => {
  const sorted = values.toSorted((a, b) => a - b)
  const minority = minorityOf(sorted.length)
  return { least: sorted[minority] ?? Number.NaN, most: sorted[sorted.length - 1 - minority] ?? Number.NaN }
}

const clamp = (value: number, { least, most }: Middle): number => Math.min(most, Math.max(least, value))

/** Whether two venues with adjacent mids, and so any two, are near each other. */
const isAnyPairNear = (quotes: ReadonlyArray<PricedQuote>): boolean => {
  const sorted = mids(quotes).toSorted((a, b) => a - b)
  return sorted.some((mid, n) => n > 0 && isNear(mid, sorted[n - 1] ?? 0, APART))
}

/** If no two venues are near each other: the one of the middle that is near the last served mid, alone; nothing if there is none. */
const nearestToServed = (
  voices: ReadonlyArray<PricedQuote>,
  middle: Middle,
  served: number | undefined
): ReadonlyArray<PricedQuote> => {
  const near = voices.filter(
    ({ mid }) => served !== undefined && isNear(mid, served, NEAR_SERVED) && clamp(mid, middle) === mid
  )
  const distance = ({ mid }: PricedQuote) => Math.abs(deviation(mid, served ?? mid))
  return near.toSorted((a, b) => distance(a) - distance(b) || a.mid - b.mid).slice(0, 1)
}

const confidenceOf = (mid: number, used: ReadonlyArray<PricedQuote>, all: ReadonlyArray<PricedQuote>): Confidence => {
  const p2p = used.filter(({ kind }) => kind === "p2p")
  const books = all.filter(isOrderBook)
  const agreeing = all.filter((quote) => isNear(quote.mid, mid, AGREEMENT))
  if (p2p.length === 0) return used.length > 1 && range(used) <= AGREEMENT ? "medium" : "low"
  if (range(used) > DISAGREEMENT) return "low"
  if (books.length > 0 && !isNear(median(mids(books)), mid, DISAGREEMENT)) return "low"
  const unverified = all.filter(isUnverified)
  const isContradicted = unverified.length > 1 && !isNear(median(mids(unverified)), mid, DISAGREEMENT)
  if (isContradicted || p2p.every(isUnverified)) return "low"
  const deep = agreeing.some(
    ({ kind, adsUsed, reason }) => kind === "p2p" && reason === null && adsUsed !== null && adsUsed >= DEEP_BOOK
  )
  return deep && agreeing.length > 1 ? "high" : "medium"
}

const lowered = { high: "medium", medium: "low", low: "low" } as const

/**
 * The venues' quotes, without the prices of venues whose sides are swapped. Every book may cross a little; only swapped sides make one
 * cross this far below the spread of the others. Of these the lower middle one counts, so that no minority can make a venue look swapped.
 */
export const withoutSwapped = (venues: ReadonlyArray<VenueQuote>): ReadonlyArray<VenueQuote> => {
  const all = venues.filter(isPriced)
  return venues.map((venue) => {
    const others = all.filter((other) => other !== venue)
    if (!isPriced(venue) || others.length === 0 || spreadOf(venue) >= 0) return venue
    const isSwapped = middleOf(others.map(spreadOf)).least - spreadOf(venue) > MAX_REVERSAL
    return isSwapped ? { ...venue, buy: null, sell: null, mid: null, reason: "inverted" } : venue
  })
}

const noRate = (reason: string): P2pEstimate => ({
  buy: null,
  sell: null,
  mid: null,
  spread: null,
  confidence: "low",
  reason,
  used: []
})

/**
 * The rate of a market from its venues. Each side is the median over the P2P venues, weighted by their ads, or over the order books if
 * no P2P venue has a price. Unverified venues are used only if no verified one has a price. Of three or more venues, order books among
 * them, the mid is limited to the middle, where no minority can move it, and takes the sides with it; venues further than `AGREEMENT`
 * from the middle are passed over. A venue at whose mid the rate is limited counts as used. If no two venues are within 5 % of each
 * other, the one within 3 % of the last served mid counts alone, else there is no rate. `official`: the official rate, if known.
 * `served`: the last served mid.
 *
 * - `high`: at least two venues within `AGREEMENT` of the mid, one of them a deep P2P book, none is passed over, and the mid is between
 *   the sides of the venues before it is limited.
 * - `low`: the last served mid decided, P2P venues contradict each other, order books or several unverified venues contradict them,
 *   all P2P quotes are unverified, or there is only one order book, or only order books that disagree.
 * - `medium`: everything between.
 *
 * An unusual premium lowers it by one step.
 */
export const combineVenues = (
  venues: ReadonlyArray<VenueQuote>,
  official: number | null = null,
  served?: number
): P2pEstimate => {
  const all = venues.filter(isPriced)
  const books = all.filter(isOrderBook)
  const p2p = all.filter((quote) => !isOrderBook(quote))
  const verified = p2p.filter((quote) => !isUnverified(quote))
  const makers = verified.length > 0 ? verified : p2p.length > 0 ? p2p : books
  if (makers.length === 0) {
    return noRate([...new Set(venues.flatMap(({ reason }) => reason ?? []))].join(", ") || "no_venue")
  }
  const voices = [...new Set([...makers, ...books])]
  const middle = middleOf(mids(voices))
  const isApart = voices.length > 1 && !isAnyPairNear(voices)
  const isInMiddle = ({ mid }: PricedQuote) => isNear(mid, clamp(mid, middle), AGREEMENT)
  const near = isApart ? nearestToServed(voices, middle, served) : makers.filter(isInMiddle)
  // Order books that agree against every P2P venue.
  const used = near.length > 0 || isApart ? near : voices.filter(isInMiddle)
  if (used.length === 0) return noRate("venues_disagree")

  const buy = weightedMedian(used, (quote) => quote.buy)
  const sell = weightedMedian(used, (quote) => quote.sell)
  const mid = clamp((buy + sell) / 2, middle)
  const isMoved = mid < Math.min(buy, sell) || mid > Math.max(buy, sell)
  const isOwn = mid === (buy + sell) / 2 || used.some((quote) => quote.mid === mid)
  const credited = new Set<VenueQuote>([...used, ...(isOwn ? [] : voices.filter((quote) => quote.mid === mid))])
  const halves = middleOf(used.map((quote) => Math.max(0, quote.buy - quote.sell) / 2))
  const half = clamp((buy - sell) / 2, halves)
  const isPassedOver = (quote: VenueQuote) =>
    quote.reason === "inverted" ||
    (isPriced(quote) && (isNear(quote.mid, mid, DISAGREEMENT) ? makers.includes(quote) && !used.includes(quote) : true))
  const confidence = isApart ? "low" : confidenceOf(mid, used, all)
  const lessened = confidence === "high" && (isMoved || venues.some(isPassedOver)) ? "medium" : confidence
  const prices = { buy: mid + half, sell: mid - half, mid }
  return {
    ...prices,
    spread: spreadOf(prices),
    confidence: official === null || isNear(mid, official, USUAL_PREMIUM) ? lessened : lowered[lessened],
    reason: null,
    used: venues.filter((quote) => credited.has(quote)).map(({ venue }) => venue)
  }
}

/** The P2P mid above the official rate in percent; negative below it. Both in fiat per dollar. */
export const premium = (mid: number, official: number): number => percentAbove(derived(mid), official)

const refusal = (bid: number, ask: number, { bounds }: Pick<P2pMarket, "bounds">): string | null => {
  if (![bid, ask].every((price) => Number.isFinite(price) && price > 0)) return "not_positive"
  if (![bid, ask].every((price) => isWithin(price, bounds))) return "out_of_range"
  if (ask < bid) return "crossed"
  return ((ask - bid) / ((ask + bid) / 2)) * 100 > MAX_BOOK_SPREAD ? "spread_too_wide" : null
}

/** An order book's quote: the customer buys at the ask and sells at the bid. A crossed or wide book is refused. */
export const orderBookQuote = (
  venue: string,
  { ask, bid }: OrderBookTop,
  market: Pick<P2pMarket, "bounds">
): VenueQuote => {
  const reason = refusal(bid, ask, market)
  const prices = reason === null ? { buy: ask, sell: bid, mid: (ask + bid) / 2 } : { buy: null, sell: null, mid: null }
  return { venue, kind: "order_book", ...prices, adsUsed: null, adsRejected: {}, reason }
}

export const quoteFromBook = (venue: string, estimate: BookEstimate): VenueQuote => {
  const { asksUsed: _, bidsUsed: __, ...quote } = estimate
  return { venue, kind: "p2p", ...quote }
}
