// Items as the engine reads them: names found, owner and time known. An item is read once in its life, whichever movers and
// runs look at it; what few of them need is worked out at the first request.
import type { EvidenceItem } from "../domain/Evidence.ts"
import { rememberOf } from "../domain/rememberEach.ts"
import { type Catalog, catalogFor, namesPattern } from "./CoinNames.ts"
import { isInjection, type JunkKind, junkOf } from "./Junk.ts"
import { Field } from "./Scanning.ts"
import type { MoverCoin } from "./WhyInput.ts"

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
    this.at = Math.min(item.publishedAt.epochMilliseconds, item.firstSeenAt.epochMilliseconds)
    this.#catalog = catalog
  }

  get title(): Field {
    return (this.#title ??= new Field(this.item.title, this.#catalog))
  }

  get summary(): Field {
    return (this.#summary ??= new Field(this.item.summary, this.#catalog))
  }
}

/** Whether its text addresses a machine. */
export const isInjected = rememberOf(({ item }: PoolItem) => isInjection(item))

/** Why it is no evidence; `null` where it may be. */
export const junkIn = rememberOf(({ summary, title }: PoolItem): JunkKind | null => junkOf(title.lower, summary.lower))

export interface Pool {
  readonly items: ReadonlyArray<PoolItem>
  readonly publishers: number
  /** The items that name a coin, or are of a project's own blog. */
  readonly about: (coinId: string) => ReadonlyArray<PoolItem>
}

const withRegistry = rememberOf((item: EvidenceItem) => new PoolItem(item, catalogFor([])))

/**
 * Makes a pool of items, each id once, with the names of these coins beside those of the registry. An item that has no word of their
 * names is left aside until another coin is asked about.
 */
export const readPool = (evidence: ReadonlyArray<EvidenceItem>, coins: ReadonlyArray<MoverCoin>): Pool => {
  const catalog = catalogFor(coins)
  const pattern = namesPattern(coins)
  const seen = new Set<string>()
  const all: Array<PoolItem> = []
  const near: Array<PoolItem> = []
  for (const item of evidence) {
    if (seen.has(item.id)) continue
    seen.add(item.id)
    const isNear = item.type === "project_blog" || pattern.test(item.title) || pattern.test(item.summary)
    const one = isNear && catalog.length > 1 ? new PoolItem(item, catalog) : withRegistry(item)
    all.push(one)
    if (isNear) near.push(one)
  }
  return {
    items: all,
    publishers: new Set(evidence.map(({ publisher }) => publisher)).size,
    about: (coinId) =>
      (coins.some(({ id }) => id === coinId) ? near : all).filter(
        (one) => one.item.type === "project_blog" || one.title.namesCoin(coinId) || one.summary.namesCoin(coinId)
      )
  }
}
