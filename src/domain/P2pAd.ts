// One advertisement of a P2P market. Sides are the customer's; adapters of venues that use the advertiser's swap them. The
// merchant's id serves to count each merchant once within a book. It is never served, logged or stored: `anonymous` replaces
// it by a number.
import { Schema } from "effect"

/** How the fiat can be paid. Mobile money that its market accepts counts as `bank_transfer`. */
export const Payment = Schema.Literals(["bank_transfer", "cash", "other"])

export type Payment = typeof Payment.Type

/**
 * An offer to trade `asset` against `fiat` with one merchant.
 *
 * - `side`: `ask` when the customer buys the asset from this ad, `bid` when the customer sells to it.
 * - `price`: fiat per unit of the asset. `available`: units of the asset still available.
 * - `minAmount`, `maxAmount`: fiat per order.
 * - `merchant`: opaque id; empty if the venue gives none. All ads of a venue with an empty id count as one merchant's.
 * - `orders`: of the last 30 days, or finished over a lifetime, whichever is larger; null if unknown.
 * - `completionRate`: percent of orders completed, 0 to 100; null when unknown.
 * - `payments`: empty when unknown. Such an ad counts for nothing.
 */
export const P2pAd = Schema.Struct({
  side: Schema.Literals(["ask", "bid"]),
  asset: Schema.String,
  fiat: Schema.String,
  price: Schema.Finite,
  available: Schema.Finite,
  minAmount: Schema.Finite,
  maxAmount: Schema.Finite,
  merchant: Schema.String,
  orders: Schema.NullOr(Schema.Finite),
  completionRate: Schema.NullOr(Schema.Finite),
  payments: Schema.Array(Payment),
  online: Schema.NullOr(Schema.Boolean)
})

export type P2pAd = typeof P2pAd.Type

/** Replaces merchants' ids by numbers in order of appearance. */
export const anonymous = (ads: ReadonlyArray<P2pAd>): ReadonlyArray<P2pAd> => {
  const numbers = new Map<string, string>()
  return ads.map((ad) => {
    if (ad.merchant === "") return ad
    const number = numbers.get(ad.merchant) ?? String(numbers.size + 1)
    numbers.set(ad.merchant, number)
    return { ...ad, merchant: number }
  })
}
