// Maps each source of the catalog to its adapter and data sets; a test finds a record without one. The catalog defines their order. The
// backfill names its sources itself (`backfillPieces.ts`).
import { type Config, Effect, Layer, Struct } from "effect"
import type { Coin } from "../domain/Coin.ts"
import type { EvidenceItem, EvidenceTier } from "../domain/Evidence.ts"
import type { FxRates } from "../domain/FxRates.ts"
import type { GlobalMarket } from "../domain/GlobalMarket.ts"
import type { OfficialRate } from "../domain/OfficialRate.ts"
import type { OrderBookTop } from "../domain/OrderBook.ts"
import type { Pair } from "../domain/Pair.ts"
import type { P2pAd } from "../domain/P2pAd.ts"
import { sourceCatalog } from "./catalog/SourceCatalog.ts"
import type { DataSetName, SourceRecord } from "./catalog/SourceRecord.ts"
import type { DataSet } from "./dataset/DataSet.ts"
import type { Candles } from "./exchange/candles.ts"
import type { Books } from "./p2p/p2pBooks.ts"
import { Binance } from "./exchange/Binance.ts"
import { Bitfinex } from "./exchange/Bitfinex.ts"
import { Bitstamp } from "./exchange/Bitstamp.ts"
import { CryptoCom } from "./exchange/CryptoCom.ts"
import { Gate } from "./exchange/Gate.ts"
import { Kraken } from "./exchange/Kraken.ts"
import { KuCoin } from "./exchange/KuCoin.ts"
import { Okx } from "./exchange/Okx.ts"
import { Cbn } from "./fx/Cbn.ts"
import { CurrencyApi } from "./fx/CurrencyApi.ts"
import { Frankfurter } from "./fx/Frankfurter.ts"
import { CoinGecko } from "./market/CoinGecko.ts"
import { CoinPaprika } from "./market/CoinPaprika.ts"
import { Announcements } from "./news/Announcements.ts"
import { DefiLlama } from "./news/DefiLlama.ts"
import { NewsFeeds } from "./news/NewsFeeds.ts"
import { BinanceP2p } from "./p2p/BinanceP2p.ts"
import { BitgetP2p } from "./p2p/BitgetP2p.ts"
import { BybitP2p } from "./p2p/BybitP2p.ts"
import { Luno } from "./p2p/Luno.ts"
import { Quidax } from "./p2p/Quidax.ts"
import { Valr } from "./p2p/Valr.ts"

/** A data set whose values are not needed: its state, and a fetch. */
export type Watched = Pick<DataSet<unknown>, "key" | "source" | "every" | "status" | "get">

/** The values of the data sets that several sources may have. */
export interface Answers {
  readonly tickers: ReadonlyArray<Pair>
  readonly coins: ReadonlyArray<Coin>
  readonly global: GlobalMarket
  readonly nfem: OfficialRate
  readonly all_rates: OfficialRate
  readonly official_rate: OfficialRate
  readonly fx: FxRates
  readonly announcements: ReadonlyArray<EvidenceItem>
  readonly hacks: ReadonlyArray<EvidenceItem>
  readonly news: ReadonlyArray<EvidenceItem>
}

/** The values of the data sets of P2P markets. A source has one for each followed market that it serves. */
export interface BookAnswers {
  readonly p2p: ReadonlyArray<P2pAd>
  readonly order_book: OrderBookTop
}

/** A book of the P2P market of a fiat. */
export type Book = {
  readonly [K in keyof BookAnswers]: {
    readonly name: K
    readonly fiat: string
    readonly set: DataSet<BookAnswers[K]>
  }
}[keyof BookAnswers]

/** Names of the data sets that services read from several sources. `registry` only helps its own source. */
export type AnswerName = keyof Answers

export type Answering = { readonly [N in AnswerName]?: DataSet<Answers[N]> }

/** Names of all data sets but books. */
type WatchedName = Exclude<DataSetName, keyof BookAnswers>

/** Data sets by name; `null` if the plan in use has no calls for one. */
type DataSets<N extends DataSetName> = { readonly [K in N & AnswerName]: DataSet<Answers[K]> } & {
  readonly [K in Exclude<N & WatchedName, AnswerName>]: Watched | null
}

/** The members of a source's service, by the names in its record: data sets, and a book for each market. */
type Members<N extends DataSetName> = DataSets<N> & { readonly [K in N & keyof BookAnswers]: Books<BookAnswers[K]> }

export interface SourceDataSets {
  readonly source: SourceRecord
  /** False for a default feed that the settings replace. */
  readonly isInUse: boolean
  /** The weight of its evidence, if it has any. */
  readonly tier: EvidenceTier
  readonly dataSets: Answering & Partial<DataSets<DataSetName>>
  readonly books: ReadonlyArray<Book>
  /** The candles of its pairs, if it is an exchange. */
  readonly candles?: Candles | undefined
}

interface Adapter<I, N extends DataSetName> {
  readonly layer: Layer.Layer<I, Config.ConfigError>
  readonly names: ReadonlyArray<N>
  readonly read: Effect.Effect<ReadonlyArray<SourceDataSets>, never, I>
}

interface Service<I, S> {
  readonly layer: Layer.Layer<I, Config.ConfigError>
  readonly useSync: <A>(read: (service: S) => A) => Effect.Effect<A, never, I>
}

const isWatched = (name: DataSetName): name is WatchedName => name !== "p2p" && name !== "order_book"

const booksIn = ({ order_book, p2p }: Partial<Members<keyof BookAnswers>>): ReadonlyArray<Book> => [
  ...[...(p2p ?? [])].map(([fiat, set]) => ({ name: "p2p" as const, fiat, set })),
  ...[...(order_book ?? [])].map(([fiat, set]) => ({ name: "order_book" as const, fiat, set }))
]

/** The adapter of one source. Its service has the data sets of its record as members. */
const oneSource = <I, const R extends SourceRecord, S extends Members<R["dataSets"][number]>>(
  service: Service<I, S> & { readonly terms: R }
): Adapter<I, R["dataSets"][number]> => ({
  layer: service.layer,
  names: service.terms.dataSets,
  read: service.useSync((members) => {
    const optional: Partial<Members<DataSetName>> & { readonly candles?: Candles } = members
    const dataSets = Struct.pick(optional, service.terms.dataSets.filter(isWatched))
    return [
      {
        source: service.terms,
        isInUse: true,
        tier: "primary",
        dataSets,
        books: booksIn(optional),
        candles: optional.candles
      }
    ]
  })
})

/** The adapter of several sources with one data set each. */
const manySources = <I, S, N extends DataSetName>(
  service: Service<I, S>,
  name: N,
  read: (service: S) => ReadonlyArray<SourceDataSets>
): Adapter<I, N> => ({ layer: service.layer, names: [name], read: service.useSync(read) })

const adapters = [
  oneSource(Kraken),
  oneSource(Bitstamp),
  oneSource(Bitfinex),
  oneSource(Binance),
  oneSource(Okx),
  oneSource(KuCoin),
  oneSource(CryptoCom),
  oneSource(Gate),
  oneSource(CoinGecko),
  oneSource(CoinPaprika),
  oneSource(BybitP2p),
  oneSource(BitgetP2p),
  oneSource(BinanceP2p),
  oneSource(Quidax),
  oneSource(Luno),
  oneSource(Valr),
  oneSource(Cbn),
  oneSource(Frankfurter),
  oneSource(CurrencyApi),
  manySources(Announcements, "announcements", ({ venues }) =>
    venues.map(({ announcements, source }) => ({
      source,
      isInUse: true,
      tier: "primary",
      dataSets: { announcements },
      books: []
    }))
  ),
  manySources(NewsFeeds, "news", ({ feeds }) => [
    ...sourceCatalog
      .filter((source) => source.feedUrl !== undefined && !feeds.some((feed) => feed.source === source))
      .map((source) => ({ source, isInUse: false, tier: "tier3" as const, dataSets: {}, books: [] })),
    ...feeds.map(({ items, source, tier }) => ({ source, isInUse: true, tier, dataSets: { news: items }, books: [] }))
  ]),
  oneSource(DefiLlama)
] as const

type AnyAdapter = (typeof adapters)[number]

export type AllSources = AnyAdapter extends infer A ? (A extends Adapter<infer I, DataSetName> ? I : never) : never

/** The services of the sources that have one of these data sets. */
export type SourcesWith<N extends DataSetName> = AnyAdapter extends infer A
  ? A extends Adapter<infer I, infer Names>
    ? N & Names extends never
      ? never
      : I
    : never
  : never

const adaptersWith = (names: ReadonlyArray<DataSetName>) =>
  adapters.filter((adapter) => adapter.names.some((name) => names.includes(name)))

/** The layers of the sources that have one of these data sets. Layers are shared with every other use of the same sources. */
export const layerWith = <N extends DataSetName>(
  ...names: ReadonlyArray<N>
): Layer.Layer<SourcesWith<N>, Config.ConfigError> =>
  Layer.mergeAll(Layer.empty, ...adaptersWith(names).map(({ layer }) => layer))

const inOrder = (sources: ReadonlyArray<SourceDataSets>): ReadonlyArray<SourceDataSets> => [
  ...sourceCatalog.flatMap((listed) => sources.filter(({ source }) => source === listed)),
  ...sources.filter(({ source }) => !sourceCatalog.includes(source))
]

/** The sources that have one of these data sets, in the order of the catalog, then the operator's own feeds. */
export const sourcesWith = <N extends DataSetName>(
  ...names: ReadonlyArray<N>
): Effect.Effect<ReadonlyArray<SourceDataSets>, never, SourcesWith<N>> =>
  Effect.map(
    Effect.forEach(
      adaptersWith(names),
      ({ read }) => read as Effect.Effect<ReadonlyArray<SourceDataSets>, never, SourcesWith<N>>
    ),
    (sources) => inOrder(sources.flat())
  )

/** The data sets with these names of all sources, in order of fallback. */
export const dataSetsOf = <N extends AnswerName>(
  ...names: ReadonlyArray<N>
): Effect.Effect<readonly [DataSet<Answers[N]>, ...ReadonlyArray<DataSet<Answers[N]>>], never, SourcesWith<N>> =>
  Effect.flatMap(sourcesWith(...names), (sources) => {
    const [first, ...others] = sources.flatMap((source) => {
      const dataSets: Answering = source.dataSets
      return names.flatMap((name) => dataSets[name] ?? [])
    })
    return first === undefined
      ? Effect.die(new Error(`no source has a data set ${names.join(" or ")}`))
      : Effect.succeed([first, ...others] as const)
  })

/** The books of all P2P markets, in the order of the catalog. */
export const marketBooks: Effect.Effect<
  ReadonlyArray<Book & { readonly source: SourceRecord }>,
  never,
  SourcesWith<keyof BookAnswers>
> = Effect.map(sourcesWith("p2p", "order_book"), (sources) =>
  sources.flatMap(({ books, source }) => books.map((book) => ({ ...book, source })))
)

/** The data sets of a source for its status: in the order of its record, with a book for each market. */
export const watchedIn = ({
  books,
  dataSets,
  source
}: SourceDataSets): ReadonlyArray<{ readonly name: DataSetName; readonly market?: string; readonly set: Watched }> =>
  source.dataSets.flatMap((name) => {
    const set = isWatched(name) ? dataSets[name] : undefined
    const ofMarkets = books.flatMap((book) => (book.name === name ? [{ name, market: book.fiat, set: book.set }] : []))
    return set === undefined || set === null ? ofMarkets : [{ name, set }]
  })

const everyName = sourceCatalog.flatMap(({ dataSets }) => dataSets)

/** All sources, in the order of {@link sourcesWith}. */
export const allSources: Effect.Effect<ReadonlyArray<SourceDataSets>, never, AllSources> = sourcesWith(...everyName)

export const layerAllSources: Layer.Layer<AllSources, Config.ConfigError> = layerWith(...everyName)
