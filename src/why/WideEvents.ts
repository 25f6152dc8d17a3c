// Reports about the whole market, or a whole sector, that went the way this coin moved (WHY.md §3.12). A report explains the market if
// its headline says why prices moved, "Crypto prices fall as the Fed …", or is of a kind that moves all prices.
import { rememberEach, rememberOf } from "../domain/rememberEach.ts"
import { readWide, type Reading } from "./EventKind.ts"
import language from "./data/language.json" with { type: "json" }
import { isAboutSector, MASKS, matcher, moveVerbs, reasonAfter, saidIn, withoutQuestion, wording } from "./Lexicon.ts"
import type { Onset } from "./Onset.ts"
import { isJunk } from "./Junk.ts"
import type { PoolItem } from "./Pool.ts"
import { masked } from "./Scanning.ts"
import { hoursAfter, type ScoredReport, timing } from "./Scoring.ts"

const { beside, endings, manners, names, verbs } = language.market
const name = `(?:the |an? )?(?:${names.join("|")}|markets?|prices?)`

const others = `(?:(?:${beside.join("|")})(?:,|,? and| &) )*`

/** Bitcoin, ether or crypto, alone or in a list, also after other markets ("stocks and crypto"): the subject of a sentence on prices. */
const subject = `${others}${name}(?:(?:,? and|,| &|/) ${name})*(?:'s?)?(?: (?:${endings.join("|")}))*`

/** The subject at the start of a clause, or of what a cause did to it ("sends crypto lower"), up to the verb of the price. */
const SUBJECT = new RegExp(
  `(?:^|[:;|!?.] |, |\\b(?:why|${verbs.either.join("|")}) )${subject}(?: (?:${manners.join("|")}))* $`
)

const moving = (list: ReadonlyArray<string>): RegExp =>
  new RegExp(` (?:${list.join("|")})(?: (?:in|on|to))? ${subject}`)

/** "Bitcoin reacts to the jobs report", whichever way. */
const MEETS = new RegExp(`(?:^|[:;|] )${subject} (?:${verbs.meets.join("|")}) (.*)`)

const LIFTS = moving(verbs.up)
const SINKS = moving(verbs.down)

/** What a headline says beside the words that the market moved this way; empty if it has no such words. */
const besideMove = (title: string, sign: number): readonly [before: string, after: string] => {
  for (const [start, end] of moveVerbs(title, sign)) {
    const at = title.slice(0, start).search(SUBJECT)
    // The verb may be one with its reason, "hit by".
    if (at >= 0) return [title.slice(0, at), reasonAfter(title.slice(end - 3)) ?? reasonAfter(title.slice(start)) ?? ""]
  }
  const met = MEETS.exec(title)?.[1]
  if (met !== undefined) return ["", met]
  const at = title.search(sign > 0 ? LIFTS : SINKS)
  return at < 0 ? ["", ""] : ["", `${title.slice(0, at)} . ${reasonAfter(title.slice(at)) ?? ""}`]
}

/** Whether a headline says why the market moved this way. What traders and charts did is no reason. */
const givesReason = (title: string, sign: number): boolean => {
  const [before, after] = namesMarket(title) ? besideMove(title, sign) : ["", ""]
  if (wording.awaits(after)) return false
  return wording.cause(before) || wording.cause(after) || (saidIn(after).length >= 2 && !wording.talk(after))
}

/** Whether a lower-case headline is about crypto at all. */
const namesMarket = matcher(names.map((name) => `\\b${name}\\b`))

/** Whether a report states something that is no rumour, and may be cited. */
const isSound = (entry: PoolItem): boolean => {
  const title = withoutQuestion(entry.title.lower)
  return !(wording.statesNothing(title) || wording.speculation(title) || isJunk(entry))
}

type Weighed = Pick<ScoredReport, "kind" | "score">

/** A report that gives a reason for the prices of bitcoin or of crypto comes before one of an event that moves all of them. */
const WITH_REASON = 0.9
const ALONE = 0.75

/** Whether an event that moves all prices is about the market: one of the economy names no coin, a rule names crypto and no coin. */
const isOfMarket = ({ kind, sign }: Reading, title: string, text: string): boolean => {
  if (kind === "macro") return !namesMarket(title)
  // The fund of one coin moves that coin.
  if (kind === "etf") return namesMarket(title)
  if (kind !== "regulatory" && kind !== "whale") return true
  const isForAll = kind === "whale" || (!text.includes(MASKS.other) && !text.includes(MASKS.exch))
  return (
    sign !== 0 &&
    isForAll &&
    namesMarket(title) &&
    wording.authority(title) &&
    !wording.negation(title) &&
    !wording.asks(title)
  )
}

const weigh = (entry: PoolItem, moveSign: number): Weighed | null => {
  const title = entry.title.lower
  const text = masked(entry.title, "")
  const readings = readWide(text)
  const hasReason = givesReason(title, moveSign)
  if (!(hasReason || readings.length > 0) || !isSound(entry)) return null
  if (hasReason) return { kind: readings[0]?.kind ?? "market", score: WITH_REASON }
  // What a headline says that prices did counts before what such an event usually does.
  const way = namesMarket(title) ? wording.way(title) : 0
  const found = readings.find(
    (reading) => (way === 0 ? reading.sign : way) === moveSign && isOfMarket(reading, title, text)
  )
  return found === undefined ? null : { kind: found.kind, score: ALONE }
}

/** What an item says of the whole market, worked out once for all movers of a run that moved one way (`moveSign`). */
export const wideIn = rememberEach(2, (moveSign: number) => rememberOf((entry: PoolItem) => weigh(entry, moveSign)))

/** The figures already show which way the sector went: a headline need only not deny it. */
const ofSector = (entry: PoolItem, moveSign: number, categories: ReadonlyArray<string>): Weighed | null => {
  const isOnSector = (text: string): boolean => categories.some((category) => isAboutSector(category, text))
  const isOn = isOnSector(entry.title.lower) || isOnSector(entry.summary.lower)
  return isOn && wording.way(entry.title.lower) !== -moveSign && isSound(entry)
    ? { kind: "sector", score: WITH_REASON }
    : null
}

/** Reports on the whole market for this move, and on these categories. */
export const wideReports = (
  items: ReadonlyArray<PoolItem>,
  moveSign: number,
  onset: Onset,
  categories: ReadonlyArray<string>
): ReadonlyArray<ScoredReport> =>
  items.flatMap((entry): ReadonlyArray<ScoredReport> | ScoredReport => {
    const delay = hoursAfter(onset, entry)
    const near = timing(delay)
    const found = near === 0 ? null : (ofSector(entry, moveSign, categories) ?? wideIn(moveSign)(entry))
    return found === null ? [] : { entry, kind: found.kind, score: found.score * near, sign: moveSign, delay }
  })
