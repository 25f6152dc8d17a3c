// Reports about the whole market, or a whole sector, that went the way this coin moved (WHY.md §3.12).
import { rememberEach, rememberOf } from "../domain/rememberEach.ts"
import { type EventKind, readWide, type Reading } from "./EventKind.ts"
import { isAboutSector, MASKS, wording } from "./Lexicon.ts"
import { marketReason, namesMarket } from "./MarketReason.ts"
import type { Onset } from "./Onset.ts"
import { isJunk, type PoolItem } from "./Pool.ts"
import { masked } from "./Scanning.ts"
import { hoursAfter, type ScoredReport, timing } from "./Scoring.ts"
import type { WhyInput } from "./WhyInput.ts"

/** Whether a report states something that is no rumour, and may be cited. */
const isSound = (entry: PoolItem): boolean => {
  const title = entry.title.lower
  return !(wording.statesNothing(title) || wording.speculation(title) || isJunk(entry))
}

interface Weighed {
  readonly kind: EventKind
  readonly weight: number
}

/** A report that gives a reason for the prices of bitcoin or of crypto comes before one of an event that moves all of them. */
const WITH_REASON = 0.9
const ALONE = 0.75

/** No coin is meant. */
const NO_COIN = ""

/** Whether a masked title names another coin or an exchange. */
const namesOne = (text: string): boolean => text.includes(MASKS.other) || text.includes(MASKS.exch)

/** Whether an event that moves all prices is about the market: one of the economy names no coin, any other names crypto or no coin. */
const isOfMarket = ({ kind, sign }: Reading, title: string, text: string): boolean => {
  if (kind === "macro") return !namesMarket(title)
  // A squeeze of one group concerns the market only with an amount.
  if (kind === "liquidations") return wording.amount(title)
  if (kind === "regulatory")
    return sign !== 0 && namesMarket(title) && wording.authority(title) && !namesOne(text) && !wording.negation(title)
  return true
}

const weigh = (entry: PoolItem, moveSign: number): ReadonlyArray<Weighed> => {
  const title = entry.title.lower
  const reason = marketReason(title, moveSign)
  const text = masked(entry.title, NO_COIN)
  const readings = readWide(text)
  if (reason === null && readings.length === 0) return []
  if (!isSound(entry)) return []
  if (reason !== null) {
    const kind = readings[0]?.kind ?? "market"
    return [{ kind, weight: WITH_REASON }]
  }
  // What a headline says that prices did counts before what such an event usually does.
  const way = namesMarket(title) ? wording.way(title) : 0
  return readings
    .filter((reading) => (way === 0 ? reading.sign : way) === moveSign && isOfMarket(reading, title, text))
    .map(({ kind }) => ({ kind, weight: ALONE }))
}

/** What an item says of the whole market, worked out once for all movers of a run that moved one way (`moveSign`). */
export const wideIn = rememberEach(2, (moveSign: number) => rememberOf((entry: PoolItem) => weigh(entry, moveSign)))

/** Reports of a move that are worth more than nothing. */
const reportsIn = (
  items: ReadonlyArray<PoolItem>,
  { move }: WhyInput,
  onset: Onset,
  weigh: (entry: PoolItem, moveSign: number) => ReadonlyArray<Weighed>
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
): ReadonlyArray<ScoredReport> => reportsIn(items, input, onset, (entry, moveSign) => wideIn(moveSign)(entry))

/** Reports on a sector for this move, and on the market. `sector` is the category that explains it, `onset` of the coin's move. */
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
