// Announcements of exchanges: notices of listings and delistings, the best evidence of both. Every venue has its own data set, read
// from several lists; `AnnouncementVenues` has what differs between venues.
import { Context, DateTime, Effect, Layer } from "effect"
import type { EvidenceItem } from "../../domain/Evidence.ts"
import type { SourceRecord } from "../catalog/SourceRecord.ts"
import * as SourceClient from "../client/SourceClient.ts"
import { layerRequirements } from "../client/SourceService.ts"
import type { DataSet } from "../dataset/DataSet.ts"
import { type Notice, type Venue, venues } from "./AnnouncementVenues.ts"
import * as ItemHistory from "./ItemHistory.ts"
import * as sanitize from "./sanitize.ts"

/** The announcements of one exchange. */
export interface VenueAnnouncements {
  readonly source: SourceRecord
  /** Listings and delistings of the last 96 hours, newest first, refreshed every five minutes. */
  readonly announcements: DataSet<ReadonlyArray<EvidenceItem>>
}

/** Announcements of OKX, KuCoin, Bitget and Bybit. */
export class Announcements extends Context.Service<
  Announcements,
  {
    readonly venues: ReadonlyArray<VenueAnnouncements>
  }
>()("crypto-data-api/sources/news/Announcements") {
  static readonly layerNoDeps = Layer.effect(
    Announcements,
    Effect.gen(function* () {
      return { venues: yield* Effect.forEach(venues, announcementsOf) }
    })
  )

  static readonly layer = Layer.provide(this.layerNoDeps, layerRequirements)

  static readonly layerTest = (service: Announcements["Service"]) => Layer.succeed(Announcements, service)
}

const otherMarkets = /\b(?:equit(?:y|ies)|[a-z]?stocks?|tokeni[sz]ed (?:ETFs?|funds?)|pre-?IPO|forex|TradFi)\b/i

/** `ONEUSD` in a notice about contracts is a share; coins are quoted in USDT or USDC, or with a slash. */
const dollarContract = /\b[A-Z0-9]{1,10}USD\b/

/** Whether a notice is about coins, by its title and labels. The lists also have contracts on shares and tokenised shares. */
export const isAboutCoins = ({ tags, title }: Pick<Notice, "title" | "tags">): boolean =>
  ![title, ...(tags ?? [])].some((text) => otherMarkets.test(text)) &&
  !(/\b(?:perpetuals?|futures|contracts?)\b/i.test(title) && dollarContract.test(title))

/** A fetch fails if any list fails: without it a missing delisting would look like none. */
const announcementsOf = Effect.fnUntraced(function* ({ lists, source }: Venue) {
  const client = yield* SourceClient.make({ source })
  const prefix = source.id.toLowerCase()
  const history = yield* ItemHistory.make(Effect.suspend(() => announcements.last))
  const publication: ItemHistory.Publication = {
    prefix,
    id: prefix,
    type: "exchange_announcement",
    tier: "primary",
    publisher: client.name
  }

  const fetch = Effect.gen(function* () {
    const read = yield* Effect.all(lists(client))
    const notices = read.flatMap((list) => list.notices)
    const items = notices.filter(isAboutCoins).map(toItem)
    const cleaned = items.filter((item) => item !== null)
    const unfit = read.reduce((sum, { bad }) => sum + bad, 0)
    yield* client.usable("announcements", { good: notices, bad: unfit + items.length - cleaned.length })
    // An empty list is valid: nothing was announced.
    const retrievedAt = read.map((list) => list.retrievedAt).reduce(DateTime.min)
    const value = yield* history.see(publication, cleaned, retrievedAt)
    return { value, observedAt: read.map((list) => list.observedAt).reduce(DateTime.min), retrievedAt }
  })

  const announcements: VenueAnnouncements["announcements"] = yield* client.dataSet("announcements", {
    every: "5 minutes",
    fetch,
    schema: ItemHistory.Items
  })
  return { source, announcements }
})

const toItem = (notice: Notice): ItemHistory.RawItem | null => {
  const text = sanitize.text({ title: notice.title, summary: notice.summary ?? undefined })
  const url = sanitize.link(notice.url)
  return text === null || url === null
    ? null
    : { key: notice.key, ...text, url, publishedAt: DateTime.makeUnsafe(notice.at) }
}
