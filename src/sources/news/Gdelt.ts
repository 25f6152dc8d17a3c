// GDELT's search over the world's news, asked for one coin at a time. Under load it answers prose with status 200, 429 on the first
// call, or nothing. Each is a failure, which means that nothing was searched, not that there is no news.
import { Cache, DateTime, Duration, Effect, Exit, Option, Result, Schema } from "effect"
import type { EvidenceItem } from "../../domain/Evidence.ts"
import { domainOf, publisherAt } from "../../domain/Publishers.ts"
import * as Snapshot from "../../domain/Snapshot.ts"
import type { DataSet } from "../dataset/DataSet.ts"
import * as DataSetStatus from "../dataset/DataSetStatus.ts"
import * as sanitize from "./sanitize.ts"
import * as ItemHistory from "./ItemHistory.ts"
import { Replicas } from "../dataset/Replicas.ts"
import * as SharedLookups from "../dataset/SharedLookups.ts"
import * as SnapshotStore from "../dataset/SnapshotStore.ts"
import { SourceService } from "../client/SourceService.ts"
import { type Fetched, SourceError, Unusable } from "../client/SourceError.ts"
import { catalog } from "../catalog/SourceCatalog.ts"
import { SourceLabel } from "../catalog/SourceRecord.ts"
import * as WireFormat from "../client/WireFormat.ts"

/** Articles whose first sight is remembered. */
const REMEMBERED = 5_000

/** How long the result for a name is served. */
const GOOD_FOR = Duration.minutes(15)

/** How long a failure is cached, so that many look-ups do not make many calls. */
const FAILED_FOR = Duration.minutes(1)

/** The name of the snapshot that says when a search last succeeded. */
const KEPT = "gdelt-search"

const Body = Schema.Struct({ articles: Schema.optionalKey(WireFormat.Rows(250)) })

const Row = Schema.Struct({
  url: Schema.NonEmptyString,
  title: Schema.NonEmptyString,
  seendate: Schema.String.check(Schema.isPattern(/^\d{8}T\d{6}Z$/))
})

/** GDELT: news about a coin, on demand. */
export class Gdelt extends SourceService<
  Gdelt,
  {
    /**
     * English articles of the last day whose title has the name, newest first. Asked at most once in 15 minutes for a name.
     * A failure means that nothing was searched.
     */
    readonly search: (name: string) => Fetched<ReadonlyArray<EvidenceItem>>
    /** When a search last succeeded (of any replica) and last failed (of this one). `get` searches for Bitcoin. */
    readonly searches: Pick<DataSet<ReadonlyArray<EvidenceItem>>, "source" | "every" | "status" | "get">
  }
>()("crypto-data-api/sources/news/Gdelt", catalog.GDELT, function* (connect) {
  const client = yield* connect({ timeoutSeconds: 10, retries: 0 })
  const label = yield* SourceLabel
  const firstSeen = new Map<string, DateTime.Utc>()

  const ask = Effect.fnUntraced(function* (name: string) {
    const { body, retrievedAt } = yield* client.get("/api/v2/doc/doc", Body, {
      query: {
        query: `"${name}" (crypto OR cryptocurrency OR token OR blockchain) sourcelang:english`,
        mode: "artlist",
        format: "json",
        maxrecords: "75",
        timespan: "24h",
        sort: "datedesc"
      }
    })
    const list = body.articles ?? []
    const rows = yield* client.usable("articles", WireFormat.rows(Row, list))
    return { rows, retrievedAt }
  })

  // The snapshot of a search is its time and the number of items found.
  const kept = yield* SnapshotStore.make(client.name, {
    name: KEPT,
    origin: client.origin,
    schema: Schema.Int
  })
  let last = Option.none<Snapshot.Snapshot<number>>()
  const takeSaved = Effect.map(kept.restore, (saved) => {
    if (typeof saved !== "string") last = Option.some(saved)
  })
  const { noting, status } = DataSetStatus.make(Effect.sync(() => last))
  yield* Effect.forkScoped(takeSaved)
  yield* (yield* Replicas).onChange(KEPT, takeSaved)

  const search = Effect.fnUntraced(function* (name: string) {
    const { retrievedAt, rows } = yield* client.guard("search", ask(name))
    const items = new Map<string, EvidenceItem>()
    for (const row of rows) {
      const sighting = toSighting(row)
      if (sighting === null || !names(sighting.title, name)) continue
      const known = publisherAt(sighting.url)
      const publication: ItemHistory.Publication = {
        prefix: "gdelt",
        id: "doc",
        type: known?.type ?? "news",
        tier: known?.tier ?? "tier2",
        publisher: label(known?.name ?? domainOf(sighting.url) ?? new URL(sighting.url).host)
      }
      const id = ItemHistory.idOf(publication, sanitize.pageOf(sighting.url))
      if (!items.has(id)) items.set(id, ItemHistory.itemOf(publication, sighting, id, firstSeen.get(id) ?? retrievedAt))
    }
    const value = [...items.values()].toSorted((a, b) => DateTime.Order(b.publishedAt, a.publishedAt))
    for (const { firstSeenAt, id } of value) firstSeen.set(id, firstSeenAt)
    for (const oldest of [...firstSeen.keys()].slice(0, -REMEMBERED)) firstSeen.delete(oldest)
    const snapshot = { value, source: client.name, observedAt: retrievedAt, retrievedAt }
    const searched = { ...snapshot, value: value.length }
    last = Option.some(searched)
    yield* kept.save(searched)
    return snapshot
  })

  const find = yield* SharedLookups.make({
    topic: "searches",
    origin: client.origin,
    answer: Snapshot.schemaOf(ItemHistory.Items),
    failure: SourceError,
    ask: (name) => noting(search(name)),
    goodFor: Result.match({
      onSuccess: () => GOOD_FOR,
      // A search that was not made may be tried again at once, and by other replicas.
      onFailure: ({ wasCalled }) => (wasCalled ? FAILED_FOR : Duration.zero)
    })
  })
  const found = yield* Cache.makeWith(find, {
    capacity: 256,
    timeToLive: Exit.match({ onSuccess: ({ goodFor }) => goodFor, onFailure: () => Duration.zero })
  })

  const searchFor = Effect.fn("Gdelt.search")(function* (name: string) {
    const words = name
      .replaceAll(/[^\p{L}\p{N}.\- ]/gu, " ")
      .replaceAll(/\s+/g, " ")
      .trim()
    // GDELT refuses shorter phrases.
    if (words.length < 3 || words.length > 60) {
      return yield* client.error(new Unusable({ detail: "no answer to a name too short or too long to search for" }))
    }
    return yield* Effect.fromResult((yield* Cache.get(found, words)).result)
  })

  return {
    search: searchFor,
    searches: { source: client.name, every: GOOD_FOR, status, get: searchFor("Bitcoin") }
  }
}) {}

/** `20260601T120000Z`: when GDELT crawled it, shortly after its publication. */
const timeOf = (seendate: string): DateTime.Utc | undefined =>
  Option.getOrUndefined(
    DateTime.make(seendate.replace(/^(\d{4})(\d{2})(\d{2})T(\d{2})(\d{2})(\d{2})Z$/, "$1-$2-$3T$4:$5:$6Z"))
  )

/** The longest title that is read, in UTF-16 units. */
const TITLE_UNITS = 2_000

/**
 * GDELT puts spaces around punctuation: `Ether ( ETH ) falls 5 % , analysts say`. A run of blanks becomes one first: a pattern that
 * begins with a run tries each of its blanks as a beginning.
 */
export const tidy = (title: string): string =>
  title
    .slice(0, TITLE_UNITS)
    .replaceAll(/\s+/g, " ")
    .replaceAll(/\s([,.;:!?%)\]])/g, "$1")
    .replaceAll(/([($[])\s/g, "$1")
    .replaceAll(/\s([’'])\s?s\b/g, "$1s")

const toSighting = (row: typeof Row.Type): ItemHistory.RawItem | null => {
  const title = sanitize.title(tidy(row.title))
  const url = sanitize.link(row.url)
  const publishedAt = timeOf(row.seendate)
  if (title === null || url === null || publishedAt === undefined) return null
  return { key: url, title, summary: "", url, publishedAt }
}

/** Whether a title has the name as whole words; GDELT also finds it in the text and inside other words. */
const names = (title: string, name: string): boolean => {
  const words = name.replaceAll(".", "\\.")
  return new RegExp(`(?<![\\p{L}\\p{N}])${words}(?![\\p{L}\\p{N}])`, "iu").test(title)
}
