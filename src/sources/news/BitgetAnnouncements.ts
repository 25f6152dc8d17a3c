// Bitget's announcements: code "00000" or a refusal with status 200, times as text in milliseconds. The path is misspelt, and
// that is how it is served. https://www.bitget.com/api-doc/common/notice/Get-All-Notices
import { type Config, Context, Effect, Layer, Schema } from "effect"
import { HttpClientRequest } from "effect/http"
import type { EvidenceItem } from "../../domain/Evidence.ts"
import * as Announcements from "./Announcements.ts"
import type * as Feed from "../dataset/DataSet.ts"
import * as SourceClient from "../client/SourceClient.ts"
import { Rejected } from "../client/SourceError.ts"
import type { SourceTerms } from "../catalog/SourceTerms.ts"
import * as WireFormat from "../client/WireFormat.ts"

const terms: SourceTerms = {
  id: "BITGET",
  name: "Bitget",
  baseUrl: "https://api.bitget.com",
  attribution: "Announcements by Bitget",
  link: "https://www.bitget.com/support/sections/5955813039257",
  licence: "documented public API; title and link only",
  redistribution: "unclear"
}

const types = ["coin_listings", "symbol_delisting"]

const Body = Schema.Struct({
  code: Schema.optionalKey(Schema.String),
  data: Schema.optionalKey(Schema.NullOr(WireFormat.Rows))
})

const Row = Schema.Struct({
  annId: Schema.Union([Schema.NonEmptyString, Schema.Finite]),
  annTitle: Schema.NonEmptyString,
  annDesc: WireFormat.NullishText,
  cTime: Announcements.EpochMillis,
  annUrl: Schema.NonEmptyString
})

/** Bitget's announcements. */
export class BitgetAnnouncements extends Context.Service<
  BitgetAnnouncements,
  {
    /** Listings and delistings of the last 96 hours, newest first. */
    readonly announcements: Feed.DataSet<ReadonlyArray<EvidenceItem>>
  }
>()("crypto-data-api/sources/news/BitgetAnnouncements") {
  static readonly terms = terms

  static readonly layerNoDeps: Layer.Layer<BitgetAnnouncements, Config.ConfigError, SourceClient.Requirements> =
    Layer.effect(
      BitgetAnnouncements,
      Effect.gen(function* () {
        const client = yield* SourceClient.make({ terms, allowances: [{ calls: 20, per: "1 minute" }] })

        const list = Effect.fnUntraced(function* (annType: string) {
          const { body, retrievedAt } = yield* client.request(
            HttpClientRequest.get("/api/v2/public/annoucements", { urlParams: { language: "en_US", annType } }),
            Body
          )
          const code = body.code ?? "00000"
          if (code !== "00000") return yield* client.error(new Rejected({ code: code.slice(0, 20) }))
          const { bad, good } = WireFormat.rows(Row, body.data ?? [])
          const notices = good.map((row) => ({
            key: String(row.annId),
            title: row.annTitle,
            summary: row.annDesc ?? undefined,
            url: row.annUrl,
            at: row.cTime
          }))
          return { notices, bad, retrievedAt }
        })

        return BitgetAnnouncements.of({
          announcements: yield* Announcements.makeFeed({ client, prefix: "bitget", lists: types.map(list) })
        })
      })
    )

  static readonly layer: Layer.Layer<BitgetAnnouncements, Config.ConfigError> = this.layerNoDeps.pipe(
    Layer.provide(SourceClient.layerRequirements)
  )

  static readonly layerTest = (service: BitgetAnnouncements["Service"]) => Layer.succeed(BitgetAnnouncements, service)
}
