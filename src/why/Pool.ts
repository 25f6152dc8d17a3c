// Items as the engine reads them: names found, owner and time known. They are read once and shared by all movers of a
// run; what few movers need is worked out at the first request.
import { DateTime } from "effect"
import type { EvidenceItem } from "../domain/Evidence.ts"
import { domainOf } from "../domain/Publishers.ts"
import { type Signature, signature } from "./Cluster.ts"
import { catalogFor } from "./CoinNames.ts"
import { read, type Reading } from "./EventKind.ts"
import { isInjection, isRoutine, type JunkKind, junkOf } from "./Junk.ts"
import { masked, type Scanned, scan } from "./Scanning.ts"
import { isAboutSector } from "./Lexicon.ts"
import { rememberEach } from "../domain/rememberEach.ts"
import { once } from "./Once.ts"
import { type Content, contentOf } from "./Statement.ts"
import { wideReadings } from "./WideReading.ts"
import type { MoverCoin } from "./WhyInput.ts"

export interface PoolItem {
  readonly item: EvidenceItem
  readonly scanned: Scanned
  /** When it was published, or first seen where that is earlier; epoch milliseconds. */
  readonly at: number
  /** Registrable domain of its address, else the host: items of one owner are one witness. */
  readonly domain: string
  /** Whether its text addresses a machine. */
  readonly injection: () => boolean
  readonly signature: () => Signature
  readonly junk: () => JunkKind | null
  /** Whether it tells of something that happens every week, whichever coin it is about. */
  readonly routine: () => boolean
  /** What it states, for coins that it does not name. */
  readonly content: () => Content
  /** What it says of the whole market; none where it is junk or routine. */
  readonly wide: () => ReadonlyArray<Reading>
  /** Which of its texts is about the coins of a category, the title before the summary. */
  readonly onSector: (category: string) => "title" | "summary" | null
}

/** More categories than movers of a run have. */
const SECTORS = 100

/** The order of a pool: by time, then by id. */
export const byTime = (a: PoolItem, b: PoolItem): number =>
  a.at - b.at || (a.item.id < b.item.id ? -1 : a.item.id > b.item.id ? 1 : 0)

/** Reads items, each id once, with the names of these coins beside those of the registry. Sorted {@link byTime}. */
export const readPool = (
  evidence: ReadonlyArray<EvidenceItem>,
  coins: ReadonlyArray<MoverCoin>
): ReadonlyArray<PoolItem> => {
  const catalog = catalogFor(coins)
  const seen = new Set<string>()
  return evidence
    .filter(({ id }) => !seen.has(id) && seen.add(id) !== undefined)
    .map((item): PoolItem => {
      const scanned = scan(item, catalog)
      const { summary, title } = scanned
      // What an exchange, a regulator or a project says itself is no forecast and no chart, whatever words it shares with one.
      const junk = once(() => {
        const kind = junkOf(title.lower, summary.lower)
        return item.tier === "primary" && kind !== "promo" ? null : kind
      })
      const routine = once(() => isRoutine(masked(title, null), masked(summary, null)))
      const wide = once(() => {
        const found = wideReadings(title.lower, () => read(title.lower, summary.lower, 0, false))
        return found.length === 0 || junk() !== null || routine() ? [] : found
      })
      return {
        item,
        scanned,
        at: Math.min(DateTime.toEpochMillis(item.publishedAt), DateTime.toEpochMillis(item.firstSeenAt)),
        domain: domainOf(item.url) ?? URL.parse(item.url)?.host ?? item.url,
        injection: once(() => isInjection(item)),
        signature: once(() => signature(`${title.text} ${summary.text}`)),
        junk,
        routine,
        content: once(() => new Map([...contentOf(masked(title, null)), ...contentOf(masked(summary, null))])),
        wide,
        onSector: rememberEach(SECTORS, (category: string) =>
          isAboutSector(category, title.lower) ? "title" : isAboutSector(category, summary.lower) ? "summary" : null
        )
      }
    })
    .toSorted(byTime)
}

/** Works out everything that is lazy about an item, so that a run can pause between items. */
export const prepare = ({ injection, junk, routine, wide }: PoolItem): void => {
  injection()
  junk()
  routine()
  wide()
}
