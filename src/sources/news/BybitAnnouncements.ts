// Bybit's announcements: retCode 0 or a refusal with status 200, times as numbers in milliseconds, labels that tell contracts
// on shares apart. When it was published is `publishTime`; `dateTimestamp` is what the author wrote.
// https://bybit-exchange.github.io/docs/v5/announcement
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
  id: "BYBIT",
  name: "Bybit",
  baseUrl: "https://api.bybit.com",
  attribution: "Announcements by Bybit",
  link: "https://announcements.bybit.com",
  licence: "documented public API; title, excerpt and link only",
  redistribution: "unclear"
}

const types = ["new_crypto", "delistings"]

const Body = Schema.Struct({
  retCode: Schema.Finite,
  result: Schema.optionalKey(Schema.Struct({ list: Schema.optionalKey(WireFormat.Rows) }))
})

const Row = Schema.Struct({
  title: Schema.NonEmptyString,
  description: WireFormat.NullishText,
  tags: Schema.optionalKey(Schema.NullOr(Schema.Array(Schema.String))),
  url: Schema.NonEmptyString,
  dateTimestamp: Announcements.EpochMillis,
  publishTime: Schema.optionalKey(Schema.NullOr(Announcements.EpochMillis))
})

/** Bybit's announcements. */
export class BybitAnnouncements extends Context.Service<
  BybitAnnouncements,
  {
    /** Listings and delistings of the last 96 hours, newest first. */
    readonly announcements: Feed.DataSet<ReadonlyArray<EvidenceItem>>
  }
>()("crypto-data-api/sources/news/BybitAnnouncements") {
  static readonly terms = terms

  static readonly layerNoDeps: Layer.Layer<BybitAnnouncements, Config.ConfigError, SourceClient.Requirements> =
    Layer.effect(
      BybitAnnouncements,
      Effect.gen(function* () {
        const client = yield* SourceClient.make({ terms, allowances: [{ calls: 20, per: "1 minute" }] })

        const list = Effect.fnUntraced(function* (type: string) {
          const { body, retrievedAt } = yield* client.request(
            HttpClientRequest.get("/v5/announcements/index", {
              urlParams: { locale: "en-US", type, page: "1", limit: "20" }
            }),
            Body
          )
          if (body.retCode !== 0) return yield* client.error(new Rejected({ code: String(body.retCode) }))
          const { bad, good } = WireFormat.rows(Row, body.result?.list ?? [])
          const notices = good.map((row) => ({
            key: row.url,
            title: row.title,
            summary: row.description ?? undefined,
            url: row.url,
            at: row.publishTime ?? row.dateTimestamp,
            tags: row.tags ?? []
          }))
          return { notices, bad, retrievedAt }
        })

        return BybitAnnouncements.of({
          announcements: yield* Announcements.makeFeed({ client, prefix: "bybit", lists: types.map(list) })
        })
      })
    )

  static readonly layer: Layer.Layer<BybitAnnouncements, Config.ConfigError> = this.layerNoDeps.pipe(
    Layer.provide(SourceClient.layerRequirements)
  )

  static readonly layerTest = (service: BybitAnnouncements["Service"]) => Layer.succeed(BybitAnnouncements, service)
}
