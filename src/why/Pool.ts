// Items as the engine reads them: names found, owner and time known. An item is read once in its life, whichever movers and
// runs look at it; what few of them need is worked out at the first request.
import type { EvidenceItem } from "../domain/Evidence.ts"
import { memoized, rememberOf } from "../domain/rememberEach.ts"
import { type Catalog, catalogFor, namesPattern } from "./CoinNames.ts"
import { isInjection, isNoise } from "./Junk.ts"
import { Field } from "./Scanning.ts"
import type { MoverCoin } from "./WhyInput.ts"

const timeOf = ({ firstSeenAt, publishedAt }: EvidenceItem): number =>
  Math.min(publishedAt.epochMilliseconds, firstSeenAt.epochMilliseconds)

/** An item of a pool. */
export interface PoolItem {
  readonly item: EvidenceItem
  /** When it was published, or first seen where that is earlier; epoch milliseconds. */
  readonly at: number
  readonly title: Field
  readonly summary: Field
}

const poolItemOf = (item: EvidenceItem, catalog: Catalog): PoolItem => ({
  item,
  at: timeOf(item),
  title: new Field(item.title, catalog),
  summary: new Field(item.summary, catalog)
})

/** Whether an item is never cited, whatever it says. */
export const isJunk = rememberOf(
  ({ item, summary, title }: PoolItem): boolean => isInjection(item) || isNoise(title.lower, summary.lower)
)

export interface Pool {
  readonly items: ReadonlyArray<PoolItem>
  readonly size: number
  readonly publishers: number
  /** The items that name one of the pool's coins, and those of any project's own blog, whose publisher is the project. */
  readonly about: (coinId: string) => ReadonlyArray<PoolItem>
  /** The time of the newest item between two times, epoch milliseconds; `null` for none. */
  readonly newest: (from: number, to: number) => number | null
}

const withRegistry = rememberOf((item: EvidenceItem) => poolItemOf(item, catalogFor([])))

/**
 * Makes a pool of items, each id once, with the names of these coins beside those of the registry. An item that has no word of their
 * names is read only for the market and for sectors.
 */
export const readPool = (evidence: ReadonlyArray<EvidenceItem>, coins: ReadonlyArray<MoverCoin>): Pool => {
  const catalog = catalogFor(coins)
  const pattern = namesPattern(coins)
  const firstById = new Map<string, EvidenceItem>()
  for (const item of evidence) if (!firstById.has(item.id)) firstById.set(item.id, item)
  const items = [...firstById.values()]
  const near = new Map(
    items
      .filter(({ summary, title, type }) => type === "project_blog" || pattern.test(title) || pattern.test(summary))
      .map((item) => [item, catalog.length > 1 ? poolItemOf(item, catalog) : withRegistry(item)])
  )
  const all = memoized(() => items.map((item) => near.get(item) ?? withRegistry(item)))
  return {
    size: items.length,
    publishers: new Set(evidence.map(({ publisher }) => publisher)).size,
    get items() {
      return all()
    },
    newest: memoized((from: number, to: number) =>
      items
        .map(timeOf)
        .reduce<number | null>((newest, at) => (at < from || at > to ? newest : Math.max(newest ?? at, at)), null)
    ),
    about: (coinId) =>
      [...near.values()].filter(
        ({ item, summary, title }) =>
          item.type === "project_blog" ||
          [title, summary].some(({ names }) => names.some(({ value }) => value.coinId === coinId))
      )
  }
}
