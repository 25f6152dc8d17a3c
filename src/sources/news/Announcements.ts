// What the exchanges' announcement lists have in common: several lists make one feed, rows are notices about coins being listed
// or delisted, and a notice is the best evidence there is of both. Each venue's file knows its own wire format.
import { DateTime, Effect, Schema, SchemaGetter, type Scope } from "effect"
import type { EvidenceItem } from "../../domain/Evidence.ts"
import * as Snapshot from "../../domain/Snapshot.ts"
import type * as Feed from "../dataset/DataSet.ts"
import * as sanitize from "./sanitize.ts"
import * as Memory from "./ItemHistory.ts"
import type { SourceClient } from "../client/SourceClient.ts"
import { type SourceError, Undecodable, Unusable } from "../client/SourceError.ts"
import * as WireFormat from "../client/WireFormat.ts"

/** Milliseconds since 1970 as a number or as digits; seconds taken for milliseconds are not believed. */
export const EpochMillis = Schema.Union([
  Schema.Finite,
  Schema.String.check(Schema.isPattern(/^\d{12,14}$/)).pipe(
    Schema.decodeTo(Schema.Finite, { decode: SchemaGetter.transform(Number), encode: SchemaGetter.transform(String) })
  )
]).check(Schema.isBetween({ minimum: 1e11, maximum: 1e14 }))

/** One row of a list. */
export interface Notice {
  /** What identifies it at its venue. */
  readonly key: string
  readonly title: string
  readonly summary?: string | undefined
  readonly url: string
  /** Epoch milliseconds. */
  readonly at: number
  /** The venue's own labels, where it has some. */
  readonly tags?: ReadonlyArray<string> | undefined
}

/** One list as read: the rows that fit, and how many did not. */
export interface Listed {
  readonly notices: ReadonlyArray<Notice>
  readonly bad: number
  readonly retrievedAt: DateTime.Utc
}

const otherMarkets = /\b(?:equit(?:y|ies)|[a-z]?stocks?|tokeni[sz]ed (?:ETFs?|funds?)|pre-?IPO|forex|TradFi)\b/i

/** `ONEUSD` in a notice about contracts is a share; coins are quoted in USDT or USDC, or with a stroke. */
const dollarContract = /\b[A-Z0-9]{1,10}USD\b/

/** Whether a notice is about coins: contracts on shares and tokenised shares fill the same lists. */
export const isAboutCoins = ({ tags, title }: Pick<Notice, "title" | "tags">): boolean =>
  ![title, ...(tags ?? [])].some((text) => otherMarkets.test(text)) &&
  !(/\b(?:perpetuals?|futures|contracts?)\b/i.test(title) && dollarContract.test(title))

/**
 * The feed of a venue. A refresh succeeds only when every list was read: a list that failed is not a list without news.
 */
export const makeFeed = Effect.fnUntraced(function* (options: {
  readonly client: SourceClient
  /** What every item's id begins with. */
  readonly prefix: string
  readonly lists: ReadonlyArray<Effect.Effect<Listed, SourceError>>
}): Effect.fn.Return<Feed.DataSet<ReadonlyArray<EvidenceItem>>, never, Scope.Scope> {
  const { client, prefix } = options
  const memory = yield* Memory.make(Effect.suspend(() => feed.last))
  const publication: Memory.Publication = {
    prefix,
    id: prefix,
    type: "exchange_announcement",
    tier: "primary",
    publisher: client.name
  }

  const fetch = Effect.gen(function* () {
    const lists = yield* Effect.all(options.lists)
    const notices = lists.flatMap((list) => list.notices)
    const sightings = notices.filter(isAboutCoins).map(toSighting)
    const cleaned = sightings.filter((sighting) => sighting !== null)
    const unfit = lists.reduce((sum, { bad }) => sum + bad, 0)
    const bad = unfit + sightings.length - cleaned.length
    yield* WireFormat.reportBad(client.name, "announcements", bad)
    if (notices.length === 0 && unfit > 0) return yield* client.error(new Undecodable({ detail: "no usable row" }))
    if (notices.length === 0) return yield* client.error(new Unusable({ detail: "lists without announcements" }))
    const retrievedAt = lists.map((list) => list.retrievedAt).reduce(DateTime.min)
    const value = yield* memory.see(publication, cleaned, retrievedAt)
    return Snapshot.make({ value, source: client.name, observedAt: retrievedAt, retrievedAt })
  })

  const feed: Feed.DataSet<ReadonlyArray<EvidenceItem>> = yield* client.dataSet("announcements", {
    every: "5 minutes",
    fetch,
    schema: Memory.Items
  })
  return feed
})

const toSighting = (notice: Notice): Memory.RawItem | null => {
  const title = sanitize.title(notice.title)
  const url = sanitize.link(notice.url)
  return title === null || url === null
    ? null
    : {
        key: notice.key,
        title,
        summary: sanitize.summary(notice.summary),
        url,
        publishedAt: DateTime.makeUnsafe(notice.at)
      }
}
