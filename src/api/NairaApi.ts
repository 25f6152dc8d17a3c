// The naira: what 1 USDT costs between people, and how that stands to the official rate.
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { Day, envelope, Instant } from "./Envelope.ts"
import { figure } from "./JsonNumber.ts"
import { IsCached } from "./Cacheable.ts"
import { SourceUnavailable } from "./Problems.ts"

const Venue = Schema.Struct({
  venue: Schema.String.annotate({ description: "Public name of the venue" }),
  kind: Schema.Literals(["p2p", "order_book"]).annotate({
    description: "p2p: advertisements between people. order_book: an exchange's book, which checks and stands in"
  }),
  buy: figure("NGN paid for 1 USDT here"),
  sell: figure("NGN received for 1 USDT here"),
  mid: figure("NGN, the middle of buy and sell"),
  ads_used: Schema.NullOr(Schema.Int).annotate({ description: "Ads that made the quote; null for an order book" }),
  ads_rejected: Schema.Record(Schema.String, Schema.Int).annotate({ description: "Ads left out, counted by reason" }),
  updated: Schema.NullOr(Instant).annotate({ description: "When this venue was observed" }),
  reason: Schema.NullOr(Schema.String).annotate({ description: "Why there is no quote, or what is doubtful about it" })
}).annotate({ identifier: "Venue" })

const Naira = Schema.Struct({
  pair: Schema.Literal("USDT/NGN"),
  buy: figure("NGN paid for 1 USDT, as the customer sees it"),
  sell: figure("NGN received for 1 USDT, as the customer sees it"),
  mid: figure("NGN, the middle of buy and sell; every naira price elsewhere goes through it"),
  spread: figure("(buy - sell) / mid × 100"),
  official: figure("NGN per USD as published officially"),
  official_date: Schema.NullOr(Day).annotate({ description: "The day the official rate is for" }),
  official_source: Schema.NullOr(Schema.String).annotate({ description: "Who published the official rate" }),
  premium: figure("(mid - official) / official × 100, percent; may be negative"),
  confidence: Schema.Literals(["high", "medium", "low"]).annotate({
    description: "How far the rate can be relied on: how many venues made it and how well they agree"
  }),
  reason: Schema.NullOr(Schema.String).annotate({ description: "Why a figure above is null, or what is doubtful" }),
  venues: Schema.Array(Venue).annotate({ description: "What each venue says, used or not" })
}).annotate({ identifier: "Naira" })

/** `/v1/naira`. */
export class NairaApi extends HttpApiGroup.make("naira", { topLevel: true })
  .add(
    HttpApiEndpoint.get("naira", "/naira", {
      success: envelope("NairaAnswer", Naira),
      error: [SourceUnavailable]
    })
      .annotate(IsCached, true)
      .annotateMerge(
        OpenApi.annotations({
          identifier: "getNaira",
          summary: "The naira between people",
          description:
            "What one USDT costs and brings in naira on peer-to-peer markets, checked against order books, beside the official " +
            "rate and the premium over it. What too few advertisements bear is null with a reason, never a number."
        })
      )
  )
  .annotate(OpenApi.Description, "The Nigerian naira as people trade it.") {}
