// Decides whose move it was (WHY.md §3.2). Market and sector come first; they yield only to a strong event of the coin
// where a good part of the move is left over.
import type { Verdict } from "./Explanation.ts"
import { type Decomposition, isMarketWide, isSectorWide } from "./Decomposition.ts"

/** The verdict. Scores are those of the best event of each kind, 0 where there is none. */
export const verdictOf = (
  parts: Decomposition,
  best: { readonly coin: number; readonly market: number; readonly sector: number }
): Verdict => {
  const yields = best.coin > 0.8 && parts.shareCoin > 0.35
  if (isMarketWide(parts) && !yields) return "market_wide"
  if (isSectorWide(parts) && !yields && !(best.coin > 0 && parts.shareSector < 0.35)) return "sector"
  if (best.coin > 0) return "coin_specific"
  // Below those limits the figures decide only together with a report.
  if (best.market > 0 && Math.abs(parts.market) >= 3 && parts.shareMarket >= 0.45) return "market_wide"
  if (best.sector > 0 && Math.abs(parts.sector) >= 2 && parts.shareMarket + parts.shareSector >= 0.55) return "sector"
  return "unexplained"
}
