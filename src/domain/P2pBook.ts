// Estimates buy, sell and mid from one venue's P2P ads, or gives the reason why there is no price. The best prices of such a
// book are mostly bait, often beyond the other side. So the estimate first screens each ad, then fits both sides together (an
// honest ask is not below honest bids), then drops the outliers of each side. The caller must drop ads that are too old.
import type { P2pAd } from "./P2pAd.ts"
import type { P2pMarket } from "./P2pMarket.ts"
import { isWithin } from "./Plausibility.ts"

/** Widest plausible spread, percent of mid. Beyond it the two sides do not describe one market. */
const MAX_SPREAD = 15
/** A merchant's ads count if it had at least this many orders and completed at least this percentage of them. */
const MIN_ORDERS = 50
const MIN_COMPLETION = 90
/** A side with fewer merchants gives no price. */
const MIN_PER_SIDE = 3
/** Noise and bait let the sides' medians cross by up to this share of the price. Beyond it the sides are swapped. */
const MAX_INVERSION = 0.01
/** The same limit for the final estimates, after crossing ads were dropped. */
const MAX_CROSS = 0.005
/** An ad is dropped if it crosses the mid by more than this share: `most` minus half the spread, but at least `least`. */
const CROSS_TOLERANCE = { most: 0.004, least: 0.001 }
/** In the fit, an ad has its full cost if it crosses the mid by the first share, or is behind it by the second. */
const CROSSING_SCALE = 0.005
const DISTANCE_SCALE = 0.05
/**
 * An outlier is more than 3 standard deviations behind its side's median; 1.4826 × MAD estimates one. Ads better than the median are
 * only dropped if they cross the mid, because on a thin side the best honest ad is often far from the rest.
 */
const MAX_DEVIATION = 3 * 1.4826
/** The least MAD as a share of the median. Without it the MAD is 0 if most ads of a side have the same price. */
const MAD_FLOOR = 0.002
/**
 * The part of a side that makes its price, from the best ad, as shares of the side's ads. Fractions of an ad count, so of fewer than
 * ten ads the best one still counts in part.
 */
const DEPTH = { from: 0.1, to: 0.6 }
/** The mid no longer changes after this many rounds. */
const ROUNDS = 4

/** Why an ad was rejected: the first reason that applies, in this order. */
export type RejectReason =
  | "wrong_currency"
  | "not_positive"
  | "out_of_range"
  | "not_executable_size"
  | "thin_merchant"
  | "low_completion"
  | "unverified_merchant"
  | "unverified"
  | "cash_only"
  | "no_bank_transfer"
  | "offline"
  | "duplicate_merchant"
  | "crosses_market"
  | "outlier"

/** `crossed` and `unverified` qualify a price. The others explain why there is none. */
export type BookReason = "too_few_ads" | "inverted" | "spread_too_wide" | "crossed" | "unverified"

/** A venue's rate, fiat per USDT from the customer's view. The three prices are null together. */
export interface BookEstimate {
  /** Paid for one USDT. */
  readonly buy: number | null
  /** Received for one USDT. */
  readonly sell: number | null
  readonly mid: number | null
  /** Ads that passed every filter. Used and rejected ads add up to all ads of the venue. */
  readonly adsUsed: number
  readonly adsRejected: Readonly<Partial<Record<RejectReason, number>>>
  readonly reason: BookReason | null
  readonly asksUsed: number
  readonly bidsUsed: number
}

/** A market's rules for ads. */
export type BookRules = Pick<P2pMarket, "fiat" | "orderSize" | "bounds">

/** The mean of the two middle values if their number is even; `NaN` without values. */
export const median = (values: ReadonlyArray<number>): number => {
  const sorted = values.toSorted((a, b) => a - b)
  const half = sorted.length >> 1
  const upper = sorted[half] ?? Number.NaN
  return sorted.length % 2 === 1 ? upper : ((sorted[half - 1] ?? Number.NaN) + upper) / 2
}

const mean = (values: ReadonlyArray<number>): number => values.reduce((sum, value) => sum + value, 0) / values.length

type Rule = readonly [reason: RejectReason, fails: (ad: P2pAd) => boolean]

/** The rules for a single ad; true rejects it. The comparisons also reject `NaN`. */
const rules = (ads: ReadonlyArray<P2pAd>, { bounds, fiat, orderSize }: BookRules): ReadonlyArray<Rule> => {
  const { orders, completionRate } = recordsPublished(ads)
  return [
    ["wrong_currency", (ad) => ad.asset !== "USDT" || ad.fiat !== fiat],
    ["not_positive", (ad) => ![ad.price, ad.available].every((value) => Number.isFinite(value) && value > 0)],
    ["out_of_range", (ad) => !isWithin(ad.price, bounds)],
    [
      "not_executable_size",
      (ad) => !(ad.minAmount <= orderSize && orderSize <= ad.maxAmount && ad.available * ad.price >= orderSize)
    ],
    ["thin_merchant", (ad) => ad.orders !== null && !(ad.orders >= MIN_ORDERS)],
    ["low_completion", (ad) => ad.completionRate !== null && !(ad.completionRate >= MIN_COMPLETION)],
    ["unverified_merchant", (ad) => (orders && ad.orders === null) || (completionRate && ad.completionRate === null)],
    // How it is paid is not known, for example because the names of the venue's payments are missing. It may be cash.
    ["unverified", (ad) => ad.payments.length === 0],
    ["cash_only", (ad) => ad.payments.every((payment) => payment === "cash")],
    ["no_bank_transfer", (ad) => !ad.payments.includes("bank_transfer")],
    ["offline", (ad) => ad.online === false]
  ]
}

/**
 * Which parts of a merchant's record the venue publishes. An ad that lacks a published part is rejected. If the venue does
 * not publish both parts, the whole book is `unverified`.
 */
const recordsPublished = (ads: ReadonlyArray<P2pAd>) => ({
  orders: ads.some((ad) => ad.orders !== null),
  completionRate: ads.some((ad) => ad.completionRate !== null)
})

/** The price of every merchant's best ad, best first. */
const bestPerMerchant = (ads: ReadonlyArray<P2pAd>, side: P2pAd["side"]): ReadonlyArray<number> => {
  const sign = side === "ask" ? 1 : -1
  const seen = new Set<string>()
  return ads
    .filter((ad) => ad.side === side)
    .toSorted((a, b) => sign * (a.price - b.price))
    .filter(({ merchant }) => !seen.has(merchant) && seen.add(merchant))
    .map((ad) => ad.price)
}

export interface Prices {
  readonly buy: number
  readonly sell: number
  readonly mid: number
}

interface Sides {
  readonly asks: ReadonlyArray<number>
  readonly bids: ReadonlyArray<number>
}

/**
 * The cost of an ad for a mid, 0 to 1. `behind`: its distance from the mid, as a share of the mid; negative if it crosses the
 * mid, which costs ten times as much. Capped, so that extreme ads do not weigh more.
 */
const cost = (behind: number): number => Math.min(1, behind < 0 ? -behind / CROSSING_SCALE : behind / DISTANCE_SCALE)

/** The mid with the lowest cost. A cluster of bait asks cannot win, because every honest bid contradicts it. */
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

/** How far behind its median a side's prices may be. */
const reachOf = (prices: ReadonlyArray<number>): { readonly middle: number; readonly most: number } => {
  const middle = median(prices)
  const deviation = Math.max(median(prices.map((price) => Math.abs(price - middle))), MAD_FLOOR * middle)
  return { middle, most: MAX_DEVIATION * deviation }
}

const withoutOutliers = (prices: ReadonlyArray<number>, side: P2pAd["side"]): ReadonlyArray<number> => {
  const { middle, most } = reachOf(prices)
  const sign = side === "ask" ? 1 : -1
  return prices.filter((price) => sign * (price - middle) <= most)
}

/** A side's price from its ads, best first: the mean of those within `DEPTH`, weighted by their share in it. */
const priceOf = (prices: ReadonlyArray<number>): number => {
  const [from, to] = [prices.length * DEPTH.from, prices.length * DEPTH.to]
  const shareOf = (index: number) => Math.max(0, Math.min(index + 1, to) - Math.max(index, from))
  return prices.reduce((sum, price, index) => sum + price * shareOf(index), 0) / (to - from)
}

/**
 * Both sides' prices. If they cross, the noise is wider than the spread, so the price is each side's median over all its ads.
 */
const pricesOf = ({ asks, bids }: Sides): Prices => {
  const crosses = priceOf(asks) < priceOf(bids)
  const buy = crosses ? median(asks) : priceOf(asks)
  const sell = crosses ? median(bids) : priceOf(bids)
  return { buy, sell, mid: (buy + sell) / 2 }
}

const belowFloor = ({ asks, bids }: Sides): boolean => Math.min(asks.length, bids.length) < MIN_PER_SIDE

interface Settled {
  readonly uncrossed: Sides
  readonly kept: Sides
  /** Asks below `ask` and bids above `bid` cross the mid. */
  readonly crossing: { readonly ask: number; readonly bid: number }
}

/** Drops ads that cross the mid and outliers of each side, and recomputes the mid from the rest, several times. */
const settle = (sides: Sides): Settled => {
  let { mid } = fit(sides)
  let tolerance = CROSS_TOLERANCE.most
  let uncrossed = sides
  let kept = sides
  let crossing = { ask: 0, bid: Number.POSITIVE_INFINITY }
  for (let round = 0; round < ROUNDS && !belowFloor(kept); round++) {
    const { ask, bid } = (crossing = { ask: mid * (1 - tolerance), bid: mid * (1 + tolerance) })
    uncrossed = { asks: sides.asks.filter((price) => price >= ask), bids: sides.bids.filter((price) => price <= bid) }
    kept = { asks: withoutOutliers(uncrossed.asks, "ask"), bids: withoutOutliers(uncrossed.bids, "bid") }
    const prices = pricesOf(kept)
    mid = prices.mid
    const halfSpread = Math.max(0, (prices.buy - prices.sell) / 2 / mid)
    tolerance = Math.max(CROSS_TOLERANCE.least, CROSS_TOLERANCE.most - halfSpread)
  }
  return { uncrossed, kept, crossing }
}

/** Whether asks and bids are swapped: they cross by more than the share `limit`, and fit better the other way. */
const isInverted = ({ asks, bids }: Sides, limit: number): boolean =>
  median(asks) < median(bids) * (1 - limit) && fit({ asks: bids, bids: asks }).cost < fit({ asks, bids }).cost

const size = ({ asks, bids }: Sides): number => asks.length + bids.length

export interface JudgedBook {
  readonly estimate: BookEstimate
  /** Whether an ad passes every rule but that on the order size, and its price is as plausible as those of the used ads. */
  readonly admits: (ad: P2pAd) => boolean
}

const admitsNone: JudgedBook["admits"] = () => false

/** Judges the ads of both sides of a venue. */
export const judgeBook = (ads: ReadonlyArray<P2pAd>, market: BookRules): JudgedBook => {
  const adsRejected: Partial<Record<RejectReason, number>> = {}
  const reject = (reason: RejectReason, count: number) => {
    if (count > 0) adsRejected[reason] = (adsRejected[reason] ?? 0) + count
  }
  const checks = rules(ads, market)
  const screened = ads.filter((ad) => {
    const failed = checks.find(([, fails]) => fails(ad))
    if (failed !== undefined) reject(failed[0], 1)
    return failed === undefined
  })
  const sides = { asks: bestPerMerchant(screened, "ask"), bids: bestPerMerchant(screened, "bid") }
  reject("duplicate_merchant", screened.length - size(sides))

  const answer = (used: Sides, reason: BookReason | null, prices?: Prices, admits = admitsNone): JudgedBook => ({
    estimate: {
      buy: prices?.buy ?? null,
      sell: prices?.sell ?? null,
      mid: prices?.mid ?? null,
      adsUsed: size(used),
      adsRejected,
      reason,
      asksUsed: used.asks.length,
      bidsUsed: used.bids.length
    },
    admits
  })

  if (belowFloor(sides)) return answer(sides, "too_few_ads")
  if (isInverted(sides, MAX_INVERSION)) return answer(sides, "inverted")
  const { crossing, kept, uncrossed } = settle(sides)
  reject("crosses_market", size(sides) - size(uncrossed))
  reject("outlier", size(uncrossed) - size(kept))
  if (belowFloor(kept)) return answer(kept, isInverted(sides, MAX_CROSS) ? "inverted" : "too_few_ads")

  const prices = pricesOf(kept)
  const { buy, sell, mid } = prices
  if (buy < sell * (1 - MAX_CROSS)) return answer(kept, "inverted")
  if (((buy - sell) / mid) * 100 > MAX_SPREAD) return answer(kept, "spread_too_wide")
  const { orders, completionRate } = recordsPublished(ads)
  const reason = orders && completionRate ? (buy < sell ? "crossed" : null) : "unverified"
  const [asks, bids] = [reachOf(uncrossed.asks), reachOf(uncrossed.bids)]
  const isPricedAlike = ({ price, side }: P2pAd) =>
    side === "ask"
      ? price >= crossing.ask && price - asks.middle <= asks.most
      : price <= crossing.bid && bids.middle - price <= bids.most
  const ofAnySize = checks.filter(([reason]) => reason !== "not_executable_size")
  const admits = (ad: P2pAd) => isPricedAlike(ad) && ofAnySize.every(([, fails]) => !fails(ad))
  return answer(kept, reason, prices, admits)
}
