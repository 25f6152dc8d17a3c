// Reports about the whole market, or a whole sector, that went the way this coin moved.
import { rememberOf } from "../domain/rememberEach.ts"
import { readWide, type Reading } from "./EventKind.ts"
import { type EventKind, isAboutSector, wording } from "./Lexicon.ts"
import type { Onset } from "./Onset.ts"
import { DRIVER_THRESHOLD, hoursAfter, type ScoredReport, timing } from "./Scoring.ts"
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

const ofKind = (kind: EventKind): number => (kind === "market" ? MARKET_ALONE : 1)

/** Reports on the whole market for this move. `onset`: of the market's move. */
export const marketReports = (
  items: ReadonlyArray<PoolItem>,
  { move }: WhyInput,
  onset: Onset
): ReadonlyArray<ScoredReport> => {
  const moveSign = Math.sign(move.changePct)
  return items.flatMap((entry): ReadonlyArray<ScoredReport> => {
    const delay = hoursAfter(onset, entry)
    const when = timing(delay)
    if (when === 0) return []
    const told = wording.way(entry.title.lower)
    return wideIn(entry).flatMap(({ kind, sign, weight }) => {
      const score = weight * ofKind(kind) * when
      // What a title says that prices did counts before what such an event usually does.
      if ((told === 0 ? sign : told) !== moveSign || score < DRIVER_THRESHOLD) return []
      return [{ entry, kind, score, sign: moveSign, delay }]
    })
  })
}

/** Reports on a sector for this move. `sector` is the category that explains it, `onset` of the coin's move. */
export const sectorReports = (
  items: ReadonlyArray<PoolItem>,
  { coin, move }: WhyInput,
  onset: Onset,
  sector: string
): ReadonlyArray<ScoredReport> => {
  const sign = Math.sign(move.changePct)
  const categories = [sector, ...coin.categories]
  const isOnSector = (text: string): boolean => categories.some((category) => isAboutSector(category, text))
  return items.flatMap((entry): ReadonlyArray<ScoredReport> => {
    const title = entry.title.lower
    const delay = hoursAfter(onset, entry)
    const told = wording.way(title)
    // The figures already show which way the sector went: a headline need only not deny it.
    const score = 0.9 * timing(delay) * (told === sign ? 1 : 0.75)
    if (told === -sign || score < DRIVER_THRESHOLD || !(isOnSector(title) || isOnSector(entry.summary.lower))) return []
    return isSound(entry) ? [{ entry, kind: "sector", score, sign, delay }] : []
  })
}
