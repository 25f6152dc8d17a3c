// A case of why-bench as the engine's input, and an explanation as the scorer's prediction. Only `input` is decoded: a
// label or a gold answer beside it cannot reach the engine. Items are cleaned and ranked as the sources do it, so the
// score is of what serves.
import { DateTime, Option, Schema } from "effect"
import type { EvidenceItem } from "../../src/domain/Evidence.ts"
import type { PriceHistory } from "../../src/domain/PriceHistory.ts"
import { publisherAt } from "../../src/domain/Publishers.ts"
import * as ItemHistory from "../../src/sources/news/ItemHistory.ts"
import * as sanitize from "../../src/sources/news/sanitize.ts"
import type { Explained } from "../../src/why/Explain.ts"
import type { WhyInput } from "../../src/why/RunFacts.ts"

const Nullable = Schema.optionalKey(Schema.NullOr(Schema.Finite))

const Hourly = Schema.Struct({
  start: Schema.String,
  step_minutes: Schema.optionalKey(Schema.Finite),
  price: Schema.Array(Schema.NullOr(Schema.Finite))
})

const NullableHourly = Schema.optionalKey(Schema.NullOr(Hourly))

const Evidence = Schema.Struct({
  id: Schema.String,
  type: Schema.optionalKey(Schema.String),
  title: Schema.optionalKey(Schema.NullOr(Schema.String)),
  summary: Schema.optionalKey(Schema.NullOr(Schema.String)),
  url: Schema.optionalKey(Schema.NullOr(Schema.String)),
  publisher: Schema.optionalKey(Schema.NullOr(Schema.String)),
  published_at: Schema.optionalKey(Schema.NullOr(Schema.String))
})

const Input = Schema.Struct({
  as_of: Schema.String,
  coin: Schema.Struct({
    id: Schema.String,
    symbol: Schema.String,
    name: Schema.String,
    market_cap_rank: Nullable,
    categories: Schema.optionalKey(Schema.Array(Schema.String))
  }),
  move: Schema.Struct({
    change_pct: Schema.Finite,
    price_usd: Nullable,
    volume_24h_usd: Nullable,
    hourly: NullableHourly
  }),
  market: Schema.Struct({
    btc_change_24h: Nullable,
    eth_change_24h: Nullable,
    total_cap_change_24h: Nullable,
    top100_up_pct: Nullable,
    top100_median_change_24h: Nullable,
    beta_vs_btc_90d: Nullable,
    sectors: Schema.optionalKey(Schema.Array(Schema.Struct({ id: Schema.String, change_24h: Schema.Finite }))),
    btc_hourly: NullableHourly
  }),
  evidence: Schema.Array(Evidence)
})

/** One case: what may be seen of it. */
export const BenchCase = Schema.Struct({ id: Schema.String, input: Input })

/** A case, decoded. */
export type BenchCase = typeof BenchCase.Type

/** A file of cases: `{ cases: [...] }`, or the list itself. */
export const BenchFile = Schema.Union([Schema.Struct({ cases: Schema.Array(BenchCase) }), Schema.Array(BenchCase)])

/** The cases of a file. */
export const casesOf = (file: typeof BenchFile.Type): ReadonlyArray<BenchCase> => ("cases" in file ? file.cases : file)

/** A time; without a zone it is UTC. */
const timeOf = (text: string): DateTime.Utc | null => {
  const zoned = /T.*(?:Z|[+-]\d\d:?\d\d)$/i.test(text) ? text : /T/.test(text) ? `${text}Z` : `${text}T00:00:00Z`
  return Option.getOrNull(Option.map(DateTime.make(zoned), DateTime.toUtc))
}

/** Hourly prices, each missing one as the one before it. */
const historyOf = (id: string, hourly: typeof Hourly.Type | null | undefined): PriceHistory | null => {
  const start = timeOf(hourly?.start ?? "")
  if (start === null || !hourly || (hourly.step_minutes ?? 60) !== 60) return null
  const { price } = hourly
  const known = price.find((one) => one !== null) ?? 0
  const prices = price.map((one, at) => one ?? price.slice(0, at).findLast((before) => before !== null) ?? known)
  return { id, end: DateTime.add(start, { hours: prices.length - 1 }), prices }
}

/** What an adapter says itself of what it brings; the table of publishers says it of news. */
const stated: ReadonlyArray<EvidenceItem["type"]> = [
  "exchange_announcement",
  "project_blog",
  "regulator",
  "incident_record"
]

/** An item as the sources make it: the same cleaner, the same table of publishers. */
const itemsOf = (item: typeof Evidence.Type, asOf: DateTime.Utc): ReadonlyArray<EvidenceItem> => {
  const text = sanitize.text({ title: item.title ?? "", summary: item.summary ?? "" })
  const url = sanitize.link(item.url ?? "")
  if (text === null || url === null) return []
  const type = stated.find((one) => one === item.type)
  const listed = publisherAt(url)
  const published = timeOf(item.published_at ?? "") ?? asOf
  const publication = {
    prefix: "",
    id: item.id,
    type: type ?? listed?.type ?? "news",
    tier: type === undefined ? (listed?.tier ?? "tier2") : "primary",
    publisher: sanitize.title(item.publisher ?? "") ?? new URL(url).host
  } as const
  const precision = /T/.test(item.published_at ?? "") ? "instant" : "day"
  const raw = { key: item.id, ...text, url, publishedAt: published, precision } as const
  return [{ ...ItemHistory.itemOf(publication, raw, item.id, published), publishedAt: published }]
}

/** What the engine is given for a case. All feeds count as fresh. */
export const inputOf = ({ input }: BenchCase): WhyInput => {
  const { coin, move, market } = input
  const asOf = timeOf(input.as_of) ?? DateTime.makeUnsafe(0)
  return {
    asOf,
    coin: {
      id: coin.id,
      symbol: coin.symbol,
      name: coin.name,
      rank: coin.market_cap_rank ?? null,
      categories: coin.categories ?? []
    },
    move: {
      changePct: move.change_pct,
      price: move.price_usd ?? null,
      volume24h: move.volume_24h_usd ?? null,
      hourly: historyOf(coin.id, move.hourly)
    },
    market: {
      btcChange24h: market.btc_change_24h ?? null,
      ethChange24h: market.eth_change_24h ?? null,
      totalCapChange24h: market.total_cap_change_24h ?? null,
      top100UpPct: market.top100_up_pct ?? null,
      top100MedianChange24h: market.top100_median_change_24h ?? null,
      betaVsBtc: market.beta_vs_btc_90d ?? null,
      sectors: (market.sectors ?? []).map(({ id, change_24h }) => ({ id, change24h: change_24h, members: null })),
      btcHourly: historyOf("bitcoin", market.btc_hourly)
    },
    evidence: input.evidence.flatMap((item) => itemsOf(item, asOf)),
    coverage: { sourcesOk: 1, sourcesFailed: [], freshShare: 1, url: "https://example.com/sources" },
    figures: {
      publisher: "why-bench",
      coinUrl: `https://www.coingecko.com/en/coins/${coin.id}`,
      marketUrl: "https://www.coingecko.com/en/global-charts",
      observedAt: asOf
    }
  }
}

const BENCH_IDS: ReadonlyMap<string, string> = new Map([
  ["m1", "market:btc"],
  ["m2", "market:coin"],
  ["m3", "market:global"],
  ["m4", "market:sector"],
  ["c1", "coverage"]
])

/** A prediction in the scorer's form. */
export interface Prediction {
  readonly verdict: string
  readonly drivers: ReadonlyArray<{ readonly kind: string; readonly citations: ReadonlyArray<string> }>
  readonly sentences: ReadonlyArray<{ readonly text: string; readonly citations: ReadonlyArray<string> }>
  readonly confidence: number
}

/** Item ids behind the citation ids `e1`…. */
export const citedItems = ({ cited }: Explained): ReadonlyMap<string, string> =>
  new Map([...cited].map(([item, { id }]) => [id, item]))

/** An explanation as a prediction: with the citation ids of the scorer. */
export const predictionOf = (explained: Explained): Prediction => {
  const { explanation } = explained
  const items = citedItems(explained)
  const idsOf = (ids: ReadonlyArray<string>): ReadonlyArray<string> =>
    ids.map((id) => BENCH_IDS.get(id) ?? items.get(id) ?? id)
  return {
    verdict: explanation.verdict ?? "unexplained",
    drivers: explanation.drivers.map(({ citations, kind }) => ({ kind, citations: idsOf(citations) })),
    sentences: explanation.sentences.map(({ citations, text }) => ({ text, citations: idsOf(citations) })),
    confidence: explanation.confidence.score
  }
}
