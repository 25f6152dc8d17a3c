// One advertisement of a P2P market, whichever venue it came from. Sides are the customer's, never the advertiser's:
// venues name them either way round, and turning them is the source's job.
// The merchant's id exists to count each merchant once within a book. It is never served, logged or stored.

/** How the fiat leg can be paid. Mobile-money accounts that settle like a bank count as `bank_transfer`. */
export type Payment = "bank_transfer" | "cash" | "other"

/** An offer to trade `asset` against `fiat` with one merchant. */
export interface P2pAd {
  /** `ask`: the customer buys the asset from this ad. `bid`: the customer sells to it. */
  readonly side: "ask" | "bid"
  readonly asset: string
  readonly fiat: string
  /** Fiat per unit of the asset. */
  readonly price: number
  /** Units of the asset still available. */
  readonly available: number
  /** Least fiat per order. */
  readonly minAmount: number
  /** Most fiat per order. */
  readonly maxAmount: number
  /** Opaque id; empty when the venue gives none, and then no two ads are taken for the same merchant's. */
  readonly merchant: string
  /** Orders of the last 30 days or finished over a lifetime, whichever is larger; null when unknown. */
  readonly orders: number | null
  /** Percent of orders completed, 0 to 100; null when unknown. */
  readonly completionRate: number | null
  /** Empty when unknown. */
  readonly payments: ReadonlyArray<Payment>
  readonly online: boolean | null
}
