// Reports about the whole market, or a whole sector, that went the way this coin moved.
import { rememberOf } from "../domain/rememberEach.ts"
import { readWide, type Reading } from "./EventKind.ts"
import { isAboutSector, wording } from "./Lexicon.ts"
import type { Onset } from "./Onset.ts"
import { hoursAfter, type ScoredReport, timing } from "./Scoring.ts"
import { isJunk, type PoolItem } from "./Pool.ts"
import type { WhyInput } from "./WhyInput.ts"

/**
 * What an item says of the whole market: a macroeconomic report, a wave of liquidations, exchange-traded products, or only
 * which way it went. One company's own news is none of these. It is worked out once for all movers of a run.
 */
export const wideIn = rememberOf((entry: PoolItem): ReadonlyArray<Reading> => {
  const title = entry.title.lower
  const found = MAY_BE_WIDE.test(title) ? readWide(title) : []
  return found.length > 0 && isSound(entry) ? found : []
})

/** Whether a report states something that is no rumour, and may be cited. */
const isSound = (entry: PoolItem): boolean => {
  const title = entry.title.lower
  return !(wording.statesNothing(title) || wording.speculation(title) || isJunk(entry))
}

/** What a title has that tells of the market, or of what moves all of it. */
const MAY_BE_WIDE =
  /bitcoin|btc|ether|crypto|digital asset|coins?\b|alts|majors|tether|usdt|stock|equit|wall street|market|asset|s&p|nasdaq|nikkei|futures|fed|fomc|powell|tariff|inflation|cpi|rate|yield|bank|boj|war|iran|israel|ukraine|china|trump|house|liquidat|prices|treasur|bond|duty|levy|levies|ceasefire|truce|short|long|leverag|trade|oil|missile|strait/

/** What is left of a report that only says that the market moved: it is no reason for it. */
const MARKET_ALONE = 0.6

/** Reports of a move that are worth more than nothing. `weigh`: what an item says, of which kind, and how much that is worth. */
const reportsIn = (
  items: ReadonlyArray<PoolItem>,
  { move }: WhyInput,
  onset: Onset,
  weigh: (entry: PoolItem, moveSign: number) => ReadonlyArray<Pick<ScoredReport, "kind"> & { readonly weight: number }>
): ReadonlyArray<ScoredReport> => {
  const sign = Math.sign(move.changePct)
  return items.flatMap((entry): ReadonlyArray<ScoredReport> => {
    const delay = hoursAfter(onset, entry)
    const near = timing(delay)
    return near === 0
      ? []
      : weigh(entry, sign).map(({ kind, weight }) => ({ entry, kind, score: weight * near, sign, delay }))
  })
}

/** Reports on the whole market for this move. `onset`: of the market's move. */
export const marketReports = (
  items: ReadonlyArray<PoolItem>,
  input: WhyInput,
  onset: Onset
): ReadonlyArray<ScoredReport> =>
  reportsIn(items, input, onset, (entry, moveSign) => {
    // What a title says that prices did counts before what such an event usually does.
    const way = wording.way(entry.title.lower)
    return wideIn(entry)
      .filter(({ sign }) => (way === 0 ? sign : way) === moveSign)
      .map(({ kind, weight }) => ({ kind, weight: weight * (kind === "market" ? MARKET_ALONE : 1) }))
  })

/** Reports on a sector for this move. `sector` is the category that explains it, `onset` of the coin's move. */
export const sectorReports = (
  items: ReadonlyArray<PoolItem>,
  input: WhyInput,
  onset: Onset,
  sector: string
): ReadonlyArray<ScoredReport> => {
  const categories = [sector, ...input.coin.categories]
  const isOnSector = (text: string): boolean => categories.some((category) => isAboutSector(category, text))
  return reportsIn(items, input, onset, (entry, moveSign) => {
    const way = wording.way(entry.title.lower)
    // The figures already show which way the sector went: a headline need only not deny it.
    if (way === -moveSign || !(isOnSector(entry.title.lower) || isOnSector(entry.summary.lower))) return []
    return isSound(entry) ? [{ kind: "sector", weight: way === moveSign ? 0.9 : 0.675 }] : []
  })
}
