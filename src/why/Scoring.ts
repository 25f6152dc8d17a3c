// Scores one item as the cause of one move: link · kind · tier · timing · direction · wording (WHY.md §3.7). Events are
// ranked, not articles: an item with no recognised event scores nothing.
import type { EvidenceItem, EvidenceTier } from "../domain/Evidence.ts"
import { rememberEach, rememberOf } from "../domain/rememberEach.ts"
import { read, statesOnlyPrice } from "./EventKind.ts"
import { isRoutine } from "./Junk.ts"
import { type EventKind, has, wording } from "./Lexicon.ts"
import { link, type Link } from "./Linking.ts"
import { afterQuestion, isDerivative } from "./Statement.ts"
import { masked } from "./Scanning.ts"
import type { Onset } from "./Onset.ts"
import { isInjected, junkIn, type PoolItem } from "./Pool.ts"
import type { WhyInput } from "./WhyInput.ts"
import { movesMarket } from "./WideReading.ts"

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
  /** Whether the title names both the coin and the event. */
  readonly inTitle: boolean
  readonly speculative: boolean
}

/** How much the word of a publisher weighs. */
export const tierWeight: Readonly<Record<EvidenceTier, number>> = { primary: 1.05, tier1: 1, tier2: 0.8, tier3: 0.6 }

/** Whether a publisher is the source itself, or of the first rank. */
export const isFirstRank = ({ tier }: EvidenceItem): boolean => tier === "primary" || tier === "tier1"

/** The most movers for which what an item says of them is kept. */
export const MOVERS = 20

/** Hours from the onset to an item; negative before it. */
export const hoursAfter = (onset: Onset, { at }: PoolItem): number => (at - onset.at) / 3_600_000

/** Whether a kind is never a coin's own event. */
export const isWide = (kind: EventKind): boolean => has("wide", kind)

/** From when its source itself may announce an event that is scheduled, in hours before the onset. */
const SCHEDULED_BEFORE = 72

/**
 * How well a time fits: 1 from six hours before the onset until now, half from fourteen hours before it, else 0. Where only
 * the day of a report is known it may be a day earlier.
 */
export const timing = (delayHours: number, isDay = false): number => {
  const latest = delayHours + (isDay ? 24 : 0)
  return latest >= -6 ? 1 : latest >= -14 ? 0.5 : 0
}

/** What is left of the score of a kind that usually moves a coin the other way. */
export const OPPOSED = 0.25

const directionFactor = (sign: number, moveSign: number, title: string): number => {
  const told = wording.coinWay(title)
  if (told !== 0 && told !== moveSign) return 0.3 * (sign === moveSign ? 1 : 0.5)
  // The headline itself ties the event to a move this way, whatever such events usually do.
  if (told === moveSign && wording.link(title) && !wording.despite(title)) return 1
  if (sign === 0) return 0.75
  return sign === moveSign ? 1 : OPPOSED
}

const linkFactor = (found: Link, kind: EventKind, inTitle: boolean): number => {
  if (found.venueOnly) return has("venue", kind) && !found.otherLeads && !found.list ? found.strength : 0
  const row = found.list && has("row", kind)
  const led = found.otherLeads && !row ? (kind === "other" ? 0.4 : 0.8) : 1
  const passing = found.aside ? 0.4 : !found.inTitle && !has("inSummary", kind) ? 0.75 : 1
  // The coin only in the summary and the event too: two weak signs are one.
  const faint = !found.inTitle && !inTitle ? 0.7 : 1
  return found.strength * led * (row ? 0.8 : 1) * faint * passing
}

const wordingFactor = (title: string, summary: string): number => {
  const question = wording.question(afterQuestion(title)) ? 0.2 : 1
  const past = wording.retrospective(title) ? 0.1 : 1
  const opinion = wording.opinion(title) ? 0.4 : 1
  const rumour = wording.speculation(title) ? 0.35 : wording.speculation(summary) ? 0.4 : 1
  return question * past * opinion * rumour
}

/** One item, judged for one mover. */
export interface ScoredItem {
  readonly entry: PoolItem
  /** Hours after the onset; negative before it. */
  readonly delay: number
  readonly link: Link
  readonly junk: boolean
  readonly routine: boolean
  /** Its readings that score above 0. */
  readonly reports: ReadonlyArray<ScoredReport>
}

/** What an item says of a coin that moved this way; `null` where it tells of no event. */
const readFor = (coinId: string, sign: number, entry: PoolItem) => {
  const { item } = entry
  const title = masked(entry.title, coinId)
  const summary = masked(entry.summary, coinId)
  // A question states nothing.
  const stated = afterQuestion(title)
  if (statesOnlyPrice(stated)) return null
  const readings = read(stated, summary, item.tier === "tier3" ? 0 : sign, isFirstRank(item)).filter(
    ({ kind }) => !isWide(kind) && (coinId !== "bitcoin" || movesMarket(kind, entry.title.lower))
  )
  if (readings.length === 0) return null
  return {
    title,
    summary,
    routine: isRoutine(title, summary) || (item.type === "exchange_announcement" && isDerivative(title)),
    said: wordingFactor(title, summary),
    readings
  }
}

const readingsOf = rememberEach(MOVERS, (coinId: string) => ({
  up: rememberOf((entry: PoolItem) => readFor(coinId, 1, entry)),
  down: rememberOf((entry: PoolItem) => readFor(coinId, -1, entry))
}))

const routineFactor = (kind: EventKind, big: boolean): number => (has("hard", kind) ? 0.4 : big ? 0.7 : 0.3)

/** The least score that an explanation takes notice of: such a report may contradict another. */
export const LEAST_SCORE = 0.2

/** Scores one item for one mover. It is read where its time and its link let it reach the {@link LEAST_SCORE}. */
export const scoreItem = (
  entry: PoolItem,
  input: WhyInput,
  onset: Onset,
  found: Link = link(entry, input.coin)
): ScoredItem => {
  const { coin, move } = input
  const { precision, tier } = entry.item
  const delay = hoursAfter(onset, entry)
  const junk = found.strength > 0 && ((delay >= -72 && junkIn(entry) !== null) || isInjected(entry))
  const none = { entry, delay, link: found, junk, routine: false, reports: [] }
  const near = timing(delay, precision === "day")
  const isAnnounced = tier === "primary" && delay >= -SCHEDULED_BEFORE
  if (junk || (near === 0 && !isAnnounced) || found.strength * tierWeight[tier] < LEAST_SCORE) return none
  const moveSign = Math.sign(move.changePct)
  const told = readingsOf(coin.id)[moveSign < 0 ? "down" : "up"](entry)
  if (told === null) return none
  const { readings, routine, said, summary, title } = told
  const reports = readings.flatMap((reading): ReadonlyArray<ScoredReport> => {
    const score =
      linkFactor(found, reading.kind, reading.inTitle) *
      reading.weight *
      tierWeight[tier] *
      (isAnnounced && has("scheduled", reading.kind) ? Math.max(near, 0.6) : near) *
      directionFactor(reading.sign, moveSign, title) *
      said *
      (routine ? routineFactor(reading.kind, wording.big(`${title} . ${summary}`)) : 1)
    return score <= 0
      ? []
      : [
          {
            entry,
            kind: reading.kind,
            score: Math.min(1, score),
            sign: reading.sign === 0 ? moveSign : reading.sign,
            delay,
            inTitle: reading.inTitle && found.inTitle,
            speculative: said <= 0.4
          }
        ]
  })
  return { ...none, routine, reports }
}
