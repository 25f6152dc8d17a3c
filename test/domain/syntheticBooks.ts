// Books of P2P ads whose true mid is known: honest ads of several shapes, and the adversaries that live books show.
// Everything comes from the seed. Tests and benchmarks only.
import type { P2pAd } from "../../src/domain/P2pAd.ts"
import { type BookEstimate, type BookRules, judgeBook } from "../../src/domain/P2pBook.ts"

export const estimateBook = (ads: ReadonlyArray<P2pAd>, market: BookRules): BookEstimate =>
  judgeBook(ads, market).estimate

/** Mulberry32: uniform numbers in [0, 1) from a 32-bit seed. */
export const mulberry32 = (seed: number) => {
  let state = seed
  return (): number => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
  }
}

/** A good ad that fills `ORDER_SIZE`; tests change what they are about. */
export const goodAd = (fields: Partial<P2pAd> & Pick<P2pAd, "side" | "price" | "merchant">): P2pAd => ({
  asset: "USDT",
  fiat: "NGN",
  available: 5000,
  minAmount: 10_000,
  maxAmount: 2_000_000,
  orders: 500,
  completionRate: 98,
  payments: ["bank_transfer"],
  online: true,
  ...fields
})

export interface SyntheticBook {
  readonly ads: ReadonlyArray<P2pAd>
  /** The true mid, NGN per USDT. */
  readonly mid: number
  /** The official rate beside it. */
  readonly reference: number
}

/** How far behind the best honest price an ad stands, as a share of the mid. `depth` is the width of the side. */
const shapes: ReadonlyArray<(random: () => number, depth: number) => number> = [
  (random, depth) => depth * random(),
  (random, depth) => (-depth / 4) * Math.log(1 - random()),
  (random, depth) => (random() < 0.7 ? depth * 0.1 * random() : depth * random()),
  (random, depth) => (depth / 4) * (random() + random() + random() + random() - 2)
]

/** A book with `honest` ads a side (5 to 60 where not given) and, unless told, a random crowd of adversaries. */
export const syntheticBook = (
  seed: number,
  { honest, adversaries = true }: { readonly honest?: number; readonly adversaries?: boolean } = {}
): SyntheticBook => {
  const random = mulberry32(seed)
  const between = (low: number, high: number) => low + (high - low) * random()
  const whole = (low: number, high: number) => Math.floor(between(low, high + 1))
  const pick = <A>(first: A, ...rest: ReadonlyArray<A>): A => rest[whole(0, rest.length) - 1] ?? first

  const mid = between(700, 2500)
  const spread = between(0.001, pick(0.005, 0.01, 0.02))
  const depth = between(0.003, 0.015)
  const shape = pick(shapes[0], ...shapes.slice(1)) ?? ((random, depth) => depth * random())
  const tick = pick(0.01, 0.1, 0.5, 1)
  const ads: Array<P2pAd> = []

  /** `behind` is the distance from the mid on the ad's own side, as a share of it; negative is across. */
  const add = (side: P2pAd["side"], behind: number, fields: Partial<P2pAd> = {}) => {
    const price = Math.round((mid * (1 + (side === "ask" ? behind : -behind))) / tick) * tick
    const ad = goodAd({
      side,
      price,
      merchant: `m${ads.length}`,
      available: between(300, 40_000),
      minAmount: pick(1000, 5000, 20_000, 100_000),
      maxAmount: pick(100_000, 500_000, 5_000_000),
      orders: whole(50, 5000),
      completionRate: between(90, 100),
      payments: pick<P2pAd["payments"]>(
        ["bank_transfer"],
        ["bank_transfer", "other"],
        ["cash", "bank_transfer"],
        ["bank_transfer"]
      ),
      online: pick<boolean | null>(true, true, null),
      ...fields
    })
    ads.push({ ...ad, available: Math.max(ad.available, fields.available ?? 100_000 / price + 1) })
  }

  const asks = honest ?? whole(5, 60)
  const bids = honest ?? whole(5, 60)
  for (let i = 0; i < asks; i++) add("ask", spread / 2 + shape(random, depth))
  for (let i = 0; i < bids; i++) add("bid", spread / 2 + shape(random, depth))

  if (adversaries) {
    const excellent = { orders: 9000, completionRate: 100, available: 200_000, maxAmount: 50_000_000 }
    const side = () => pick<P2pAd["side"]>("ask", "bid")
    const times = (most: number, ad: () => void) => Array.from({ length: whole(0, most) }).forEach(ad)
    const better = () => -between(0.01, 0.08)

    // Up to 40 % of a side, as one cluster with perfect records, 1 to 8 % better than the market.
    const baited = side()
    const bait = better()
    const most = Math.floor(((baited === "ask" ? asks : bids) * 2) / 3)
    Array.from({ length: Math.min(whole(0, 5), most) }).forEach(() =>
      add(baited, spread / 2 + bait * between(0.97, 1.03), excellent)
    )
    times(4, () => add(side(), better() * 2, { ...excellent, minAmount: 2090, maxAmount: 2090, available: 40 }))
    times(1, () => add(side(), pick(-0.3, -0.2, 0.2, 0.4), excellent))
    times(4, () => add(side(), better(), { orders: whole(0, 49) }))
    times(3, () => add(side(), better(), { completionRate: between(0, 89) }))
    times(3, () => add(side(), better(), { orders: null, completionRate: null }))
    times(3, () => add(side(), better(), { online: false }))
    times(3, () => add(side(), better(), { payments: ["cash"] }))
    times(3, () => add(side(), between(-0.4, 0.4), pick({ fiat: "KES" }, { asset: "BTC" })))
    times(2, () => add(side(), -spread / 2 - shape(random, depth)))
    times(2, () => add(side(), pick(-1, 1) * between(0.01, 0.04)))
    times(2, () => add(side(), 0, pick({ price: 0 }, { price: Number.NaN }, { available: Number.POSITIVE_INFINITY })))
    const flooded = whole(0, ads.length - 1)
    times(6, () => {
      const ad = ads[flooded]
      if (ad !== undefined) ads.push({ ...ad })
    })
  }
  return {
    ads: ads
      .map((ad) => [random(), ad] as const)
      .toSorted(([a], [b]) => a - b)
      .map(([, ad]) => ad),
    mid,
    reference: mid / between(0.97, 1.12)
  }
}
