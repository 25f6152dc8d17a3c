// The P2P markets: the rate of USDT in each, and its premium over the official rate. The usual one also has a path of its own.
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { cacheable } from "./Described.ts"
import { Day, envelope, Instant } from "./Envelope.ts"
import { figure, jsonDecimal, jsonNumber } from "../domain/JsonNumber.ts"
import { CONFIDENCES } from "../domain/P2pRate.ts"
import { At } from "./HistoryParameters.ts"
import { ageGuard, confidenceGuard, CustomerSide, MarketAmount, MarketFiat, TableFormat } from "./Parameters.ts"
import { NoData, SourceUnavailable, TooOld, TooUncertain, UnknownAsset } from "./Problems.ts"

const prices = {
  buy: figure("Units of the fiat paid for 1 USDT, as the customer sees it"),
  sell: figure("Units of the fiat received for 1 USDT, as the customer sees it"),
  mid: figure("Units of the fiat for 1 USDT, the middle of buy and sell")
}

const official = {
  official: figure("Units of the fiat per USD as published officially"),
  official_date: Schema.NullOr(Day).annotate({ description: "The day the official rate is for" })
}

const premium = figure("(mid - official) / official × 100, percent; may be negative")

const Confidence = Schema.Literals(CONFIDENCES)
const reliable = "How reliable the rate is, by the number of venues and their agreement"

const reason = Schema.NullOr(Schema.String).annotate({
  description: "Why a figure above is null or doubtful: venues_disagree where nothing decides between venues"
})

/** How a rate was estimated. */
export const Method = Schema.NullOr(Schema.String).annotate({
  description: "The version of the method, listed in /v1/methods; null where it is not known or there is no estimate"
})

const Venue = Schema.Struct({
  venue: Schema.String.annotate({ description: "Public name of the venue" }),
  kind: Schema.Literals(["p2p", "order_book"]).annotate({
    description:
      "p2p: advertisements of merchants. order_book: an exchange's order book, used as cross-check and fallback"
  }),
  ...prices,
  ads_used: Schema.NullOr(Schema.Int).annotate({ description: "Ads used for the quote; null for an order book" }),
  ads_rejected: Schema.Record(Schema.String, Schema.Int).annotate({
    description: "Ads left out, counted by reason; unverified: how they are paid is not known"
  }),
  updated: Schema.NullOr(Instant).annotate({ description: "When this venue was observed" }),
  reason: Schema.NullOr(Schema.String).annotate({ description: "Why there is no quote, or why it is doubtful" })
}).annotate({ identifier: "Venue" })

/** The pair of any market, `USDT/KES`. */
export const Pair = Schema.String.check(Schema.isPattern(/^USDT\/[A-Z]{3}$/)).annotate({
  description: "USDT against the market's fiat"
})

/** What an amount gets. */
export const Quote = Schema.Struct({
  side: Schema.Literals(["buy", "sell"]).annotate({ description: "What the customer does with USDT" }),
  amount: jsonDecimal("Units of the fiat, in every digit of the request"),
  rate: figure("Units of the fiat for 1 USDT that the amount gets, never better for the customer than the side's"),
  filled: jsonNumber("Units of the fiat that the advertisements fill"),
  ads: Schema.Int.annotate({ description: "Advertisements that make the rate" }),
  merchants: Schema.Int.annotate({ description: "Merchants they are of, those of each venue counted by themselves" }),
  distance: figure("(rate - mid) / mid × 100, percent"),
  reason: Schema.NullOr(Schema.String).annotate({
    description: "Why there is no rate: too_thin where the advertisements cannot fill the amount"
  })
}).annotate({ identifier: "AmountQuote" })

const market = {
  ...prices,
  spread: figure("(buy - sell) / mid × 100"),
  ...official,
  official_source: Schema.NullOr(Schema.String).annotate({ description: "Who published the official rate" }),
  premium,
  confidence: Schema.NullOr(Confidence).annotate({ description: `${reliable}; null if that was not recorded` }),
  reason,
  method: Method,
  venues: Schema.Array(Venue).annotate({ description: "Every venue, used or not" }),
  quote: Schema.optionalKey(Quote).annotate({ description: "What the amount that was asked for gets" })
}

/** An amount of the fiat, and what a customer does. */
const ofAmount = { amount: Schema.optionalKey(MarketAmount), side: CustomerSide }

export const Naira = Schema.Struct({ pair: Schema.Literal("USDT/NGN"), ...market }).annotate({ identifier: "Naira" })

export const P2pMarket = Schema.Struct({ pair: Pair, ...market }).annotate({ identifier: "P2pMarket" })

export const P2pMarketRow = Schema.Struct({
  fiat: Schema.String.annotate({ description: "The code of the fiat" }),
  pair: Pair,
  ...prices,
  spread: market.spread,
  ...official,
  premium,
  confidence: Confidence.annotate({ description: reliable }),
  reason,
  method: Method,
  updated: Schema.NullOr(Instant).annotate({ description: "When the oldest of its venues was observed" }),
  source: Schema.NullOr(Schema.String).annotate({ description: "Who its figures are from" })
}).annotate({ identifier: "P2pMarketRow" })

export const P2pMarkets = Schema.Struct({
  markets: Schema.Array(P2pMarketRow).annotate({
    description: "Those that this service follows: the naira first, then by code"
  })
}).annotate({ identifier: "P2pMarkets" })

/** `/v1/naira`. */
export class NairaApi extends HttpApiGroup.make("naira", { topLevel: true })
  .add(
    HttpApiEndpoint.get("naira", "/naira", {
      query: { at: Schema.optionalKey(At), ...ofAmount, format: TableFormat, ...ageGuard, ...confidenceGuard },
      success: envelope("NairaAnswer", Naira),
      error: [NoData, SourceUnavailable, TooOld, TooUncertain]
    }).annotateMerge(
      cacheable(
        "The naira's P2P rate",
        "What one USDT costs and brings in naira on P2P markets, checked against order books, with the official rate and the " +
          "premium over it. A figure with too few advertisements behind it is null with a reason. `amount` adds what that amount gets.",
        "getNaira"
      )
    )
  )
  .annotate(OpenApi.Description, "The Nigerian naira on P2P markets.") {}

/** `/v1/p2p`, `/v1/p2p/{fiat}`. */
export class P2pApi extends HttpApiGroup.make("p2p", { topLevel: true })
  .add(
    HttpApiEndpoint.get("p2pMarkets", "/p2p", {
      query: { format: TableFormat },
      success: envelope("P2pMarketsAnswer", P2pMarkets)
    }).annotateMerge(
      cacheable(
        "All P2P markets",
        "The street rate of USDT in each currency that this service follows, beside its official rate. A market that cannot be " +
          "quoted now has null with a reason.",
        "listP2pMarkets"
      )
    ),
    HttpApiEndpoint.get("p2pMarket", "/p2p/:fiat", {
      params: { fiat: MarketFiat },
      query: { at: Schema.optionalKey(At), ...ofAmount, format: TableFormat, ...ageGuard, ...confidenceGuard },
      success: envelope("P2pMarketAnswer", P2pMarket),
      error: [UnknownAsset, NoData, SourceUnavailable, TooOld, TooUncertain]
    }).annotateMerge(
      cacheable(
        "One P2P market",
        "What one USDT costs and brings in a currency whose street price differs from the official one, by venue, with the official " +
          "rate and the premium over it. A figure with too few advertisements behind it is null with a reason. `amount` adds what that amount gets. " +
          "`/v1/p2p/ngn` is `/v1/naira`.",
        "getP2pMarket"
      )
    )
  )
  .annotate(OpenApi.Description, "Currencies on P2P markets.") {}
