// The shape of a source's record: what it is called, where it is, on what terms its data may be passed on, how often it may be
// called, and which data sets it has. The records themselves are in `SourceCatalog`.
import { Context, type Duration } from "effect"

/** What `/v1/sources` and the table in `docs/sources.md` say of a source. */
export interface SourceTerms {
  /** Setting prefix (`<ID>_BASE_URL`) and the source's name in `SOURCES_DISABLED`, e.g. `COINGECKO`. */
  readonly id: string
  /** The name in `meta.source`. */
  readonly name: string
  /** The part of its public address before the path. */
  readonly baseUrl: string
  /** Former addresses with the same paths, asked in order where the one before fails. `<ID>_BASE_URL` replaces them too. */
  readonly olderBaseUrls?: ReadonlyArray<string>
  /** The sentence that credits it. */
  readonly attribution: string
  readonly link: string
  readonly licence: string
  /** Whether its data may be served on. */
  readonly redistribution: "yes" | "attribution" | "unclear" | "no"
}

/** At most `calls` in any span of `per`; of these, at most `onDemand` (default: all) for look-ups that callers cause. */
export interface Allowance {
  readonly calls: number
  readonly per: Duration.Input
  readonly onDemand?: number
}

/** The names of data sets in `/v1/sources`. */
export type DataSetName =
  | "tickers"
  | "coins"
  | "global"
  | "registry"
  | "quotes"
  | "p2p"
  | "p2p_configuration"
  | "order_book"
  | "nfem"
  | "all_rates"
  | "official_rate"
  | "fx"
  | "announcements"
  | "hacks"
  | "news"

/** A source's terms, budget and data sets. */
export interface SourceRecord extends SourceTerms {
  /** The budget of calls, retries included; a plan or a data set may have one of its own. */
  readonly allowances: ReadonlyArray<Allowance>
  /** The budget of calls for candles of the past, where the source is an exchange. A backfill takes half of it. */
  readonly candleAllowances?: ReadonlyArray<Allowance>
  /** In the order of `/v1/sources`. */
  readonly dataSets: ReadonlyArray<DataSetName>
  /** The pages that show its figures, where they are not at `link`: of a coin, `{id}` being CoinGecko's id, and of the market. */
  readonly coinPage?: string
  readonly marketPage?: string
  /** The feed that is read, where the source is a news feed. */
  readonly feedUrl?: string
}

/** Maps the public names in stamps. The sandbox marks each, so that no simulated figure passes for a real one. */
export const SourceLabel = Context.Reference<(name: string) => string>("crypto-data-api/sources/catalog/SourceLabel", {
  defaultValue: () => (name) => name
})

export const listed = <const R extends Readonly<Record<string, Omit<SourceRecord, "id">>>>(records: R) =>
  Object.fromEntries(Object.entries(records).map(([id, record]) => [id, { id, ...record }])) as {
    readonly [Id in keyof R]: R[Id] & { readonly id: Id }
  }

export const perMinute = (calls: number) => [{ calls, per: "1 minute" }] as const
