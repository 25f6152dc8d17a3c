// Scores reports about the whole market, or a whole sector, that went the way this coin moved. They depend on the coin
// only in that a word that is also its name must not be taken for the market.
import { isCoin } from "./Scanning.ts"
import { type EventKind, isAboutSector, matcher, ruleOf, wording } from "./Lexicon.ts"
import type { Onset } from "./Onset.ts"
import { DRIVER_THRESHOLD, hoursAfter, type ScoredReport, tierWeight, timing } from "./Scoring.ts"
import { isEveryWeek, junkIn, type PoolItem, wideIn } from "./Pool.ts"
import type { WhyInput } from "./WhyInput.ts"

const namesCrypto = matcher(["\\b(?:bitcoin|btc|ether|crypto\\w*|altcoins?)\\b"])

const agreement = (kind: EventKind, sign: number, moveSign: number, title: string): number => {
  const rule = ruleOf(kind)
  // Falling inflation lifts prices: the meaning of a macro report counts before the direction of its figures.
  const meant = rule?.upFirst(title) === true ? 1 : rule?.downFirst(title) === true ? -1 : 0
  if (kind === "macro" && meant !== 0 && !namesCrypto(title)) return meant === moveSign ? 1 : 0.2
  const told = toldOf(title)
  if (told !== 0) return told === moveSign ? 1 : 0.2
  if (sign === 0) return 0.45
  return sign === moveSign ? 1 : 0.2
}

const DEFIES = /\b(?:def(?:y|ies|ied|ying)|buck(?:s|ed|ing)?|shrug(?:s|ged|ging)? off)\b(.*)$/
const ASIDE = /\b(?:despite|while|whereas|even as|even though|but)\b.*$/

/**
 * Which way a headline says its subject went. What it defies went the other way; what follows "despite" or "while" says
 * nothing of it.
 */
const toldOf = (title: string): number => {
  const defied = DEFIES.exec(title)?.[1]
  return defied === undefined ? wording.way(title.replace(ASIDE, "")) || wording.way(title) : -wording.way(defied)
}

const kindOrder = (kind: EventKind): number => (kind === "market" ? 0.6 : kind === "liquidations" ? 0.95 : 1)

const reportOf = (
  entry: PoolItem,
  fields: Pick<ScoredReport, "kind" | "score" | "sign" | "delay" | "inTitle">
): ScoredReport => ({
  ...fields,
  entry,
  score: Math.min(1, fields.score),
  speculative: wording.speculation(entry.title.lower)
})

/** Reports on the whole market for this move. `isOut`: of no item that it tells. `onset`: of the market's move. */
export const marketReports = (
  items: ReadonlyArray<PoolItem>,
  isOut: (entry: PoolItem) => boolean,
  { move }: WhyInput,
  onset: Onset
): ReadonlyArray<ScoredReport> => {
  const moveSign = Math.sign(move.changePct)
  return items.flatMap((entry): ReadonlyArray<ScoredReport> => {
    const title = entry.title
    const delay = hoursAfter(onset, entry)
    const when = timing(delay)
    if (when === 0) return []
    const altcoin = title.names.some(({ value }) => isCoin(value) && !value.ambiguous && !MAJORS.has(value.coinId))
    return wideIn(entry).flatMap(({ kind, sign, weight }) => {
      const score =
        Math.max(0.9, weight) *
        kindOrder(kind) *
        tierWeight[entry.item.tier] *
        when *
        agreement(kind, sign, moveSign, title.lower) *
        (altcoin && !wideAnyway(title.lower) ? 0.3 : 1)
      if (score < DRIVER_THRESHOLD || isOut(entry)) return []
      return [reportOf(entry, { kind, score, sign: moveSign, delay, inTitle: true })]
    })
  })
}

const MAJORS: ReadonlySet<string> = new Set(["bitcoin", "ethereum", "tether"])

const wideAnyway = matcher(["\\b(?:bitcoin|btc|crypto|cryptocurrencies|altcoins?|majors|markets?)\\b"])

/** The figures already show which way the sector went: a headline need only not deny it. */
const sectorAgreement = (title: string, moveSign: number): number => {
  const told = toldOf(title)
  return told === moveSign ? 1 : told === 0 ? 0.75 : 0.2
}

/** Reports on a sector for this move. `sector` is the category that explains it, `onset` of the coin's move. */
export const sectorReports = (
  items: ReadonlyArray<PoolItem>,
  isOut: (entry: PoolItem) => boolean,
  { coin, move }: WhyInput,
  onset: Onset,
  sector: string
): ReadonlyArray<ScoredReport> => {
  const sign = Math.sign(move.changePct)
  const categories = [sector, ...coin.categories]
  return items.flatMap((entry): ReadonlyArray<ScoredReport> => {
    const plain = entry.title.lower
    const delay = hoursAfter(onset, entry)
    const most = tierWeight[entry.item.tier] * timing(delay)
    if (most < DRIVER_THRESHOLD) return []
    const isOnSector = (text: string): boolean => categories.some((category) => isAboutSector(category, text))
    const inTitle = isOnSector(plain)
    if (!inTitle && !isOnSector(entry.summary.lower)) return []
    const score = (inTitle ? 0.9 : 0.6) * most * sectorAgreement(plain, sign)
    if (score < DRIVER_THRESHOLD || junkIn(entry) !== null || isEveryWeek(entry) || isOut(entry)) return []
    if (wording.question(plain) || wording.retrospective(plain) || wording.opinion(plain)) return []
    return [reportOf(entry, { kind: "sector", score, sign, delay, inTitle })]
  })
}
