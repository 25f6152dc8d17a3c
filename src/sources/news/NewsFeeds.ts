// News feeds: RSS, RDF, Atom and JSON Feed from URLs that the operator may replace (NEWS_FEEDS). Each feed is polled
// separately, at most every five minutes, with conditional requests. The content of feeds is untrusted.
import { Config, Context, Effect, Layer, Ref, Schema, type Semaphore } from "effect"
import { createHash } from "node:crypto"
import type { EvidenceItem, EvidenceTier } from "../../domain/Evidence.ts"
import { domainOf, publisherAt } from "../../domain/Publishers.ts"
import { webUrl } from "../../domain/webUrl.ts"
import type { DataSet } from "../dataset/DataSet.ts"
import * as Format from "./NewsFeedsFormat.ts"
import * as Http from "./NewsFeedsHttp.ts"
import * as ItemHistory from "./ItemHistory.ts"
import * as SourceClient from "../client/SourceClient.ts"
import { layerRequirements } from "../client/SourceService.ts"
import { atMost, disabledSources } from "../client/SourceSettings.ts"
import { Undecodable } from "../client/SourceError.ts"
import { sourceCatalog } from "../catalog/SourceCatalog.ts"
import { SourceLabel, type SourceRecord } from "../catalog/SourceRecord.ts"

export interface NewsFeed {
  /** As in `NEWS_FEEDS`. */
  readonly url: string
  readonly tier: EvidenceTier
  /** The record in the catalog, or one made for the operator's own feed. */
  readonly source: SourceRecord
  /** Its items of the last 96 hours, newest first. */
  readonly items: DataSet<ReadonlyArray<EvidenceItem>>
}

/** The feeds that are read unless `NEWS_FEEDS` names others: those whose terms allow any server to read them. */
const defaultFeeds = sourceCatalog.filter(({ feedUrl }) => feedUrl !== undefined)

const ownRecord: SourceRecord = {
  id: "NEWS_FEEDS",
  name: "News feed",
  baseUrl: "https://example.org",
  attribution: "Headlines by the publishers named beside them",
  link: "https://example.org",
  licence: "each publisher's own; chosen by the operator (NEWS_FEEDS)",
  redistribution: "unclear",
  allowances: [{ calls: 20, per: "1 minute", onDemand: 0 }],
  dataSets: ["news"]
}

const FeedUrl = Schema.String.check(
  Schema.makeFilter((text) => webUrl(text.trim()) !== null, { expected: "http or https URLs without credentials" })
)

/** The most feeds: each is polled by itself, and up to 1,000 items of each are kept. */
export const MOST_FEEDS = 50

/** `NEWS_FEEDS`: the URLs of the feeds, without duplicates. */
export const feedUrls: Config.Config<ReadonlyArray<string>> = Config.Array(FeedUrl, "NEWS_FEEDS").pipe(
  Config.map((urls) => [...new Set(urls.map((url) => new URL(url.trim()).href))]),
  Config.withDefault(defaultFeeds.flatMap(({ feedUrl }) => feedUrl ?? [])),
  atMost(MOST_FEEDS)
)

const recordAt = (url: string): SourceRecord => {
  const known = defaultFeeds.find(({ feedUrl }) => feedUrl === url)
  if (known !== undefined) return known
  const name = publisherAt(url)?.name ?? domainOf(url) ?? new URL(url).host
  return { ...ownRecord, name, baseUrl: new URL(url).origin, link: new URL(url).origin }
}

/** News feeds of the catalog, or of the operator's choice. */
export class NewsFeeds extends Context.Service<
  NewsFeeds,
  {
    /** Every feed that is not switched off, in the order of the settings. */
    readonly feeds: ReadonlyArray<NewsFeed>
  }
>()("crypto-data-api/sources/news/NewsFeeds") {
  static readonly layerNoDeps = Layer.effect(
    NewsFeeds,
    Effect.gen(function* () {
      const disabled = yield* disabledSources
      const urls = (yield* feedUrls).filter((url) => !disabled.has("NEWS_FEEDS") && !disabled.has(recordAt(url).id))
      const turnOf = Http.makeTurns(urls)
      return { feeds: yield* Effect.forEach(urls, (url) => makeFeed(url, turnOf)) }
    })
  )

  static readonly layer = Layer.provide(this.layerNoDeps, layerRequirements)

  static readonly layerTest = (service: NewsFeeds["Service"]) => Layer.succeed(NewsFeeds, service)
}

const makeFeed = Effect.fnUntraced(function* (url: string, turnOf: (url: URL) => Semaphore.Semaphore) {
  const label = yield* SourceLabel
  const source = recordAt(url)
  // The name of the feed's data set, saved snapshot, budget and pause.
  const key = createHash("sha256").update(url).digest("hex").slice(0, 16)
  const scope = `${source.id}-${key}`
  const client = yield* SourceClient.make({ source, scope, timeoutSeconds: 10, maxBytes: 2 * 1024 * 1024 })
  const publisher = publisherAt(url)
  const tier = publisher?.tier ?? "tier2"
  const type = publisher?.type ?? "news"
  const fetchBytes = yield* Http.make({ url, client, turnOf })
  const history = yield* ItemHistory.make(Effect.suspend(() => items.last))
  const name = yield* Ref.make(client.name)

  const fetch = Effect.gen(function* () {
    const fetched = yield* fetchBytes
    const { observedAt, retrievedAt } = fetched
    if (fetched.body === null) {
      return { value: yield* history.seeNothingNew(retrievedAt), observedAt, retrievedAt }
    }
    const read = Format.read(fetched.body, fetched)
    if ("problem" in read) return yield* client.error(new Undecodable({ detail: read.problem }))
    const found = yield* client.usable("news items", { good: read.items, bad: read.bad })
    // An unknown publisher gets the title of its feed as its name.
    if (publisher === undefined && read.title !== null) yield* Ref.set(name, label(read.title.slice(0, 80)))
    const publication = { prefix: "news", id: url, type, tier, publisher: yield* Ref.get(name) }
    const value = yield* history.see(publication, found, retrievedAt)
    yield* fetched.keep
    return { value, observedAt, retrievedAt }
  })

  const items: DataSet<ReadonlyArray<EvidenceItem>> = yield* client.dataSet(key, {
    every: "5 minutes",
    fetch,
    schema: ItemHistory.Items
  })
  return { url, tier, source, items } satisfies NewsFeed
})
