// KuCoin's announcements: code "200000" or a refusal with status 200. Delistings are often filed only under the latest
// announcements, so these are read too, for what their titles say. https://www.kucoin.com/docs-new (get announcements)
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
  id: "KUCOIN",
  name: "KuCoin",
  baseUrl: "https://api.kucoin.com",
  attribution: "Announcements by KuCoin",
  link: "https://www.kucoin.com/announcement",
  licence: "documented public API; title and link only",
  redistribution: "unclear"
}

const types = ["new-listings", "delistings", "latest-announcements"]

const Body = Schema.Struct({
  code: Schema.String,
  data: Schema.optionalKey(Schema.NullOr(Schema.Struct({ items: WireFormat.Rows })))
})

const Row = Schema.Struct({
  annId: Schema.Union([Schema.Finite, Schema.NonEmptyString]),
  annTitle: Schema.NonEmptyString,
  annDesc: WireFormat.NullishText,
  cTime: Announcements.EpochMillis,
  annUrl: Schema.NonEmptyString
})

const isAboutListing = (title: string): boolean =>
  /\b(?:de-?list(?:s|ed|ing|ings)?|list(?:s|ed|ing|ings)?|gets listed|remov(?:e|es|al))\b/i.test(title)

/** KuCoin's announcements. */
export class KucoinAnnouncements extends Context.Service<
  KucoinAnnouncements,
  {
    /** Listings and delistings of the last 96 hours, newest first. */
    readonly announcements: Feed.DataSet<ReadonlyArray<EvidenceItem>>
  }
>()("crypto-data-api/sources/news/KucoinAnnouncements") {
  static readonly terms = terms

  static readonly layerNoDeps: Layer.Layer<KucoinAnnouncements, Config.ConfigError, SourceClient.Requirements> =
    Layer.effect(
      KucoinAnnouncements,
      Effect.gen(function* () {
        const client = yield* SourceClient.make({ terms, allowances: [{ calls: 20, per: "1 minute" }] })

        const list = Effect.fnUntraced(function* (annType: string) {
          const { body, retrievedAt } = yield* client.request(
            HttpClientRequest.get("/api/v3/announcements", {
              urlParams: { annType, lang: "en_US", pageSize: "20", currentPage: "1" }
            }),
            Body
          )
          if (body.code !== "200000") return yield* client.error(new Rejected({ code: body.code.slice(0, 20) }))
          const { bad, good } = WireFormat.rows(Row, body.data?.items ?? [])
          const notices = good
            .filter((row) => annType !== "latest-announcements" || isAboutListing(row.annTitle))
            .map((row) => ({
              key: String(row.annId),
              title: row.annTitle,
              summary: row.annDesc ?? undefined,
              url: row.annUrl,
              at: row.cTime
            }))
          return { notices, bad, retrievedAt }
        })

        return KucoinAnnouncements.of({
          announcements: yield* Announcements.makeFeed({ client, prefix: "kucoin", lists: types.map(list) })
        })
      })
    )

  static readonly layer: Layer.Layer<KucoinAnnouncements, Config.ConfigError> = this.layerNoDeps.pipe(
    Layer.provide(SourceClient.layerRequirements)
  )

  static readonly layerTest = (service: KucoinAnnouncements["Service"]) => Layer.succeed(KucoinAnnouncements, service)
}
