// The naira: the P2P rate of USDT, and its premium over the official rate.
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { kept } from "./Described.ts"
import { Day, envelope, Instant } from "./Envelope.ts"
import { figure } from "../domain/JsonNumber.ts"
import { ageGuard, At } from "./Parameters.ts"
import { NoData, SourceUnavailable, TooOld } from "./Problems.ts"

const Venue = Schema.Struct({
  venue: Schema.String.annotate({ description: "Public name of the venue" }),
  kind: Schema.Literals(["p2p", "order_book"]).annotate({
    description:
      "p2p: advertisements of merchants. order_book: an exchange's order book, used as cross-check and fallback"
  }),
  buy: figure("NGN paid for 1 USDT here"),
  sell: figure("NGN received for 1 USDT here"),
  mid: figure("NGN, the middle of buy and sell"),
  ads_used: Schema.NullOr(Schema.Int).annotate({ description: "Ads used for the quote; null for an order book" }),
  ads_rejected: Schema.Record(Schema.String, Schema.Int).annotate({ description: "Ads left out, counted by reason" }),
  updated: Schema.NullOr(Instant).annotate({ description: "When this venue was observed" }),
  reason: Schema.NullOr(Schema.String).annotate({ description: "Why there is no quote, or why it is doubtful" })
}).annotate({ identifier: "Venue" })

const Naira = Schema.Struct({
  pair: Schema.Literal("USDT/NGN"),
  buy: figure("NGN paid for 1 USDT, as the customer sees it"),
  sell: figure("NGN received for 1 USDT, as the customer sees it"),
  mid: figure("NGN, the middle of buy and sell; every naira price elsewhere uses it"),
  spread: figure("(buy - sell) / mid × 100"),
  official: figure("NGN per USD as published officially"),
  official_date: Schema.NullOr(Day).annotate({ description: "The day the official rate is for" }),
  official_source: Schema.NullOr(Schema.String).annotate({ description: "Who published the official rate" }),
  premium: figure("(mid - official) / official × 100, percent; may be negative"),
  confidence: Schema.Literals(["high", "medium", "low"]).annotate({
    description: "How reliable the rate is, by the number of venues and their agreement"
  }),
  reason: Schema.NullOr(Schema.String).annotate({ description: "Why a figure above is null or doubtful" }),
  venues: Schema.Array(Venue).annotate({ description: "Every venue, used or not" })
}).annotate({ identifier: "Naira" })

/** `/v1/naira`. */
export class NairaApi extends HttpApiGroup.make("naira", { topLevel: true })
  .add(
    HttpApiEndpoint.get("naira", "/naira", {
      query: { at: Schema.optionalKey(At), ...ageGuard },
      success: envelope("NairaAnswer", Naira),
      error: [NoData, SourceUnavailable, TooOld]
    }).annotateMerge(
      kept(
        "getNaira",
        "The naira's P2P rate",
        "What one USDT costs and brings in naira on P2P markets, checked against order books, with the official rate and the " +
          "premium over it. A figure with too few advertisements behind it is null with a reason."
      )
    )
  )
  .annotate(OpenApi.Description, "The Nigerian naira on P2P markets.") {}
