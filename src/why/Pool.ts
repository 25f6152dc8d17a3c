// Items as the engine reads them: names found, owner and time known. An item is read once in its life, whichever movers and
// runs look at it; what few of them need is worked out at the first request.
import { DateTime } from "effect"
import type { EvidenceItem } from "../domain/Evidence.ts"
import { rememberOf } from "../domain/rememberEach.ts"
import { type Catalog, catalogFor, namesPattern } from "./CoinNames.ts"
import type { Reading } from "./EventKind.ts"
import { isInjection, isRoutine, type JunkKind, junkOf } from "./Junk.ts"
import { Field, masked } from "./Scanning.ts"
import { wideReadings } from "./WideReading.ts"
import type { MoverCoin } from "./WhyInput.ts"

export interface PoolItem {
  readonly item: EvidenceItem
  readonly title: Field
  readonly summary: Field
  /** When it was published, or first seen where that is earlier; epoch milliseconds. */
  readonly at: number
}

const readItem = (item: EvidenceItem, catalog: Catalog): PoolItem => ({
  item,
  title: new Field(item.title, catalog),
  summary: new Field(item.summary, catalog),
  at: Math.min(DateTime.toEpochMillis(item.publishedAt), DateTime.toEpochMillis(item.firstSeenAt))
})

/** Whether its text addresses a machine. */
export const isInjected = rememberOf(({ item }: PoolItem) => isInjection(item))

/** What an exchange, a regulator or a project says itself is no forecast and no chart, whatever words it shares with one. */
export const junkIn = rememberOf(({ item, summary, title }: PoolItem): JunkKind | null => {
  const kind = junkOf(title.lower, summary.lower)
  return item.tier === "primary" && kind !== "promo" ? null : kind
})

/** Whether it tells of something that happens every week, whichever coin it is about. */
export const isEveryWeek = ({ summary, title }: PoolItem): boolean =>
  isRoutine(masked(title, null), masked(summary, null))

/** What it says of the whole market; none where it is junk or routine. */
export const wideIn = rememberOf((entry: PoolItem): ReadonlyArray<Reading> => {
  const found = wideReadings(entry.title.lower, entry.summary.lower)
  return found.length === 0 || junkIn(entry) !== null || isEveryWeek(entry) ? [] : found
})

export interface Pool {
  readonly items: ReadonlyArray<PoolItem>
  readonly publishers: number
  /** The items that name a coin, or are of a project's own blog. */
  readonly about: (coinId: string) => ReadonlyArray<PoolItem>
}

const withRegistry = rememberOf((item: EvidenceItem) => readItem(item, catalogFor([])))

/**
 * Reads items, each id once, with the names of these coins beside those of the registry. Of an item that has no word of their names, the
 * names are looked for when they are asked for.
 */
export const readPool = (evidence: ReadonlyArray<EvidenceItem>, coins: ReadonlyArray<MoverCoin>): Pool => {
  const catalog = catalogFor(coins)
  const pattern = namesPattern(coins)
  const items = new Map<string, PoolItem>()
  const near: Array<PoolItem> = []
  for (const item of evidence) {
    if (items.has(item.id)) continue
    const held = withRegistry(item)
    const texts = [held.title.text.toLowerCase(), held.summary.text.toLowerCase()]
    const isNear = isBlog(held) || texts.some((text) => pattern.test(text))
    const one = isNear && catalog.length > 1 ? readItem(item, catalog) : held
    items.set(item.id, one)
    if (isNear) near.push(one)
  }
  const all = [...items.values()]
  return {
    items: all,
    publishers: new Set(evidence.map(({ publisher }) => publisher)).size,
    about: (coinId) =>
      (coins.some(({ id }) => id === coinId) ? near : all).filter(
        (one) => isBlog(one) || one.title.namesCoin(coinId) || one.summary.namesCoin(coinId)
      )
  }
}

const isBlog = ({ item }: PoolItem): boolean => item.type === "project_blog"
