// News feeds: RSS, RDF, Atom and JSON Feed from addresses that the operator may replace (NEWS_FEEDS). Each feed stands on its
// own: it is asked every five minutes at most, for changes only, and its failure is its own. What a feed says is untrusted.
import { Config, Context, type DateTime, Effect, Layer, Ref, Schema, type Semaphore } from "effect"
import { createHash } from "node:crypto"
import type { EvidenceItem, EvidenceTier } from "../../domain/Evidence.ts"
import { domainOf, publisherAt } from "../../domain/Publishers.ts"
import * as Snapshot from "../../domain/Snapshot.ts"
import type * as Feed from "../dataset/DataSet.ts"
import * as Format from "./NewsFeedsFormat.ts"
import * as Http from "./NewsFeedsHttp.ts"
import * as Memory from "./ItemHistory.ts"
import { defaultFeeds } from "./DefaultFeeds.ts"
import * as SourceClient from "../client/SourceClient.ts"
import { Undecodable } from "../client/SourceError.ts"
import { SourceLabel, type SourceTerms } from "../catalog/SourceTerms.ts"
import * as WireFormat from "../client/WireFormat.ts"

/** One feed. */
export interface NewsFeed {
  /** As configured. */
  readonly url: string
  readonly tier: EvidenceTier
  /** Those of {@link NewsFeeds.terms}, or what is known of a feed that the operator added. */
  readonly terms: SourceTerms
  /** What it published in the last 96 hours, newest first. */
  readonly items: Feed.DataSet<ReadonlyArray<EvidenceItem>>
}

/** The terms of the feeds that an operator adds. */
const ownTerms: SourceTerms = {
  id: "NEWS_FEEDS",
  name: "News feed",
  baseUrl: "https://example.org",
  attribution: "Headlines by the publishers named beside them",
  link: "https://example.org",
  licence: "each publisher's own; chosen by the operator (NEWS_FEEDS)",
  redistribution: "unclear"
}

const FeedUrl = Schema.String.check(
  Schema.makeFilter((text) => isFeedUrl(text.trim()), { expected: "http or https URLs without credentials" })
)

const isFeedUrl = (text: string): boolean => {
  const url = URL.parse(text)
  return (
    url !== null &&
    (url.protocol === "https:" || url.protocol === "http:") &&
    url.username === "" &&
    url.password === "" &&
    url.hostname !== ""
  )
}

/** `NEWS_FEEDS`: the addresses of the feeds, each once. */
export const feedUrls: Config.Config<ReadonlyArray<string>> = Config.Array(FeedUrl, "NEWS_FEEDS").pipe(
  Config.map((urls) => [...new Set(urls.map((url) => new URL(url.trim()).href))]),
  Config.withDefault(defaultFeeds.map(({ url }) => url))
)

const termsAt = (url: string): SourceTerms => {
  const known = defaultFeeds.find((feed) => feed.url === url)
  if (known !== undefined) return known.terms
  const name = publisherAt(url)?.name ?? domainOf(url) ?? new URL(url).host
  return { ...ownTerms, name, baseUrl: new URL(url).origin, link: new URL(url).origin }
}

/** News feeds: The Block, Chainalysis, Bitcoin Optech, SEC and Federal Reserve, or those of the operator's choice. */
export class NewsFeeds extends Context.Service<
  NewsFeeds,
  {
    /** Every feed that is not switched off, in the order of the settings. */
    readonly feeds: ReadonlyArray<NewsFeed>
  }
>()("crypto-data-api/sources/news/NewsFeeds") {
  /** The terms of the feeds that are read by default. */
  static readonly terms: ReadonlyArray<SourceTerms> = defaultFeeds.map(({ terms }) => terms)

  static readonly layerNoDeps: Layer.Layer<NewsFeeds, Config.ConfigError, SourceClient.Requirements> = Layer.effect(
    NewsFeeds,
    Effect.gen(function* () {
      const disabled = yield* SourceClient.disabledSources
      const urls = (yield* feedUrls).filter((url) => !disabled.has("NEWS_FEEDS") && !disabled.has(termsAt(url).id))
      const turnOf = Http.makeTurns(urls)
      return NewsFeeds.of({ feeds: yield* Effect.forEach(urls, (url) => makeFeed(url, turnOf)) })
    })
  )

  static readonly layer: Layer.Layer<NewsFeeds, Config.ConfigError> = this.layerNoDeps.pipe(
    Layer.provide(SourceClient.layerRequirements)
  )

  static readonly layerTest = (service: NewsFeeds["Service"]) => Layer.succeed(NewsFeeds, service)
}

const makeFeed = Effect.fnUntraced(function* (url: string, turnOf: (url: URL) => Semaphore.Semaphore) {
  const label = yield* SourceLabel
  const terms = termsAt(url)
  const client = yield* SourceClient.make({
    terms,
    allowances: [{ calls: 20, per: "1 minute" }],
    timeoutSeconds: 10,
    maxBytes: 2 * 1024 * 1024
  })
  const publisher = publisherAt(url)
  const tier = publisher?.tier ?? "tier2"
  const type = publisher?.type ?? "news"
  const fetchBytes = yield* Http.make({ url, client, turnOf })
  const memory = yield* Memory.make(Effect.suspend(() => items.last))
  const name = yield* Ref.make(client.name)
  const snapshot = (value: ReadonlyArray<EvidenceItem>, retrievedAt: DateTime.Utc) =>
    Snapshot.make({ value, source: client.name, observedAt: retrievedAt, retrievedAt })

  const fetch = Effect.gen(function* () {
    const fetched = yield* fetchBytes
    if (fetched.body === null) {
      return snapshot(yield* memory.seeNothingNew(fetched.retrievedAt), fetched.retrievedAt)
    }
    const read = Format.read(fetched.body, fetched)
    if ("problem" in read) return yield* client.error(new Undecodable({ detail: read.problem }))
    yield* WireFormat.reportBad(client.name, "items", read.bad)
    if (read.bad > 0 && read.items.length === 0) {
      return yield* client.error(new Undecodable({ detail: "no usable item" }))
    }
    // A publisher that we do not know is called what its feed calls itself.
    if (publisher === undefined && read.title !== null) yield* Ref.set(name, label(read.title.slice(0, 80)))
    const publication = { prefix: "news", id: url, type, tier, publisher: yield* Ref.get(name) }
    const seen = yield* memory.see(publication, read.items, fetched.retrievedAt)
    yield* fetched.keep
    return snapshot(seen, fetched.retrievedAt)
  })

  const items: Feed.DataSet<ReadonlyArray<EvidenceItem>> = yield* client.dataSet(feedKey(url), {
    every: "5 minutes",
    fetch,
    schema: Memory.Items
  })
  return { url, tier, terms, items } satisfies NewsFeed
})

/** What circuit and saved snapshot of a feed are called: short, whatever its address. */
const feedKey = (url: string): string => createHash("sha256").update(url).digest("hex").slice(0, 16)
