// Items as the engine reads them: names found, owner and time known. An item is read once in its life, whichever movers and
// runs look at it; what few of them need is worked out at the first request.
import type { EvidenceItem } from "../domain/Evidence.ts"
import { memoized, rememberOf } from "../domain/rememberEach.ts"
import { type Catalog, catalogFor, namesPattern } from "./CoinNames.ts"
import { Field } from "./Scanning.ts"
import type { MoverCoin } from "./RunFacts.ts"

export interface PoolItem {
  readonly item: EvidenceItem
  /** When it was published, or first seen where that is earlier; epoch milliseconds. */
  readonly at: number
  readonly title: Field
  readonly summary: Field
}

const timeOf = ({ firstSeenAt, publishedAt }: EvidenceItem): number =>
  Math.min(publishedAt.epochMilliseconds, firstSeenAt.epochMilliseconds)

const readWith = (item: EvidenceItem, catalog: Catalog): PoolItem => ({
  item,
  at: timeOf(item),
  title: new Field(item.title, catalog),
  summary: new Field(item.summary, catalog)
})

const withRegistry = rememberOf((item: EvidenceItem) => readWith(item, catalogFor([])))

export interface Pool {
  readonly items: ReadonlyArray<PoolItem>
  readonly size: number
  readonly publishers: number
  /** The items that name one of the pool's coins, and those of any project's own blog, whose publisher is the project. */
  readonly about: (coinId: string) => ReadonlyArray<PoolItem>
  /** The time of the newest item, epoch milliseconds; `null` for none. */
  readonly newest: number | null
}

/**
 * Makes a pool of items, each id once, with the names of these coins beside those of the registry. An item that has no word of their
 * names is read only for the market and for sectors.
 */
export const readPool = (evidence: ReadonlyArray<EvidenceItem>, coins: ReadonlyArray<MoverCoin>): Pool => {
  const catalog = catalogFor(coins)
  const pattern = namesPattern(coins)
  const items = [...new Map(evidence.map((item) => [item.id, item])).values()]
  const near = items
    .filter(({ summary, title, type }) => type === "project_blog" || pattern.test(title) || pattern.test(summary))
    .map((item) => (catalog.length > 1 ? readWith(item, catalog) : withRegistry(item)))
  const all = memoized(() => items.map(withRegistry))
  return {
    size: items.length,
    publishers: new Set(items.map(({ publisher }) => publisher)).size,
    newest: items.map(timeOf).reduce<number | null>((newest, at) => Math.max(newest ?? at, at), null),
    get items() {
      return all()
    },
    about: (coinId) =>
      near.filter(
        ({ item, summary, title }) =>
          item.type === "project_blog" ||
          [title, summary].some(({ names }) => names.some(({ value }) => value.coinId === coinId))
      )
  }
}
