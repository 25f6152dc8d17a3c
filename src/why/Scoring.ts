// Scores one item as the cause of one move: link · kind · timing · direction (WHY.md §3.7). Events are ranked, not articles: an item
// with no recognised event scores nothing.
import type { EvidenceItem } from "../domain/Evidence.ts"
import { rememberEach, rememberOf } from "../domain/rememberEach.ts"
import { type EventKind, has, read, type Reading } from "./EventKind.ts"
import { isJunk, isRoutine } from "./Junk.ts"
import { withoutQuestion, wording } from "./Lexicon.ts"
import { linkStrength } from "./Linking.ts"
import { masked } from "./Scanning.ts"
import type { Onset } from "./Onset.ts"
import type { PoolItem } from "./Pool.ts"
import type { WhyInput } from "./RunFacts.ts"

/** An item that scores this much may be a driver. */
export const DRIVER_THRESHOLD = 0.42

/** An item read as the report of an event, scored for one mover. */
export interface ScoredReport {
  readonly entry: PoolItem
  readonly kind: EventKind
  /** 0 to 1. */
  readonly score: number
  /** Which way such an event pushes: 1 up, -1 down. */
  readonly sign: number
  /** Hours after the onset; negative before it. */
  readonly delay: number
}

export interface ScoredItem {
  readonly entry: PoolItem
  /** How surely it is about the coin, 0 to 1. */
  readonly link: number
  readonly junk: boolean
  /** `null` for an item that is too early, routine or a rumour, or reports no event. */
  readonly report: ScoredReport | null
}

/** Whether a publisher is the source itself, or of the first rank. */
export const isFirstRank = ({ tier }: EvidenceItem): boolean => tier === "primary" || tier === "tier1"

/** Hours from the onset to an item; negative before it. */
export const hoursAfter = (onset: Onset, { at }: PoolItem): number => (at - onset.at) / 3_600_000

/**
 * How well a time fits: 1 from three hours before the onset until now, half from eight hours before it, else 0. Where only
 * the day of a report is known it may be a day earlier.
 */
export const timing = (delayHours: number, isDay = false): number => {
  const latest = delayHours + (isDay ? 24 : 0)
  return latest >= -3 ? 1 : latest >= -8 ? 0.5 : 0
}

/** The event of an item for a coin that moved this way. Questions, rumours and weekly notices have none. */
const readFor = (coinId: string, sign: number, entry: PoolItem): Reading | null => {
  const { item } = entry
  // A question states nothing.
  const title = withoutQuestion(masked(entry.title, coinId))
  if (wording.statesNothing(title) || wording.speculation(title)) return null
  if (item.type === "exchange_announcement" && wording.derivative(title)) return null
  // What only the summary says counts from such a publisher alone.
  const found = read(title, isFirstRank(item) ? masked(entry.summary, coinId) : "", sign)
  if (found === null || (isRoutine(title) && !has("grave", found.kind))) return null
  // Bitcoin moves with the market: one company's own news is not its cause.
  return coinId === "bitcoin" && found.kind !== "other" && !has("ofMarket", found.kind) ? null : found
}

/** Readings by coin, for the movers of some runs. */
const readings = rememberEach(20, (coinId: string) =>
  rememberEach(2, (sign: number) => rememberOf((entry: PoolItem) => readFor(coinId, sign, entry)))
)

/** Scores one item for one mover. Only an item that is linked to it and in time is read. */
export const scoreItem = (
  entry: PoolItem,
  { coin, move }: Pick<WhyInput, "coin" | "move">,
  onset: Onset
): ScoredItem => {
  const link = linkStrength(entry, coin)
  const junk = link > 0 && isJunk(entry)
  const delay = hoursAfter(onset, entry)
  const near = timing(delay, entry.item.precision === "day")
  const moveSign = Math.sign(move.changePct)
  const found = junk || near === 0 || link === 0 ? null : readings(coin.id)(moveSign)(entry)
  if (found === null) return { entry, link, junk, report: null }
  const sign = found.sign === 0 ? moveSign : found.sign
  // Less is left for an event that may push either way, and little for one that pushes the other way.
  const fit = found.sign === 0 ? 0.6 : sign === moveSign ? 1 : 0.25
  return {
    entry,
    link,
    junk,
    report: { entry, kind: found.kind, score: link * found.weight * near * fit, sign, delay }
  }
}
