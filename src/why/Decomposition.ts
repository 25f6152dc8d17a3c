// Splits a move into the market's part, the sector's part and the rest (WHY.md §3.2), in percentage points, and decides
// whose move it was. The median and the sector leave the coin out: one large coin would else explain itself.
import type { Verdict } from "../domain/Explanation.ts"
import type { MarketContext } from "./MarketFacts.ts"

/** The parts of a move, and their shares of it, 0 to 1. */
export interface Decomposition {
  readonly market: number
  readonly sector: number
  readonly coin: number
  readonly beta: number
  readonly sectorId: string | null
  readonly shareMarket: number
  readonly shareSector: number
  readonly shareCoin: number
}

const clamp = (value: number, low: number, high: number): number => Math.min(high, Math.max(low, value))

/** The estimate drawn a third of the way to 1.1, since betas of coins are noisy; 1.1 where there is none. */
const shrunkBeta = (estimate: number | null): number =>
  estimate === null || !Number.isFinite(estimate) ? 1.1 : clamp(0.67 * estimate + 0.33 * 1.1, 0.3, 2.5)

/** Splits a move of `changePct` percent. A market that went the other way adds to the coin's own part. */
export const decompose = (coinId: string, changePct: number, context: MarketContext): Decomposition => {
  const beta = shrunkBeta(context.betaVsBtc)
  const byBeta = coinId === "bitcoin" || context.btcChange24h === null ? null : beta * context.btcChange24h
  const byMedian = context.top100MedianChange24h
  const market = ((byBeta ?? byMedian ?? 0) + (byMedian ?? byBeta ?? 0)) / 2
  const rest = changePct - market
  const sign = Math.sign(changePct)
  const strongest = context.sectors
    .filter((sector) => sector.members === null || sector.members >= 4)
    .map((sector) => ({ id: sector.id, part: sector.change24h - market }))
    .filter((sector) => sector.part * sign > 0)
    .toSorted((a, b) => Math.abs(b.part) - Math.abs(a.part) || (a.id < b.id ? -1 : 1))[0]
  const room = rest * sign > 0 ? Math.abs(rest) : 0
  const sector = strongest === undefined ? 0 : sign * Math.min(Math.abs(strongest.part), room)
  const coin = rest - sector
  const share = (part: number): number => (changePct === 0 ? 0 : clamp(part / changePct, 0, 1))
  return {
    market,
    sector,
    coin,
    beta,
    sectorId: sector === 0 ? null : (strongest?.id ?? null),
    shareMarket: share(market),
    shareSector: share(sector),
    shareCoin: share(coin)
  }
}

/** Whether the market's part is large enough to explain the move. */
export const isMarketWide = (parts: Decomposition): boolean => Math.abs(parts.market) >= 3 && parts.shareMarket >= 0.55

/** Whether the sector's part is, together with the market's. */
export const isSectorWide = (parts: Decomposition): boolean =>
  Math.abs(parts.sector) >= 2 && parts.shareMarket + parts.shareSector >= 0.7

/** What a report scores, and the coin's own part of the move, from which the market and the sector yield to it (WHY.md §3.2). */
const STRONG = { score: 0.8, share: 0.35 }

/** Whose move it was: the market's or the sector's by the figures, else the coin's by a report. `score`: the best report's; 0 without. */
export const verdictOf = (parts: Decomposition, score: number): Verdict => {
  const isOwn = score > STRONG.score && parts.shareCoin > STRONG.share
  if (!isOwn && isMarketWide(parts)) return "market_wide"
  if (!isOwn && isSectorWide(parts)) return "sector"
  return score > 0 ? "coin_specific" : "unexplained"
}
