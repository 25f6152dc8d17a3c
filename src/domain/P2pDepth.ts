// What an amount gets in a P2P market. Up to the market's order size it gets the rate of its side. A larger amount is filled from
// the known ads, best first. Its rate is what they give together, but never better than the rate of its side.
import type { P2pAd } from "./P2pAd.ts"
import type { JudgedBook, Prices } from "./P2pBook.ts"

/** A customer buys USDT, or sells it. */
export type CustomerSide = "buy" | "sell"

/** An ad that an amount may be filled from. `least` and `most` are units of the fiat: `most` also of what remains of the ad. */
export interface Offer {
  readonly price: number
  readonly least: number
  readonly most: number
  /** Which merchant of which venue; empty when the venue gives none, and then every ad counts as another merchant's. */
  readonly merchant: string
}

/** The offers of each side, best first. */
export interface Offers {
  readonly buy: ReadonlyArray<Offer>
  readonly sell: ReadonlyArray<Offer>
}

/** What a market has for amounts. */
export interface Depth {
  /** Units of the fiat up to which the rate is that of the side. */
  readonly orderSize: number
  /** How many ads made the rate of each side. */
  readonly ads: Readonly<Record<CustomerSide, number>>
  readonly offers: () => Offers
}

/** An amount in the fiat, or in USDT. */
export interface Wanted {
  readonly amount: number
  readonly unit: "fiat" | "usdt"
}

/** What an amount gets. Without a rate, the ads cannot fill it. */
export interface Filling {
  /** Units of the fiat for 1 USDT. */
  readonly rate: number | null
  /** Units of the fiat that are filled. */
  readonly filled: number
  /** The ads that make the rate, each of another merchant. */
  readonly ads: number
}

const textOrder = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

/** Best first. Offers of one price are in an order of their own, so that the order of the ads does not matter. */
const orders: Readonly<Record<CustomerSide, (a: Offer, b: Offer) => number>> = {
  buy: (a, b) => a.price - b.price || b.most - a.most || a.least - b.least || textOrder(a.merchant, b.merchant),
  sell: (a, b) => b.price - a.price || b.most - a.most || a.least - b.least || textOrder(a.merchant, b.merchant)
}

/** The ads of a venue's book that an amount of any size may be filled from. */
export const offersOf = (venue: string, ads: ReadonlyArray<P2pAd>, { admits }: Pick<JudgedBook, "admits">): Offers => {
  const of = (side: P2pAd["side"]) =>
    ads.flatMap((ad): ReadonlyArray<Offer> => {
      const most = Math.min(ad.maxAmount, ad.available * ad.price)
      // Written so that NaN is left out.
      const isUsable = ad.side === side && ad.minAmount <= most && most > 0 && admits(ad)
      const merchant = ad.merchant === "" ? "" : `${venue} ${ad.merchant}`
      return isUsable ? [{ price: ad.price, least: ad.minAmount, most, merchant }] : []
    })
  return { buy: of("ask").toSorted(orders.buy), sell: of("bid").toSorted(orders.sell) }
}

/** The offers of several venues together. */
export const joinOffers = (venues: ReadonlyArray<Offers>): Offers => ({
  buy: venues.flatMap(({ buy }) => buy).toSorted(orders.buy),
  sell: venues.flatMap(({ sell }) => sell).toSorted(orders.sell)
})

/**
 * Fills an amount from offers, best first: each merchant once, each offer within its own least and most. What is less than the least
 * of every offer that is left stays unfilled.
 */
const fill = (offers: ReadonlyArray<Offer>, { amount, unit }: Wanted): Filling => {
  const merchants = new Set<string>()
  let [rest, fiat, usdt, ads] = [amount, 0, 0, 0]
  for (const { least, merchant, most, price } of offers) {
    if (rest === 0) break
    const wanted = unit === "fiat" ? rest : rest * price
    if (wanted < least || merchants.has(merchant)) continue
    if (merchant !== "") merchants.add(merchant)
    const isLast = wanted <= most
    const [inFiat, inUsdt] = isLast ? [wanted, unit === "fiat" ? rest / price : rest] : [most, most / price]
    fiat += inFiat
    usdt += inUsdt
    ads++
    rest = isLast ? 0 : rest - (unit === "fiat" ? inFiat : inUsdt)
  }
  if (rest > 0) return { rate: null, filled: fiat, ads }
  return unit === "fiat" ? { rate: amount / usdt, filled: amount, ads } : { rate: fiat / amount, filled: fiat, ads }
}

/** What an amount above 0 gets on a side. */
export const quoteFor = (
  prices: Pick<Prices, CustomerSide>,
  { ads, offers, orderSize }: Depth,
  side: CustomerSide,
  wanted: Wanted
): Filling => {
  const atSide = prices[side]
  const fiat = wanted.unit === "fiat" ? wanted.amount : wanted.amount * atSide
  if (fiat <= orderSize) return { rate: atSide, filled: fiat, ads: ads[side] }
  const filling = fill(offers()[side], wanted)
  if (filling.rate === null) return filling
  const rate = side === "buy" ? Math.max(filling.rate, atSide) : Math.min(filling.rate, atSide)
  return { ...filling, rate, filled: wanted.unit === "fiat" ? filling.filled : wanted.amount * rate }
}
