// Stores the recent items of a source, because a list shows only its newest ones, and an item without a date gets the time when it was
// first seen.
import { DateTime, Effect, Equal, Option, Ref, Schema } from "effect"
import { createHash } from "node:crypto"
import { EvidenceItem, type EvidenceTier, type EvidenceType, newestFirst } from "../../domain/Evidence.ts"
import type { Snapshot } from "../../domain/Snapshot.ts"
import { addressesMachine } from "../../domain/PromptInjection.ts"
import { webUrl } from "../../domain/webUrl.ts"
import * as sanitize from "./sanitize.ts"

/** How long an item is stored, in hours. */
export const KEPT_HOURS = 96

/** The most stored items of one source. */
const MOST = 1_000

/** One listed item with cleaned texts. */
export interface RawItem {
  /** Unique within its source. */
  readonly key: string
  readonly title: string
  readonly summary: string
  readonly url: string
  /** `undefined` if the source does not say. */
  readonly publishedAt: DateTime.Utc | undefined
  readonly precision?: EvidenceItem["precision"]
  readonly hidesInstructions?: true
}

export interface Publication {
  /** The prefix of every id. */
  readonly prefix: string
  /** Unique among the sources with this prefix. */
  readonly id: string
  readonly type: EvidenceType
  readonly tier: EvidenceTier
  readonly publisher: string
  /** Whether all items have the same URL, which then does not identify them. */
  readonly sharesUrl?: boolean
}

const upTo = (most: number) => Schema.String.check(Schema.isMaxLength(most))

/** Saved items have the bounds of cleaned ones. */
export const Items = Schema.Array(
  Schema.Struct({
    ...EvidenceItem.fields,
    id: upTo(100),
    // The record of an incident adds words to a cleaned name.
    title: upTo(2 * sanitize.TITLE_LENGTH),
    summary: upTo(sanitize.SUMMARY_LENGTH),
    url: upTo(sanitize.LINK_LENGTH).check(Schema.makeFilter((text) => webUrl(text) !== null)),
    publisher: upTo(200)
  })
).check(Schema.isMaxLength(MOST))

/** Starts with the items of `last`: a snapshot that was saved or came from another replica. */
export const make = Effect.fnUntraced(function* (
  last: Effect.Effect<Option.Option<Snapshot<ReadonlyArray<EvidenceItem>>>>
) {
  const held = yield* Ref.make<ReadonlyMap<string, EvidenceItem>>(new Map())
  return {
    /** Adds the items listed now; returns those of the last {@link KEPT_HOURS}, newest first. */
    see: Effect.fnUntraced(function* (publication: Publication, sightings: ReadonlyArray<RawItem>, now: DateTime.Utc) {
      const saved = Option.getOrUndefined(yield* last)?.value ?? []
      const known = saved.map((item) => [item.id, item] as const)
      const items = yield* Ref.updateAndGet(held, (seen) =>
        merge(new Map([...known, ...seen]), publication, sightings, now)
      )
      return recent(items, now)
    }),
    /** The same items without new ones, for a 304. */
    seeNothingNew: (now: DateTime.Utc) => Effect.map(Ref.get(held), (items) => recent(items, now))
  }
})

export const idOf = ({ id, prefix }: Publication, key: string): string =>
  `${prefix}-${createHash("sha256").update(`${id}\n${key}`).digest("hex").slice(0, 20)}`

const isRecent = (item: EvidenceItem, now: DateTime.Utc): boolean => {
  const end = item.precision === "day" ? DateTime.add(item.publishedAt, { days: 1 }) : item.publishedAt
  return DateTime.isGreaterThan(end, DateTime.subtract(now, { hours: KEPT_HOURS }))
}

const recent = (items: ReadonlyMap<string, EvidenceItem>, now: DateTime.Utc): ReadonlyArray<EvidenceItem> =>
  [...items.values()].filter((item) => isRecent(item, now)).toSorted(newestFirst)

/** The source's time, at most `firstSeenAt`; `firstSeenAt` if the source has none. */
const publishedAt = (sighting: RawItem, firstSeenAt: DateTime.Utc): DateTime.Utc => {
  const latest = sighting.precision === "day" ? DateTime.startOf(firstSeenAt, "day") : firstSeenAt
  return sighting.publishedAt === undefined ? latest : DateTime.min(sighting.publishedAt, latest)
}

export const itemOf = (
  publication: Publication,
  sighting: RawItem,
  id: string,
  firstSeenAt: DateTime.Utc
): EvidenceItem => ({
  id,
  type: publication.type,
  tier: publication.tier,
  title: sighting.title,
  summary: sighting.summary,
  url: sighting.url,
  publisher: publication.publisher,
  publishedAt: publishedAt(sighting, firstSeenAt),
  firstSeenAt,
  precision: sighting.precision ?? "instant",
  // The publisher's name may be the title of its feed, and an injected sentence may begin in it.
  ...(sighting.hidesInstructions === true || addressesMachine(`${publication.publisher} ${sighting.title}`)
    ? { hidesInstructions: true }
    : {})
})

/**
 * The items listed now and the earlier ones that are still recent. A listed item is stored at any age; otherwise it would come back
 * as new.
 */
const merge = (
  before: ReadonlyMap<string, EvidenceItem>,
  publication: Publication,
  sightings: ReadonlyArray<RawItem>,
  now: DateTime.Utc
): ReadonlyMap<string, EvidenceItem> => {
  const pages = new Map(
    publication.sharesUrl === true ? [] : [...before.values()].map((item) => [sanitize.pageOf(item.url), item.id])
  )
  const listed = new Map<string, EvidenceItem>()
  for (const sighting of sightings.slice(0, MOST)) {
    const own = idOf(publication, sighting.key)
    const page = sanitize.pageOf(sighting.url)
    const id = before.has(own) ? own : (pages.get(page) ?? own)
    if (listed.has(id)) continue
    if (publication.sharesUrl !== true) pages.set(page, id)
    const held = before.get(id)
    const item = itemOf(publication, sighting, id, held?.firstSeenAt ?? now)
    // Keeps the same object if nothing changed, so that results cached for it stay valid.
    listed.set(id, held !== undefined && Equal.equals(held, item) ? held : item)
  }
  const gone = [...before].filter(([id, item]) => !listed.has(id) && isRecent(item, now))
  return new Map([...listed, ...gone].slice(0, MOST))
}
