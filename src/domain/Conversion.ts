// Converts any asset into any other through quoted rates. Every asset has a path to USD. A conversion takes one path forward and the
// other backward, without their common tail, so USDT to the fiat of a P2P market does not go through USD.
import { BigDecimal, DateTime } from "effect"
import { DERIVED_DIGITS, derived, difference, roundDecimal, significantDigits } from "./Decimal.ts"
import { type Confidence, leastConfidence } from "./P2pRate.ts"
import type { Depth } from "./P2pDepth.ts"
import { joinSources } from "./Snapshot.ts"

/** Which rate of a fiat is used: see `basis` in `api/Terms.ts`. */
export const BASES = ["mid", "p2p", "customer", "official"] as const

export type Basis = (typeof BASES)[number]

/** A published rate: 1 `base` costs `rate` units of `quote`. Coins by id (`bitcoin`), fiats by code (`USD`). */
export interface Quote {
  readonly base: string
  readonly quote: string
  readonly rate: number
  /** True for a computed mid, which is published with 12 digits instead of the source's own. */
  readonly computed: boolean
  readonly source: string
  readonly updated: DateTime.Utc
  /** The kind of a fiat's rate. Set if the request names a basis other than `mid`, or if people pay another rate. */
  readonly basis?: Exclude<Basis, "mid">
  /** Set on an official rate if people pay a street rate whose market is not followed. */
  readonly street?: "not_followed"
  /** Set on the price of a coin, and on the rate of a P2P market; `null` if it is unknown. */
  readonly confidence?: Confidence | null
  /** Set on a side of a P2P market: the number of ads that make the rate. */
  readonly ads?: number
  /** Set on the rate of a P2P market in the past. */
  readonly market?: MarketOrigin
}

/** Where the rate of a P2P market came from, how sure it is, and the version of the method that estimated it, if these are known. */
export interface MarketOrigin {
  readonly kind: "p2p" | "order_book"
  readonly confidence: Confidence | null
  readonly method: string | null
}

/** The depth of the market of a quote, for larger amounts. */
export interface MarketDepth extends Depth {
  readonly buy: number
  readonly sell: number
}

/** One step of a conversion: a quote, taken forward (base to quote) or inverted. */
export interface Hop {
  readonly quote: Quote
  readonly inverted: boolean
  /**
   * The depth of a P2P market, if the quote is one of its sides. Forward: the customer sells USDT; inverted: the customer buys it.
   */
  readonly depth?: MarketDepth
}

/** A published step. `rate`: units of `to` per 1 `from`. */
export interface Leg extends Omit<Quote, "base" | "quote" | "computed" | "market"> {
  readonly from: string
  readonly to: string
}

/** A rate with its legs, their joined sources, their oldest time and their least confidence. */
export interface Rate extends Pick<Quote, "rate" | "source" | "updated" | "confidence" | "market"> {
  readonly legs: ReadonlyArray<Leg>
}

export const forward = (quote: Quote): Hop => ({ quote, inverted: false })

export const backward = (quote: Quote): Hop => ({ quote, inverted: true })

/** Joins both USD paths, the second one inverted, and drops their common tail. */
export const path = (from: ReadonlyArray<Hop>, to: ReadonlyArray<Hop>): ReadonlyArray<Hop> => {
  let shared = 0
  while (shared < Math.min(from.length, to.length) && sameHop(from.at(-1 - shared), to.at(-1 - shared))) shared++
  const back = to.slice(0, to.length - shared).toReversed()
  return [...from.slice(0, from.length - shared), ...back.map((hop) => ({ ...hop, inverted: !hop.inverted }))]
}

const sameHop = (a: Hop | undefined, b: Hop | undefined): boolean =>
  a?.quote.base === b?.quote.base && a?.quote.quote === b?.quote.quote && a?.inverted === b?.inverted

/** The published rate of a hop. */
export const hopRate = (inverted: boolean, { computed, rate }: Pick<Quote, "rate" | "computed">): number =>
  inverted ? derived(1 / rate) : computed ? derived(rate) : rate

/** The rate of a sequence of hops: the product of their published rates. */
export const rateOfHops = (first: number, ...rest: ReadonlyArray<number>): number =>
  rest.length === 0 ? first : derived(rest.reduce((product, rate) => product * rate, first))

const legOf = ({ inverted, quote }: Hop): Leg => ({
  from: inverted ? quote.quote : quote.base,
  to: inverted ? quote.base : quote.quote,
  rate: hopRate(inverted, quote),
  source: quote.source,
  updated: quote.updated,
  ...(quote.basis !== undefined && { basis: quote.basis }),
  ...(quote.street !== undefined && { street: quote.street }),
  ...(quote.confidence !== undefined && { confidence: quote.confidence }),
  ...(quote.ads !== undefined && { ads: quote.ads })
})

/** The rate along a path: the product of the published legs, so that callers can recompute it. */
export const rateAlong = (hops: readonly [Hop, ...ReadonlyArray<Hop>]): Rate => {
  const [first, ...rest] = hops
  const head = legOf(first)
  const tail = rest.map(legOf)
  // People do not get an official rate where they pay another one.
  const confidence = leastConfidence([head, ...tail].map((leg) => (leg.street === undefined ? leg.confidence : "low")))
  const market = hops.find(({ quote }) => quote.market !== undefined)?.quote.market
  const judged = { ...(confidence !== undefined && { confidence }), ...(market !== undefined && { market }) }
  if (tail.length === 0) return { rate: head.rate, legs: [head], source: head.source, updated: head.updated, ...judged }
  return {
    ...judged,
    rate: rateOfHops(head.rate, ...tail.map((leg) => leg.rate)),
    legs: [head, ...tail],
    source: joinSources([head.source, ...tail.map((leg) => leg.source)]),
    updated: tail.reduce((oldest, leg) => DateTime.min(oldest, leg.updated), head.updated)
  }
}

/**
 * Converts amounts at a rate: `amount` × `rate`, to 12 significant digits, or as many as the rate has, so that an amount of 1
 * gives the rate. Equal assets have no legs, and the amount is unchanged.
 */
export const converterAt = ({
  legs,
  rate
}: Pick<Rate, "legs" | "rate">): ((amount: BigDecimal.BigDecimal) => BigDecimal.BigDecimal) =>
  legs.length === 0 ? (amount) => amount : multiplierOf(rate)

/** The same at a rate that has legs. */
export const multiplierOf = (rate: number): ((amount: BigDecimal.BigDecimal) => BigDecimal.BigDecimal) => {
  const exact = BigDecimal.fromNumberUnsafe(rate)
  const digits = Math.max(DERIVED_DIGITS, significantDigits(exact))
  return (amount) => roundDecimal(BigDecimal.multiply(amount, exact), digits)
}

/** The change of a coin against another, from the changes of both in USD, in percent. */
export const changeAgainst = (change: number | null, other: number | null): number | null =>
  change === null || other === null || other <= -100
    ? null
    : derived((difference(change, other) / difference(other, -100)) * 100)
