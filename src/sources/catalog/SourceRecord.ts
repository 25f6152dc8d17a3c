// The shape of a source's record: its name, URLs, licence, budget of calls and data sets. The records are in `SourceCatalog`.
import { Context, type Duration } from "effect"

/** A source's entry in `/v1/sources` and in the table of `docs/sources.md`. */
export interface SourceTerms {
  /** Setting prefix (`<ID>_BASE_URL`) and the source's name in `SOURCES_DISABLED`, e.g. `COINGECKO`. */
  readonly id: string
  /** The name in `meta.source`. */
  readonly name: string
  /** The part of its public URLs before the path. */
  readonly baseUrl: string
  /** Former base URLs with the same paths, tried in order if the one before fails. `<ID>_BASE_URL` replaces them too. */
  readonly olderBaseUrls?: ReadonlyArray<string>
  /** The credit line. */
  readonly attribution: string
  readonly link: string
  readonly licence: string
  /** Whether its data may be redistributed. */
  readonly redistribution: "yes" | "attribution" | "unclear" | "no"
}

/**
 * At most `calls` in any span of `per`; of these, at most `onDemand` for look-ups that callers cause. In the longest span the polls and
 * `onDemand` together are at most `calls`.
 */
export interface Allowance {
  readonly calls: number
  readonly per: Duration.Input
  readonly onDemand: number
}

export type DataSetName =
  | "tickers"
  | "coins"
  | "global"
  | "registry"
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
  /** The budget of calls, retries included. A plan or a data set may have its own. */
  readonly allowances: ReadonlyArray<Allowance>
  /** The budget of calls for candles, if the source is an exchange. A backfill takes at most half of it. */
  readonly candleAllowances?: ReadonlyArray<Allowance>
  /** In the order of `/v1/sources`. */
  readonly dataSets: ReadonlyArray<DataSetName>
  /** The pages of a coin (`{id}`: CoinGecko's id) and of the market, if they are not at `link`. */
  readonly coinPage?: string
  readonly marketPage?: string
  /** Set for a news feed. */
  readonly feedUrl?: string
}

/** Maps the public names in stamps. The sandbox marks each name, so that nobody mistakes a simulated figure for a real one. */
export const SourceLabel = Context.Reference<(name: string) => string>("crypto-data-api/sources/catalog/SourceLabel", {
  defaultValue: () => (name) => name
})

export const listed = <const R extends Readonly<Record<string, Omit<SourceRecord, "id">>>>(records: R) =>
  Object.fromEntries(Object.entries(records).map(([id, record]) => [id, { id, ...record }])) as {
    readonly [Id in keyof R]: R[Id] & { readonly id: Id }
  }

/** `onDemand`: 0 for a source that is only polled. */
export const perMinute = (calls: number, { onDemand }: Pick<Allowance, "onDemand">) =>
  [{ calls, per: "1 minute", onDemand }] as const

/** A budget for look-ups alone. */
export const lookUpsPerMinute = (calls: number) => perMinute(calls, { onDemand: calls })
