// The street rate of each P2P market and its books: ads at the venues (honest ones, and bait, thin, offline, cash-only
// and newcomers' ads at the head of the page, as in real books) and the order books. Honest prices are derived from
// `p2pMid`, so that tests can compare. Three markets are odd: see `oddities`.
import { Struct } from "effect"
import { p2pMarkets, type P2pMarket } from "../domain/P2pMarket.ts"
import { dayOf, minuteMs } from "./Calendar.ts"
import { currencies, rateAt } from "./Fiats.ts"
import { keyOf, pick, unit, wave } from "./Noise.ts"

/** What the advertiser does: sells USDT (an ask, for customers who buy) or buys it (a bid). */
export type Side = "ask" | "bid"

export type AdKind = "honest" | "bait" | "thin" | "offline" | "cash" | "newcomer"

/** One advertisement. Amounts in USDT, limits in the fiat, the completion as a share of 1. */
export type Ad = ReturnType<typeof ads>[number]

const markets: ReadonlyMap<string, P2pMarket> = new Map(Object.entries(p2pMarkets))

/**
 * What is odd in a market. `thin`: too few honest ads for a rate. `closer`: how much nearer to the mid each side is, as
 * a share of it. `swapped`: the venue that swaps the sides.
 */
const oddities: Readonly<Record<string, { thin?: true; closer?: number; swapped?: string }>> = {
  RWF: { thin: true },
  EGP: { closer: 0.0105 },
  XAF: { closer: -0.012, swapped: "binance" }
}

/** Currencies of markets without a published rate in this world: units per 1 USD around which they move. */
const unpublished: Readonly<Record<string, number>> = { RWF: 1452, ZMW: 22.9, MZN: 64 }

/** The street rate as a multiple of the official one. */
const premiums: Readonly<Record<string, number>> = {
  NGN: 1.02,
  KES: 1.012,
  GHS: 1.045,
  ZAR: 1.004,
  ETB: 1.11,
  BOB: 1.33,
  VES: 1.28,
  CUP: 21
}

/** Whether a venue shows ads in a fiat. Without a built-in market for the fiat, every venue does. */
export const isListed = (venue: string, fiat: string): boolean => {
  const known = markets.get(fiat)
  if (known === undefined) return currencies.includes(fiat)
  return known.venues.some((id) => id === `${venue.toUpperCase()}_P2P`)
}

/** The fiats of a venue's ads. */
export const fiatsAt = (venue: string): ReadonlyArray<string> =>
  [...new Set([...markets.keys(), ...currencies])].filter((fiat) => isListed(venue, fiat))

/** Whether a venue shows bids as asks in a fiat. */
export const isSwapped = (venue: string, fiat: string): boolean => oddities[fiat]?.swapped === venue

/** The naira's keys do not contain its code, because it is older than the other markets. */
const keyIn = (seed: number, fiat: string, ...words: ReadonlyArray<string>): number =>
  fiat === "NGN" ? keyOf(seed, ...words) : keyOf(seed, ...words, fiat)

/** The true mid: what an infinitely deep, honest market would pay for 1 USDT. */
export const p2pMid = (seed: number, fiat: string, at: number): number => {
  const key = keyIn(seed, fiat, "p2p")
  const minute = at / minuteMs
  const premium = (premiums[fiat] ?? 1.015) + 0.005 * wave(key, minute, 2880) + 0.0015 * wave(key ^ 1, minute, 180)
  return (unpublished[fiat] ?? rateAt(seed, fiat, at) ?? 0) * premium
}

/**
 * How much worse than the mid an advertisement is for the customer, as a share of it (`[least, range]`; negative is better), and
 * how many of each kind are at the head of a page; those behind are honest.
 */
const kinds: Readonly<Record<AdKind, { readonly away: readonly [number, number]; readonly count: number }>> = {
  honest: { away: [0.0022, 0.0004], count: 0 },
  bait: { away: [-0.1, -0.01], count: 2 },
  thin: { away: [-0.004, -0.004], count: 2 },
  offline: { away: [-0.006, -0.006], count: 3 },
  cash: { away: [-0.02, -0.01], count: 2 },
  newcomer: { away: [-0.008, -0.004], count: 2 }
}

/** The kinds of the ads at the head of a page, in order. */
const strays = Struct.keys(kinds).flatMap((kind) => Array.from({ length: kinds[kind].count }, () => kind))

const round = (value: number, digits: number): number => Number(value.toFixed(digits))

/** The digits after the point of a price. */
export const digitsOf = (price: number): number => (price < 100 ? 4 : 2)

/** The advertisements of a venue on one side, best price for the customer first. */
export const ads = (seed: number, venue: string, fiat: string, side: Side, at: number) => {
  const { closer = 0, thin } = oddities[fiat] ?? {}
  const key = keyIn(seed, fiat, "ads", venue, side)
  const mid = p2pMid(seed, fiat, Math.floor(at / minuteMs) * minuteMs)
  const day = dayOf(at)
  const count = thin ? strays.length + 2 : 22 + pick(key, day, 16)
  // Naira amounts, scaled by the order that an ad must be able to fill.
  const scale = (markets.get(fiat)?.orderSize ?? 70 * mid) / p2pMarkets.NGN.orderSize
  const money = (naira: number) => round(naira * scale, 2)
  const ad = (slot: number) => {
    const kind = strays[slot] ?? "honest"
    const own = key ^ Math.imul(slot + 1, 0x5bd1e995)
    const [least, range] = kinds[kind].away
    const behind = kind === "honest" ? 0.0007 * (slot - strays.length) : 0
    const away = least + behind - (kind === "honest" ? closer : 0) + range * unit(own, Math.floor(at / (7 * minuteMs)))
    const price = round(mid * (side === "ask" ? 1 + away : 1 - away), digitsOf(mid))
    const isWholesale = kind === "honest" && slot % 6 === 5
    const min = money(
      isWholesale ? 500_000 : kind === "bait" ? 2000 + 500 * pick(own, 1, 25) : 5000 * (1 + pick(own, 2, 12))
    )
    const remaining =
      kind === "bait" || kind === "thin" ? 8 + 30 * unit(own, day) : 900 + 9000 * unit(own, day) + min / price
    const all = money(Math.floor((remaining * price) / money(1000)) * 1000)
    const max = kind === "bait" ? min : Math.max(min, Math.min(money(5_000_000), all))
    return {
      id: 1_000_000 + (own >>> 12),
      kind,
      price,
      remaining: round(remaining, 4),
      min,
      max: kind === "thin" ? money(2_000_000) : max,
      isCash: kind === "cash",
      isOnline: kind !== "offline",
      orders30d: kind === "newcomer" ? pick(own, 4, 12) : 80 + pick(own, 4, 2400),
      completion: kind === "newcomer" ? round(0.5 + 0.3 * unit(own, 5), 2) : round(0.93 + 0.07 * unit(own, 5), 2)
    }
  }
  const sign = side === "ask" ? 1 : -1
  return Array.from({ length: count }, (_, slot) => ad(slot)).sort((a, b) => sign * (a.price - b.price))
}

/**
 * The head of an order book, around the mid and at most 0.15 % off it, with a spread of about 0.4 % (Quidax) or 0.25 % (others).
 * The volume is of 24 hours, in USDT.
 */
export const quote = (seed: number, venue: "quidax" | "luno" | "valr", fiat: string, at: number) => {
  const key = keyIn(seed, fiat, "book", venue)
  const minute = Math.floor(at / minuteMs)
  const middle = p2pMid(seed, fiat, minute * minuteMs) * (1 + 0.0015 * wave(key, minute, 40))
  const half = venue === "quidax" ? 0.002 : 0.00125
  return {
    bid: middle * (1 - half),
    ask: middle * (1 + half),
    last: middle * (1 + half * (2 * unit(key, minute) - 1)),
    volume: (venue === "quidax" ? 50_000 : 650_000) * Math.exp(0.4 * wave(key ^ 1, minute, 720)),
    observedAt: at - pick(key, minute, 3000)
  }
}
