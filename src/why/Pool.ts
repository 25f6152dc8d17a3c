// Items as the engine reads them: names found, owner and time known. An item is read once in its life, whichever movers and
// runs look at it; what few of them need is worked out at the first request.
import type { EvidenceItem } from "../domain/Evidence.ts"
import { memoized, rememberOf } from "../domain/rememberEach.ts"
import { type Catalog, catalogFor, namesPattern } from "./CoinNames.ts"
import { isInjection, type JunkKind, junkOf } from "./Junk.ts"
import { Field } from "./Scanning.ts"
import type { MoverCoin } from "./WhyInput.ts"

const timeOf = ({ firstSeenAt, publishedAt }: EvidenceItem): number =>
  Math.min(publishedAt.epochMilliseconds, firstSeenAt.epochMilliseconds)

/** An item of a pool. Its texts are read when they are first asked for: few of an item that names no mover ever are. */
export class PoolItem {
  readonly item: EvidenceItem
  /** When it was published, or first seen where that is earlier; epoch milliseconds. */
  readonly at: number
  readonly #catalog: Catalog
  #title: Field | undefined
  #summary: Field | undefined

  constructor(item: EvidenceItem, catalog: Catalog) {
    this.item = item
    this.at = timeOf(item)
    this.#catalog = catalog
  }

  get title(): Field {
    return (this.#title ??= new Field(this.item.title, this.#catalog))
  }

  get summary(): Field {
    return (this.#summary ??= new Field(this.item.summary, this.#catalog))
  }
}

/** Whether it is never cited, whatever it says. */
export const isInjected = ({ item }: PoolItem): boolean => isInjection(item)

/** Why it is no evidence; `null` where it may be. */
export const junkIn = rememberOf(({ summary, title }: PoolItem): JunkKind | null => junkOf(title.lower, summary.lower))

export interface Pool {
  readonly items: ReadonlyArray<PoolItem>
  readonly size: number
  readonly publishers: number
  /** The items that name a coin, or are of a project's own blog. */
  readonly about: (coinId: string) => ReadonlyArray<PoolItem>
  /** The time of the newest item between two times, epoch milliseconds; `null` for none. Movers of one run ask for the same. */
  readonly newest: (from: number, to: number) => number | null
}

/** The items by the coins that they name. A blog's are of every coin: which project it is, its publisher tells. */
const byCoin = (items: ReadonlyArray<PoolItem>): Pool["about"] => {
  const naming = new Map<string, Set<PoolItem>>()
  for (const one of items)
    for (const { value } of [...one.title.names, ...one.summary.names]) {
      const others = naming.get(value.coinId)
      if (others === undefined) naming.set(value.coinId, new Set([one]))
      else others.add(one)
    }
  return (coinId) => items.filter((one) => one.item.type === "project_blog" || naming.get(coinId)?.has(one) === true)
}

const withRegistry = rememberOf((item: EvidenceItem) => new PoolItem(item, catalogFor([])))

/**
 * Makes a pool of items, each id once, with the names of these coins beside those of the registry. An item that has no word of their
 * names is left aside until the market, a sector or another coin is asked about.
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
      .map((item) => [item, catalog.length > 1 ? new PoolItem(item, catalog) : withRegistry(item)])
  )
  const all = memoized(() => items.map((item) => near.get(item) ?? withRegistry(item)))
  const aboutNear = memoized(() => byCoin([...near.values()]))
  const aboutAny = memoized(() => byCoin(all()))
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
    about: (coinId) => (coins.some(({ id }) => id === coinId) ? aboutNear() : aboutAny())(coinId)
  }
}
