// Scores one item as the cause of one move: link · kind · timing · direction · wording (WHY.md §3.7). Events are ranked,
// not articles: an item with no recognised event scores nothing.
import type { EvidenceItem } from "../domain/Evidence.ts"
import { rememberEach, rememberOf } from "../domain/rememberEach.ts"
import { type EventKind, has, read, type Reading, statesOnlyPrice } from "./EventKind.ts"
import { isRoutine } from "./Junk.ts"
import { wording } from "./Lexicon.ts"
import { link, type Link } from "./Linking.ts"
import { masked } from "./Scanning.ts"
import type { Onset } from "./Onset.ts"
import { isJunk, type PoolItem } from "./Pool.ts"
import type { WhyInput } from "./WhyInput.ts"

/** An item that scores this much may be a driver. */
export const DRIVER_THRESHOLD = 0.42

/** One reading of one item, scored for one mover. */
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

/** Whether a publisher is the source itself, or of the first rank. */
export const isFirstRank = ({ tier }: EvidenceItem): boolean => tier === "primary" || tier === "tier1"

/** The most movers for which what an item says of them is kept. */
export const MOVERS = 20

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

/** What is left of the score of an event that pushes a coin the other way, and of one that may push it either way. */
const OPPOSED = 0.25
const UNDIRECTED = 0.6

/** One item, judged for one mover. */
export interface ScoredItem {
  readonly entry: PoolItem
  /** Hours after the onset; negative before it. */
  readonly delay: number
  readonly link: Link
  readonly junk: boolean
  /** Its readings; none of what is routine or a rumour. */
  readonly reports: ReadonlyArray<ScoredReport>
}

/** The events of an item for a coin that moved this way. Questions, rumours and weekly notices have none. */
const readFor = (coinId: string, sign: number, entry: PoolItem): ReadonlyArray<Reading> => {
  const { item } = entry
  // A question states nothing.
  const title = masked(entry.title, coinId).replace(/^.*\?(?=\s*\S)/, "")
  if (wording.statesNothing(title) || statesOnlyPrice(title) || wording.speculation(title)) return []
  if (isRoutine(title) || (item.type === "exchange_announcement" && wording.derivative(title))) return []
  // What only the summary says counts from such a publisher alone.
  const isCareful = isFirstRank(item)
  return read(title, isCareful ? masked(entry.summary, coinId) : "", sign, isCareful).filter(
    // Bitcoin moves with the market: one company's own news is not its cause.
    ({ kind }) => !has("wide", kind) && (coinId !== "bitcoin" || kind === "other" || has("ofMarket", kind))
  )
}

const readingsOf = rememberEach(MOVERS, (coinId: string) => ({
  up: rememberOf((entry: PoolItem) => readFor(coinId, 1, entry)),
  down: rememberOf((entry: PoolItem) => readFor(coinId, -1, entry))
}))

/** Scores one item for one mover. Only an item that is linked to it and in time is read. */
export const scoreItem = (
  entry: PoolItem,
  { coin, move }: Pick<WhyInput, "coin" | "move">,
  onset: Onset
): ScoredItem => {
  const found = link(entry, coin)
  const delay = hoursAfter(onset, entry)
  const near = timing(delay, entry.item.precision === "day")
  const junk = found.strength > 0 && isJunk(entry)
  const moveSign = Math.sign(move.changePct)
  if (junk || near === 0 || found.strength === 0) return { entry, delay, link: found, junk, reports: [] }
  const { down, up } = readingsOf(coin.id)
  const reports = (moveSign < 0 ? down : up)(entry)
    .filter(({ kind }) => !found.venueOnly || has("venue", kind))
    .map(({ kind, sign, weight }) => {
      const fit = sign === moveSign ? 1 : sign === 0 ? UNDIRECTED : OPPOSED
      const score = found.strength * weight * near * fit
      return { entry, kind, score, sign: sign === 0 ? moveSign : sign, delay }
    })
  return { entry, delay, link: found, junk, reports }
}
