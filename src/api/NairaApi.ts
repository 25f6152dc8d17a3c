// The naira: what 1 USDT costs between people, and how that stands to the official rate.
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import { Day, envelope, Instant } from "./Envelope.ts"
import { JsonNumber } from "./JsonNumber.ts"
import { Kept } from "./PerSnapshot.ts"
import { SourceUnavailable } from "./Problems.ts"

const Figure = Schema.NullOr(JsonNumber)

const Venue = Schema.Struct({
  venue: Schema.String,
  kind: Schema.Literals(["p2p", "order_book"]),
  buy: Figure,
  sell: Figure,
  mid: Figure,
  ads_used: Schema.NullOr(Schema.Int).annotate({ description: "Ads that made the quote; null for an order book" }),
  ads_rejected: Schema.Record(Schema.String, Schema.Int).annotate({ description: "Ads left out, counted by reason" }),
  updated: Schema.NullOr(Instant),
  reason: Schema.NullOr(Schema.String).annotate({ description: "Why there is no quote, or what is doubtful about it" })
}).annotate({ identifier: "Venue" })

const Naira = Schema.Struct({
  pair: Schema.Literal("USDT/NGN"),
  buy: Figure.annotate({ description: "NGN paid for 1 USDT" }),
  sell: Figure.annotate({ description: "NGN received for 1 USDT" }),
  mid: Figure,
  spread: Figure.annotate({ description: "Percent of mid" }),
  official: Figure.annotate({ description: "NGN per USD as published officially" }),
  official_date: Schema.NullOr(Day),
  official_source: Schema.NullOr(Schema.String),
  premium: Figure.annotate({ description: "(mid - official) / official × 100" }),
  confidence: Schema.Literals(["high", "medium", "low"]),
  reason: Schema.NullOr(Schema.String).annotate({ description: "Why a figure above is null" }),
  venues: Schema.Array(Venue)
}).annotate({ identifier: "Naira" })

/** `/v1/naira`. */
export class NairaApi extends HttpApiGroup.make("naira", { topLevel: true }).add(
  HttpApiEndpoint.get("naira", "/naira", {
    success: envelope("NairaAnswer", Naira),
    error: [SourceUnavailable]
  }).annotate(Kept, true)
) {}
