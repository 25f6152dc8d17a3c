// The rate of an amount in a P2P market. Up to the market's order size it is the rate of its side. A larger amount is filled from
// the known ads, best first, at their average rate, but never at a better rate than that of its side.
import type { P2pAd } from "./P2pAd.ts"
import type { JudgedBook, Prices } from "./P2pBook.ts"

/** What the customer does with USDT. */
export type CustomerSide = "buy" | "sell"

/** An ad that can fill amounts. `least` and `most`: fiat per order; `most` is also limited by what the ad still has. */
export interface Offer {
  readonly price: number
  readonly least: number
  readonly most: number
  /** The venue and the merchant. */
  readonly merchant: string
}

/** The offers of each side, best first. */
export interface Offers {
  readonly buy: ReadonlyArray<Offer>
  readonly sell: ReadonlyArray<Offer>
}

/** How a market quotes amounts. */
export interface Depth {
  /** The largest amount at the rate of the side, units of the fiat. */
  readonly orderSize: number
  /** The number of ads behind the rate of each side. */
  readonly ads: Readonly<Record<CustomerSide, number>>
  readonly offers: () => Offers
}

/** An amount in the fiat, or in USDT. */
export interface Wanted {
  readonly amount: number
  readonly unit: "fiat" | "usdt"
}

/** `rate` is `null` if the ads cannot fill the amount. */
export interface Filling {
  /** Units of the fiat for 1 USDT. */
  readonly rate: number | null
  /** Units of the fiat that are filled. */
  readonly filled: number
  /** The ads that make the rate, each of another merchant. */
  readonly ads: number
}

const textOrder = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

/** Best first. A total order, so that the order of the ads does not matter. */
const orders: Readonly<Record<CustomerSide, (a: Offer, b: Offer) => number>> = {
  buy: (a, b) => a.price - b.price || b.most - a.most || a.least - b.least || textOrder(a.merchant, b.merchant),
  sell: (a, b) => b.price - a.price || b.most - a.most || a.least - b.least || textOrder(a.merchant, b.merchant)
}

/** The ads of a venue's book that can fill amounts of any size. */
export const offersOf = (venue: string, ads: ReadonlyArray<P2pAd>, { admits }: Pick<JudgedBook, "admits">): Offers => {
  const of = (side: P2pAd["side"]) =>
    ads.flatMap((ad): ReadonlyArray<Offer> => {
      const most = Math.min(ad.maxAmount, ad.available * ad.price)
      // The comparisons also drop `NaN`.
      const isUsable = ad.side === side && ad.minAmount <= most && most > 0 && admits(ad)
      return isUsable ? [{ price: ad.price, least: ad.minAmount, most, merchant: `${venue} ${ad.merchant}` }] : []
    })
  return { buy: of("ask").toSorted(orders.buy), sell: of("bid").toSorted(orders.sell) }
}

/** The offers of several venues together. */
export const joinOffers = (venues: ReadonlyArray<Offers>): Offers => ({
  buy: venues.flatMap(({ buy }) => buy).toSorted(orders.buy),
  sell: venues.flatMap(({ sell }) => sell).toSorted(orders.sell)
})

/**
 * Fills an amount from offers, best first: each merchant once, each offer within its own limits. A rest below the minimum of every
 * remaining offer stays unfilled.
 */
const fill = (offers: ReadonlyArray<Offer>, { amount, unit }: Wanted): Filling => {
  const merchants = new Set<string>()
  let [rest, fiat, usdt, ads] = [amount, 0, 0, 0]
  for (const { least, merchant, most, price } of offers) {
    if (rest === 0) break
    const wanted = unit === "fiat" ? rest : rest * price
    if (wanted < least || merchants.has(merchant)) continue
    merchants.add(merchant)
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

/** The rate of an amount above 0 on a side. */
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
