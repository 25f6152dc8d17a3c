// From any asset to any other through quoted rates. Every asset knows its way to the US dollar; a conversion walks one way
// forward and the other backward, and what both share cancels, so USDT to naira never goes through the dollar.
import { BigDecimal, DateTime } from "effect"
import { DERIVED_DIGITS, derived, roundDecimal, significantDigits } from "./Decimal.ts"
import { joinSources } from "./Snapshot.ts"

/** What somebody published: 1 `base` costs `rate` units of `quote`. Coins by id (`bitcoin`), fiats by code (`USD`). */
export interface Quote {
  readonly base: string
  readonly quote: string
  readonly rate: number
  /** True when we computed it (a mid of two sides), so that it is shown with 12 digits and not with the source's own. */
  readonly computed: boolean
  readonly source: string
  readonly updated: DateTime.Utc
}

/** One step of a conversion: a quote, walked forward (base to quote) or backward. */
export interface Hop {
  readonly quote: Quote
  readonly inverted: boolean
}

/** A step as it is answered. `rate` is units of `to` per 1 `from`. */
export interface Leg {
  readonly from: string
  readonly to: string
  readonly rate: number
  readonly source: string
  readonly updated: DateTime.Utc
}

/** A rate with the legs that make it, their sources joined and the oldest of their times. */
export interface Rate {
  readonly rate: number
  readonly legs: ReadonlyArray<Leg>
  readonly source: string
  readonly updated: DateTime.Utc
}

/** A step in the quoted direction. */
export const forward = (quote: Quote): Hop => ({ quote, inverted: false })

/** A step against the quoted direction. */
export const backward = (quote: Quote): Hop => ({ quote, inverted: true })

/** The way there, from two ways to the dollar: the first one forward, the second one backward, without the shared end. */
export const path = (from: ReadonlyArray<Hop>, to: ReadonlyArray<Hop>): ReadonlyArray<Hop> => {
  let shared = 0
  while (shared < Math.min(from.length, to.length) && sameHop(from.at(-1 - shared), to.at(-1 - shared))) shared++
  const back = to.slice(0, to.length - shared).toReversed()
  return [
    ...from.slice(0, from.length - shared),
    ...back.map(({ inverted, quote }) => ({ quote, inverted: !inverted }))
  ]
}

const sameHop = (a: Hop | undefined, b: Hop | undefined): boolean =>
  a?.quote.base === b?.quote.base && a?.quote.quote === b?.quote.quote && a?.inverted === b?.inverted

const legOf = ({ inverted, quote }: Hop): Leg => ({
  from: inverted ? quote.quote : quote.base,
  to: inverted ? quote.base : quote.quote,
  rate: inverted ? derived(1 / quote.rate) : quote.computed ? derived(quote.rate) : quote.rate,
  source: quote.source,
  updated: quote.updated
})

/**
 * The rate along a path of at least one hop. It is the product of the legs as they are shown (a single leg is shown as it
 * is), so that a caller who multiplies them gets the rate he was given.
 */
export const rateAlong = (hops: readonly [Hop, ...ReadonlyArray<Hop>]): Rate => {
  const [first, ...rest] = hops
  const head = legOf(first)
  const tail = rest.map(legOf)
  return {
    rate: tail.length === 0 ? head.rate : derived(tail.reduce((product, leg) => product * leg.rate, head.rate)),
    legs: [head, ...tail],
    source: joinSources([head.source, ...tail.map((leg) => leg.source)]),
    updated: tail.reduce((oldest, leg) => DateTime.min(oldest, leg.updated), head.updated)
  }
}

/**
 * `amount` at `rate`, to 12 significant digits, or to as many as the rate itself has: 1 at any rate gives that rate.
 */
export const amountAt = (amount: BigDecimal.BigDecimal, rate: number): BigDecimal.BigDecimal => {
  const exact = BigDecimal.fromNumberUnsafe(rate)
  return roundDecimal(BigDecimal.multiply(amount, exact), Math.max(DERIVED_DIGITS, significantDigits(exact)))
}

/** Two percent changes in a row, in percent: +10 % and then -10 % is -1 %. */
export const compoundChange = (first: number, second: number): number =>
  derived(((1 + first / 100) * (1 + second / 100) - 1) * 100)
