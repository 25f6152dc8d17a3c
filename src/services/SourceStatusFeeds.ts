// Every source with its feeds, collected from the sources' services by hand: what is missing here is missing on `/v1/sources`.
import { type Config, Effect, Layer } from "effect"
import { BitgetAnnouncements } from "../sources/news/BitgetAnnouncements.ts"
import { BitgetP2p } from "../sources/naira/BitgetP2p.ts"
import { BybitAnnouncements } from "../sources/news/BybitAnnouncements.ts"
import { BybitP2p } from "../sources/naira/BybitP2p.ts"
import { Cbn } from "../sources/naira/Cbn.ts"
import { CoinGecko } from "../sources/market/CoinGecko.ts"
import { CoinLore } from "../sources/market/CoinLore.ts"
import { CoinPaprika } from "../sources/market/CoinPaprika.ts"
import { CurrencyApi } from "../sources/fx/CurrencyApi.ts"
import { DefiLlama } from "../sources/news/DefiLlama.ts"
import type { DataSet } from "../sources/dataset/DataSet.ts"
import { Frankfurter } from "../sources/fx/Frankfurter.ts"
import { Gdelt } from "../sources/news/Gdelt.ts"
import { KucoinAnnouncements } from "../sources/news/KucoinAnnouncements.ts"
import { Luno } from "../sources/naira/Luno.ts"
import { NewsFeeds } from "../sources/news/NewsFeeds.ts"
import { OkxAnnouncements } from "../sources/news/OkxAnnouncements.ts"
import { Quidax } from "../sources/naira/Quidax.ts"
import { sourceCatalog } from "../sources/catalog/SourceCatalog.ts"
import type { SourceTerms } from "../sources/catalog/SourceTerms.ts"

/** A data set as far as its state goes. */
export type Watched = Pick<DataSet<unknown>, "every" | "status">

/** A source and its data sets by their names. */
export interface SourceFeeds {
  readonly terms: SourceTerms
  /** Not a default that other settings replace. */
  readonly isInUse: boolean
  readonly feeds: ReadonlyArray<readonly [name: string, feed: Watched]>
}

/** The services of all sources. */
export type AllSources =
  | BitgetAnnouncements
  | BitgetP2p
  | BybitAnnouncements
  | BybitP2p
  | Cbn
  | CoinGecko
  | CoinLore
  | CoinPaprika
  | CurrencyApi
  | DefiLlama
  | Frankfurter
  | Gdelt
  | KucoinAnnouncements
  | Luno
  | NewsFeeds
  | OkxAnnouncements
  | Quidax

/** Those that serve: layers are shared, so nobody is asked twice. */
export const layerAllSources: Layer.Layer<AllSources, Config.ConfigError> = Layer.mergeAll(
  BitgetAnnouncements.layer,
  BitgetP2p.layer,
  BybitAnnouncements.layer,
  BybitP2p.layer,
  Cbn.layer,
  CoinGecko.layer,
  CoinLore.layer,
  CoinPaprika.layer,
  CurrencyApi.layer,
  DefiLlama.layer,
  Frankfurter.layer,
  Gdelt.layer,
  KucoinAnnouncements.layer,
  Luno.layer,
  NewsFeeds.layer,
  OkxAnnouncements.layer,
  Quidax.layer
)

/** All sources, in the order of the catalogue; after them the news feeds that the operator added. */
export const allSources: Effect.Effect<ReadonlyArray<SourceFeeds>, never, AllSources> = Effect.gen(function* () {
  const feeds = yield* feedsById
  const news = (yield* NewsFeeds).feeds.map(({ items, terms }) => ({ terms, items }))
  const ofNews = (terms: SourceTerms): SourceFeeds["feeds"] =>
    news.filter((feed) => feed.terms === terms).map(({ items }) => ["news", items])
  return [
    ...sourceCatalog.map((terms): SourceFeeds => {
      if (!NewsFeeds.terms.includes(terms)) return { terms, isInUse: true, feeds: feeds[terms.id] ?? [] }
      const read = ofNews(terms)
      return { terms, isInUse: read.length > 0, feeds: read }
    }),
    ...news
      .filter(({ terms }) => !NewsFeeds.terms.includes(terms))
      .map(({ terms }) => ({ terms, isInUse: true, feeds: ofNews(terms) }))
  ]
})

const feedsById = Effect.gen(function* () {
  const gecko = yield* CoinGecko
  const paprika = yield* CoinPaprika
  const lore = yield* CoinLore
  const cbn = yield* Cbn
  const frankfurter = yield* Frankfurter
  const feeds: Readonly<Record<string, SourceFeeds["feeds"]>> = {
    COINGECKO: [
      ["coins", gecko.markets],
      ["global", gecko.global],
      ["registry", gecko.registry],
      ...(gecko.quotes === null ? [] : ([["quotes", gecko.quotes]] as const))
    ],
    COINPAPRIKA: [
      ["coins", paprika.list],
      ["global", paprika.global]
    ],
    COINLORE: [
      ["coins", lore.list],
      ["global", lore.global]
    ],
    BYBIT_P2P: [["p2p", (yield* BybitP2p).ads]],
    BITGET_P2P: [["p2p", (yield* BitgetP2p).ads]],
    QUIDAX: [["order_book", (yield* Quidax).book]],
    LUNO: [["order_book", (yield* Luno).book]],
    CBN: [
      ["nfem", cbn.nfem],
      ["all_rates", cbn.all]
    ],
    FRANKFURTER: [
      ["fx", frankfurter.rates],
      ["official_rate", frankfurter.official]
    ],
    CURRENCY_API: [["fx", (yield* CurrencyApi).rates]],
    [OkxAnnouncements.terms.id]: [["announcements", (yield* OkxAnnouncements).announcements]],
    [KucoinAnnouncements.terms.id]: [["announcements", (yield* KucoinAnnouncements).announcements]],
    [BitgetAnnouncements.terms.id]: [["announcements", (yield* BitgetAnnouncements).announcements]],
    [BybitAnnouncements.terms.id]: [["announcements", (yield* BybitAnnouncements).announcements]],
    [DefiLlama.terms.id]: [["hacks", (yield* DefiLlama).hacks]],
    [Gdelt.terms.id]: [["searches", (yield* Gdelt).searches]]
  }
  return feeds
})
