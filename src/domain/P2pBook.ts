// One venue's P2P ads made into a buy, a sell and a mid, or a reason why not. The head of such a book is where the bait
// stands, often across the other side, so the best price is never believed: ads are screened one by one, then both sides
// are fitted together (an honest ask does not stand below honest bids), then each side drops its outliers.
// Ages of ads and of the reference are the caller's to judge.
import type { P2pAd } from "./P2pAd.ts"

/** Bounds of a believable price without a reference, NGN per USDT: far outside all that 2023 to 2026 saw. */
export const PRICE_RANGE = { min: 300, max: 10_000 }
/** Widest believable spread, percent of mid. Beyond it the two sides do not describe one market. */
export const MAX_SPREAD = 15
/** The order that an ad must be able to fill, NGN. Ads that bait usually fill only one tiny amount. */
export const ORDER_SIZE = 100_000

/** How far a price may stand from the official rate, as a share of it. The premium was about 2 % in June 2026. */
const REFERENCE_BAND = 0.35
/** The record of a merchant whose ads count: orders, and the percent of them that completed. */
const MIN_ORDERS = 50
const MIN_COMPLETION = 90
/** Fewer merchants than this on either side is no market. */
const MIN_PER_SIDE = 3
/** The sides' medians may cross this far by noise and bait, a share of the price; further, and the sides are swapped. */
const MAX_INVERSION = 0.01
/** The same for the estimates, when everything else that crosses has gone. */
const MAX_CROSS = 0.005
/**
 * An ad this far across the mid is not part of the market. Nearer it may be honest noise about a narrow spread, so half
 * the spread is taken off `most`.
 */
const CROSS_TOLERANCE = { most: 0.004, least: 0.001 }
/** In the fit, an ad counts wholly against a mid it crosses by this much, or stands behind by this much. */
const CROSSING_SCALE = 0.005
const DISTANCE_SCALE = 0.05
/** Outlier: further from the side's median than 3 standard deviations, estimated by the MAD (× 1.4826, Gaussian). */
const MAX_DEVIATION = 3 * 1.4826
/** Where most of a side quotes one price the MAD is 0; this share of the median stands in. */
const MAD_FLOOR = 0.002
/** The part of a side that makes its price, best first: past the best tenth, down to 60 %, at most a dozen ads. */
const DEPTH = { from: 0.1, to: 0.6, most: 12 }
/** By then the mid has settled. */
const ROUNDS = 4

/** Why an ad did not count; the first that applies, in this order. */
export type RejectReason =
  | "wrong_currency"
  | "not_positive"
  | "out_of_range"
  | "not_executable_size"
  | "thin_merchant"
  | "low_completion"
  | "unverified_merchant"
  | "cash_only"
  | "no_bank_transfer"
  | "offline"
  | "duplicate_merchant"
  | "crosses_market"
  | "outlier"

/** `crossed` and `unverified` mark a number that stands; the others say why there is none. */
export type BookReason = "too_few_ads" | "inverted" | "spread_too_wide" | "crossed" | "unverified"

/** A venue's rate in fiat per unit of the asset, from the customer's view. The three prices are null together. */
export interface BookEstimate {
  /** Paid for one unit. */
  readonly buy: number | null
  /** Received for one unit. */
  readonly sell: number | null
  readonly mid: number | null
  /** Ads that passed every filter, also where they are too few for a number: with the rejected, all that came in. */
  readonly adsUsed: number
  readonly adsRejected: Readonly<Partial<Record<RejectReason, number>>>
  readonly reason: BookReason | null
  readonly asksUsed: number
  readonly bidsUsed: number
}

export interface BookOptions {
  readonly asset: "USDT"
  readonly fiat: "NGN"
  /** NGN; `ORDER_SIZE` unless given. */
  readonly orderSize?: number
  /** The official rate, NGN per USD, where one is held. */
  readonly reference: number | null
}

/** The middle value, the mean of the two middle ones of an even number, NaN of none. */
export const median = (values: ReadonlyArray<number>): number => {
  const sorted = values.toSorted((a, b) => a - b)
  const half = sorted.length >> 1
  const upper = sorted[half] ?? Number.NaN
  return sorted.length % 2 === 1 ? upper : ((sorted[half - 1] ?? Number.NaN) + upper) / 2
}

const mean = (values: ReadonlyArray<number>): number => values.reduce((sum, value) => sum + value, 0) / values.length

/** What one ad must be by itself. A rule holds when the ad fails it; comparisons are written so that NaN fails. */
const rules = (
  ads: ReadonlyArray<P2pAd>,
  { asset, fiat, orderSize = ORDER_SIZE, reference }: BookOptions
): ReadonlyArray<readonly [RejectReason, (ad: P2pAd) => boolean]> => {
  const anchored = reference !== null && Number.isFinite(reference) && reference > 0
  const min = anchored ? Math.max(PRICE_RANGE.min, reference * (1 - REFERENCE_BAND)) : PRICE_RANGE.min
  const max = anchored ? Math.min(PRICE_RANGE.max, reference * (1 + REFERENCE_BAND)) : PRICE_RANGE.max
  const { orders, completionRate } = recordsPublished(ads)
  return [
    ["wrong_currency", (ad) => ad.asset !== asset || ad.fiat !== fiat],
    ["not_positive", (ad) => ![ad.price, ad.available].every((value) => Number.isFinite(value) && value > 0)],
    ["out_of_range", (ad) => ad.price < min || ad.price > max],
    [
      "not_executable_size",
      (ad) => !(ad.minAmount <= orderSize && orderSize <= ad.maxAmount && ad.available * ad.price >= orderSize)
    ],
    ["thin_merchant", (ad) => ad.orders !== null && !(ad.orders >= MIN_ORDERS)],
    ["low_completion", (ad) => ad.completionRate !== null && !(ad.completionRate >= MIN_COMPLETION)],
    ["unverified_merchant", (ad) => (orders && ad.orders === null) || (completionRate && ad.completionRate === null)],
    ["cash_only", (ad) => ad.payments.length > 0 && ad.payments.every((payment) => payment === "cash")],
    ["no_bank_transfer", (ad) => ad.payments.length > 0 && !ad.payments.includes("bank_transfer")],
    ["offline", (ad) => ad.online === false]
  ]
}

/**
 * Which parts of a merchant's record the venue publishes at all. One that it publishes for others and not for this
 * merchant is missing for a reason; one that it publishes for nobody marks the whole book instead.
 */
const recordsPublished = (ads: ReadonlyArray<P2pAd>) => ({
  orders: ads.some((ad) => ad.orders !== null),
  completionRate: ads.some((ad) => ad.completionRate !== null)
})

/** Every merchant's best ad, best ads first. */
const bestPerMerchant = (ads: ReadonlyArray<P2pAd>, side: P2pAd["side"]): ReadonlyArray<number> => {
  const sign = side === "ask" ? 1 : -1
  const seen = new Set<string>()
  return ads
    .filter((ad) => ad.side === side)
    .toSorted((a, b) => sign * (a.price - b.price))
    .filter(({ merchant }) => merchant === "" || (!seen.has(merchant) && seen.add(merchant)))
    .map((ad) => ad.price)
}

interface Prices {
  readonly buy: number
  readonly sell: number
  readonly mid: number
}

interface Sides {
  readonly asks: ReadonlyArray<number>
  readonly bids: ReadonlyArray<number>
}

/**
 * What an ad costs a mid, 0 to 1, `behind` being its distance on its own side as a share of the mid. Steep across the
 * mid and gentle behind it; capped, so that no ad weighs more by being absurd.
 */
const cost = (behind: number): number => Math.min(1, behind < 0 ? -behind / CROSSING_SCALE : behind / DISTANCE_SCALE)

/** The mid that the fewest ads contradict. A cluster of bait asks would need every honest bid to be wrong. */
const fit = ({ asks, bids }: Sides): { readonly mid: number; readonly cost: number } => {
  const prices = [...asks, ...bids].toSorted((a, b) => a - b)
  const candidates = prices.flatMap((price, index) => [price, (price + (prices[index + 1] ?? price)) / 2])
  let best = { mid: Number.NaN, cost: Number.POSITIVE_INFINITY }
  for (const mid of candidates) {
    const total = mean(asks.map((ask) => cost(ask / mid - 1))) + mean(bids.map((bid) => cost(1 - bid / mid)))
    if (total < best.cost) best = { mid, cost: total }
  }
  return best
}

const withoutOutliers = (prices: ReadonlyArray<number>): ReadonlyArray<number> => {
  const middle = median(prices)
  const deviation = Math.max(median(prices.map((price) => Math.abs(price - middle))), MAD_FLOOR * middle)
  return prices.filter((price) => Math.abs(price - middle) <= MAX_DEVIATION * deviation)
}

/** A side's price from its ads, best first: the mean of those at `DEPTH`. */
const priceOf = (prices: ReadonlyArray<number>): number => {
  const from = Math.floor(prices.length * DEPTH.from)
  return mean(prices.slice(from, Math.min(Math.ceil(prices.length * DEPTH.to), from + DEPTH.most)))
}

/**
 * Both sides' prices. Where the best parts cross, the noise is wider than the spread and the best ads are picked noise:
 * then each side's median over all its ads.
 */
const pricesOf = ({ asks, bids }: Sides): Prices => {
  const crosses = priceOf(asks) < priceOf(bids)
  const buy = crosses ? median(asks) : priceOf(asks)
  const sell = crosses ? median(bids) : priceOf(bids)
  return { buy, sell, mid: (buy + sell) / 2 }
}

const belowFloor = ({ asks, bids }: Sides): boolean => Math.min(asks.length, bids.length) < MIN_PER_SIDE

/** The ads that stay when those that cross the mid and each side's outliers go, the mid being that of those that stay. */
const settle = (sides: Sides): { readonly uncrossed: Sides; readonly kept: Sides } => {
  let { mid } = fit(sides)
  let tolerance = CROSS_TOLERANCE.most
  let uncrossed = sides
  let kept = sides
  for (let round = 0; round < ROUNDS && !belowFloor(kept); round++) {
    uncrossed = {
      asks: sides.asks.filter((price) => price >= mid * (1 - tolerance)),
      bids: sides.bids.filter((price) => price <= mid * (1 + tolerance))
    }
    kept = { asks: withoutOutliers(uncrossed.asks), bids: withoutOutliers(uncrossed.bids) }
    const prices = pricesOf(kept)
    mid = prices.mid
    const halfSpread = Math.max(0, (prices.buy - prices.sell) / 2 / mid)
    tolerance = Math.max(CROSS_TOLERANCE.least, CROSS_TOLERANCE.most - halfSpread)
  }
  return { uncrossed, kept }
}

/** Whether the asks stand where bids should and the other way round, by more than `limit`, a share of the price. */
const isInverted = ({ asks, bids }: Sides, limit: number): boolean =>
  median(asks) < median(bids) * (1 - limit) && fit({ asks: bids, bids: asks }).cost < fit({ asks, bids }).cost

const size = ({ asks, bids }: Sides): number => asks.length + bids.length

/** A venue's buy, sell and mid from its ads of both sides. */
export const estimateBook = (ads: ReadonlyArray<P2pAd>, options: BookOptions): BookEstimate => {
  const adsRejected: Partial<Record<RejectReason, number>> = {}
  const reject = (reason: RejectReason, count: number) => {
    if (count > 0) adsRejected[reason] = (adsRejected[reason] ?? 0) + count
  }
  const checks = rules(ads, options)
  const screened = ads.filter((ad) => {
    const failed = checks.find(([, fails]) => fails(ad))
    if (failed !== undefined) reject(failed[0], 1)
    return failed === undefined
  })
  const sides = { asks: bestPerMerchant(screened, "ask"), bids: bestPerMerchant(screened, "bid") }
  reject("duplicate_merchant", screened.length - size(sides))

  const answer = (used: Sides, reason: BookReason | null, prices?: Prices) => ({
    buy: prices?.buy ?? null,
    sell: prices?.sell ?? null,
    mid: prices?.mid ?? null,
    adsUsed: size(used),
    adsRejected,
    reason,
    asksUsed: used.asks.length,
    bidsUsed: used.bids.length
  })

  if (belowFloor(sides)) return answer(sides, "too_few_ads")
  if (isInverted(sides, MAX_INVERSION)) return answer(sides, "inverted")
  const { uncrossed, kept } = settle(sides)
  reject("crosses_market", size(sides) - size(uncrossed))
  reject("outlier", size(uncrossed) - size(kept))
  if (belowFloor(kept)) return answer(kept, isInverted(sides, MAX_CROSS) ? "inverted" : "too_few_ads")

  const prices = pricesOf(kept)
  const { buy, sell, mid } = prices
  if (buy < sell * (1 - MAX_CROSS)) return answer(kept, "inverted")
  if (((buy - sell) / mid) * 100 > MAX_SPREAD) return answer(kept, "spread_too_wide")
  const { orders, completionRate } = recordsPublished(ads)
  return answer(kept, orders && completionRate ? (buy < sell ? "crossed" : null) : "unverified", prices)
}
