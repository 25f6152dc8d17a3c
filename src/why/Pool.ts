// The items of a run, read once and shared by all its movers.
import { DateTime } from "effect"
import type { EvidenceItem } from "../domain/Evidence.ts"
import { type Signature, signature } from "./Cluster.ts"
import { catalogFor } from "./CoinNames.ts"
import { read, type Reading } from "./EventKind.ts"
import { isInjection, isRoutine, type JunkKind, junkOf } from "./Junk.ts"
import { type Scanned, scan } from "./Linking.ts"
import { masked } from "./Masking.ts"
import { isWebAddress, registrableDomain } from "./Text.ts"
import type { MoverCoin } from "./WhyInput.ts"

/** One item, read. */
export interface PoolItem {
  readonly item: EvidenceItem
  readonly scanned: Scanned
  /** Milliseconds since the epoch: when it was published, or first seen where that is earlier. */
  readonly at: number
  readonly domain: string
  readonly injection: boolean
  readonly signature: () => Signature
  /** What kind of junk its words are. */
  readonly junk: () => JunkKind | null
  /** Whether it tells of something that happens every week, whichever coin it is about. */
  readonly routine: () => boolean
  /** What it says happened, whichever coin it is about. */
  readonly readings: () => ReadonlyArray<Reading>
}

const lazily = <A>(make: () => A): (() => A) => {
  let made: { readonly value: A } | null = null
  return () => {
    made ??= { value: make() }
    return made.value
  }
}

const byTime = (a: PoolItem, b: PoolItem): number =>
  a.at - b.at || (a.item.id < b.item.id ? -1 : a.item.id > b.item.id ? 1 : 0)

/** Reads items for some movers. Items without a web address, and second items of one id, are left out. */
export const readPool = (
  evidence: ReadonlyArray<EvidenceItem>,
  coins: ReadonlyArray<MoverCoin>
): ReadonlyArray<PoolItem> => {
  const catalog = catalogFor(coins)
  const seen = new Set<string>()
  return evidence
    .filter((item) => isWebAddress(item.url) && !seen.has(item.id) && seen.add(item.id) !== undefined)
    .map((item): PoolItem => {
      const scanned = scan(item, catalog)
      return {
        item,
        scanned,
        at: Math.min(DateTime.toEpochMillis(item.publishedAt), DateTime.toEpochMillis(item.firstSeenAt)),
        domain: registrableDomain(item.url),
        injection: isInjection(item),
        signature: lazily(() => signature(`${scanned.title.text} ${scanned.summary.text}`)),
        junk: lazily(() => junkOf(scanned.title.lower, scanned.summary.lower)),
        routine: lazily(() => isRoutine(masked(scanned.title, null), masked(scanned.summary, null))),
        readings: lazily(() => read(scanned.title.lower, scanned.summary.lower, 0))
      }
    })
    .toSorted(byTime)
}
