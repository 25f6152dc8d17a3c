// OKX's announcements of listings and delistings: code "0" or a refusal with status 200, times as text in milliseconds, and
// contracts on shares among the new listings. https://www.okx.com/docs-v5 (announcements; 5 calls in 2 s)
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
  id: "OKX",
  name: "OKX",
  baseUrl: "https://www.okx.com",
  attribution: "Announcements by OKX",
  link: "https://www.okx.com/help/section/announcements-latest-announcements",
  licence: "documented public API; title and link only",
  redistribution: "unclear"
}

const types = ["announcements-new-listings", "announcements-delistings"]

const Body = Schema.Struct({
  code: Schema.String,
  data: Schema.optionalKey(Schema.Array(Schema.Struct({ details: WireFormat.Rows })))
})

const Row = Schema.Struct({
  title: Schema.NonEmptyString,
  url: Schema.NonEmptyString,
  pTime: Announcements.EpochMillis
})

/** OKX's announcements. */
export class OkxAnnouncements extends Context.Service<
  OkxAnnouncements,
  {
    /** Listings and delistings of the last 96 hours, newest first. */
    readonly announcements: Feed.DataSet<ReadonlyArray<EvidenceItem>>
  }
>()("crypto-data-api/sources/news/OkxAnnouncements") {
  static readonly terms = terms

  static readonly layerNoDeps: Layer.Layer<OkxAnnouncements, Config.ConfigError, SourceClient.Requirements> =
    Layer.effect(
      OkxAnnouncements,
      Effect.gen(function* () {
        const client = yield* SourceClient.make({ terms, allowances: [{ calls: 20, per: "1 minute" }] })

        const list = Effect.fnUntraced(function* (annType: string) {
          const { body, retrievedAt } = yield* client.request(
            HttpClientRequest.get("/api/v5/support/announcements", { urlParams: { annType, page: "1" } }),
            Body
          )
          if (body.code !== "0") return yield* client.error(new Rejected({ code: body.code.slice(0, 20) }))
          const { bad, good } = WireFormat.rows(Row, body.data?.flatMap(({ details }) => details) ?? [])
          const notices = good.map((row) => ({ key: row.url, title: row.title, url: row.url, at: row.pTime }))
          return { notices, bad, retrievedAt }
        })

        return OkxAnnouncements.of({
          announcements: yield* Announcements.makeFeed({ client, prefix: "okx", lists: types.map(list) })
        })
      })
    )

  static readonly layer: Layer.Layer<OkxAnnouncements, Config.ConfigError> = this.layerNoDeps.pipe(
    Layer.provide(SourceClient.layerRequirements)
  )

  static readonly layerTest = (service: OkxAnnouncements["Service"]) => Layer.succeed(OkxAnnouncements, service)
}
