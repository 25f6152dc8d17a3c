// The exchanges whose announcements are read, and what differs between them: the URLs of their lists, the form of an error with
// status 200, and that of a row. All of them list contracts on shares among the coins; `Announcements` drops those.
import { Effect, Schema } from "effect"
import { catalog } from "../catalog/SourceCatalog.ts"
import type { SourceRecord } from "../catalog/SourceRecord.ts"
import type { SourceClient } from "../client/SourceClient.ts"
import { rejected } from "../client/SourceError.ts"
import * as WireFormat from "../client/WireFormat.ts"

export interface Notice {
  /** Unique within its venue. */
  readonly key: string
  readonly title: string
  readonly summary?: string | null | undefined
  readonly url: string
  /** Epoch milliseconds. */
  readonly at: number
  /** The venue's own labels, if any. */
  readonly tags?: ReadonlyArray<string> | null | undefined
}

export type Venue = ReturnType<typeof venue>

/** Epoch milliseconds as a number or as text. A time in seconds is out of range and loses its row. */
const EpochMillis = WireFormat.Decimal.check(Schema.isBetween({ minimum: 1e11, maximum: 1e14 }))

/** The notices of one list. */
const Notices = WireFormat.Rows(500)

/** A row of KuCoin or Bitget. */
const Row = Schema.Struct({
  annId: Schema.Union([Schema.Finite, Schema.NonEmptyString]),
  annTitle: Schema.NonEmptyString,
  annDesc: WireFormat.NullishText,
  cTime: EpochMillis,
  annUrl: Schema.NonEmptyString
})

const toNotice = (row: typeof Row.Type): Notice => ({
  key: String(row.annId),
  title: row.annTitle,
  summary: row.annDesc,
  url: row.annUrl,
  at: row.cTime
})

const venue = <B extends WireFormat.Wire, R extends WireFormat.Wire>(options: {
  readonly source: SourceRecord
  readonly path: string
  readonly queries: ReadonlyArray<Readonly<Record<string, string>>>
  readonly body: B
  /** The error code of a body; `null` for a success. */
  readonly refusal: (body: B["Type"]) => string | null
  readonly rows: (body: B["Type"]) => ReadonlyArray<unknown> | null | undefined
  readonly row: R
  /** `null` for a row that is not about a listing. */
  readonly notice: (row: R["Type"], query: Readonly<Record<string, string>>) => Notice | null
}) => ({
  source: options.source,
  /** Fetches each list: its notices, and the number of malformed rows. */
  lists: (client: SourceClient) =>
    options.queries.map((query) =>
      Effect.gen(function* () {
        const { body, ...times } = yield* client.get(options.path, options.body, { query })
        const code = options.refusal(body)
        if (code !== null) return yield* client.error(rejected(code))
        const { bad, good } = WireFormat.rows(options.row, options.rows(body) ?? [])
        const notices = good.map((row) => options.notice(row, query)).filter((notice) => notice !== null)
        return { notices, bad, ...times }
      })
    )
})

/** https://www.okx.com/docs-v5 (announcements; 5 calls in 2 s). Times are text. */
const okx = venue({
  source: catalog.OKX,
  path: "/api/v5/support/announcements",
  queries: ["announcements-new-listings", "announcements-delistings"].map((annType) => ({ annType, page: "1" })),
  body: Schema.Struct({
    code: Schema.String,
    data: Schema.optionalKey(Schema.Array(Schema.Struct({ details: Notices })))
  }),
  refusal: ({ code }) => (code === "0" ? null : code),
  rows: ({ data }) => data?.flatMap(({ details }) => details),
  row: Schema.Struct({ title: Schema.NonEmptyString, url: Schema.NonEmptyString, pTime: EpochMillis }),
  notice: ({ pTime, title, url }) => ({ key: url, title, url, at: pTime })
})

const isAboutListing = (title: string): boolean =>
  /\b(?:de-?list(?:s|ed|ing|ings)?|list(?:s|ed|ing|ings)?|gets listed|remov(?:e|es|al))\b/i.test(title)

/**
 * https://www.kucoin.com/docs-new (get announcements). Delistings are often only among the latest announcements, so these are
 * read too, if the title is about a listing or delisting.
 */
const kucoin = venue({
  source: catalog.KUCOIN,
  path: "/api/v3/announcements",
  queries: ["new-listings", "delistings", "latest-announcements"].map((annType) => ({
    annType,
    lang: "en_US",
    pageSize: "20",
    currentPage: "1"
  })),
  body: Schema.Struct({
    code: Schema.String,
    data: Schema.optionalKey(Schema.NullOr(Schema.Struct({ items: Notices })))
  }),
  refusal: ({ code }) => (code === "200000" ? null : code),
  rows: ({ data }) => data?.items,
  row: Row,
  notice: (row, { annType }) =>
    annType === "latest-announcements" && !isAboutListing(row.annTitle) ? null : toNotice(row)
})

/** https://www.bitget.com/api-doc/common/notice/Get-All-Notices. Bitget misspells the path. Times are text. */
const bitget = venue({
  source: catalog.BITGET,
  path: "/api/v2/public/annoucements",
  queries: ["coin_listings", "symbol_delisting"].map((annType) => ({ language: "en_US", annType })),
  body: Schema.Struct({
    code: Schema.optionalKey(Schema.String),
    data: Schema.optionalKey(Schema.NullOr(Notices))
  }),
  refusal: ({ code = "00000" }) => (code === "00000" ? null : code),
  rows: ({ data }) => data,
  row: Row,
  notice: toNotice
})

/**
 * https://bybit-exchange.github.io/docs/v5/announcement. `publishTime` is the time of publication, `dateTimestamp` the author's
 * own date. The tags mark contracts on shares.
 */
const bybit = venue({
  source: catalog.BYBIT,
  path: "/v5/announcements/index",
  queries: ["new_crypto", "delistings"].map((type) => ({ locale: "en-US", type, page: "1", limit: "20" })),
  body: Schema.Struct({
    retCode: Schema.Finite,
    result: Schema.optionalKey(Schema.Struct({ list: Schema.optionalKey(Notices) }))
  }),
  refusal: ({ retCode }) => (retCode === 0 ? null : String(retCode)),
  rows: ({ result }) => result?.list,
  row: Schema.Struct({
    title: Schema.NonEmptyString,
    description: WireFormat.NullishText,
    tags: Schema.optionalKey(Schema.NullOr(Schema.Array(Schema.String))),
    url: Schema.NonEmptyString,
    dateTimestamp: EpochMillis,
    publishTime: Schema.optionalKey(Schema.NullOr(EpochMillis))
  }),
  notice: ({ dateTimestamp, description, publishTime, tags, title, url }) => ({
    key: url,
    title,
    summary: description,
    url,
    at: publishTime ?? dateTimestamp,
    tags
  })
})

/** In the order of `/v1/sources`. */
export const venues: ReadonlyArray<Venue> = [okx, kucoin, bitget, bybit]
