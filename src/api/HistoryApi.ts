// Histories: what was observed, by whom and when.
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { cacheable } from "./Described.ts"
import { quotedFiats } from "../domain/QuotedFiat.ts"
import { Day, envelope, Instant, when } from "./Envelope.ts"
import { figure, JsonNumber, jsonNumber } from "../domain/JsonNumber.ts"
import { DailyInterval, Fill, Interval, Quotes, range } from "./HistoryParameters.ts"
import { CoinId, Fiat, MarketFiat, PriceFormat, TableFormat } from "./Parameters.ts"
import { Method, Pair } from "./P2pApi.ts"
import { SourceUnavailable, UnknownAsset, UnknownCoin } from "./Problems.ts"

const point = {
  date: Day.annotate({ description: "The UTC day of the point" }),
  time: when("The start of the point's day, hour, week or month"),
  final: Schema.Boolean.annotate({
    description:
      "False while observations may still be added: until 01:00 UTC after the day, week or month, or 5 minutes after the hour"
  }),
  observed: when("When the close was observed, by the source's clock"),
  source: Schema.String.annotate({
    description: "Public names of the sources of the close, for a week or month of all its days"
  })
}

const days = Schema.optionalKey(Schema.Int).annotate({
  description: "How many days a week or month was made from; absent for days and hours"
})

const totals = {
  average: Schema.optionalKey(Schema.NullOr(JsonNumber)).annotate({
    description: "The mean of the closes of the days of a week or month; absent for days and hours"
  }),
  days
}

const revised = Schema.NullOr(Instant).annotate({
  description: "When the source corrected the point after it was final; null where it did not"
})

export const PricePoint = Schema.Struct({
  ...point,
  open: figure("The first price of the day or hour; null where only the close is known"),
  high: figure("The highest price; null where only the close is known"),
  low: figure("The lowest price; null where only the close is known"),
  close: jsonNumber("The last price of the day or hour"),
  volume: figure("Turnover in USD on one exchange, that of the candle known for the day or hour; null where none is"),
  ...totals,
  revised
}).annotate({ identifier: "PricePoint" })

export const P2pPoint = Schema.Struct({
  ...point,
  buy: figure("Units of the fiat paid for 1 USDT, last of the day or hour"),
  sell: figure("Units of the fiat received for 1 USDT, last of the day or hour"),
  mid: figure("Units of the fiat, last middle of buy and sell; null on a day of which only the official rate is known"),
  low: figure("The lowest mid"),
  high: figure("The highest mid"),
  official: figure("Units of the fiat per USD as published officially for that day, else the last before it"),
  official_date: Schema.NullOr(Day).annotate({ description: "The day the official rate is for" }),
  premium: figure("(mid - official) / official × 100, percent"),
  confidence: Schema.NullOr(Schema.Literals(["high", "medium", "low"])),
  kind: Schema.NullOr(Schema.Literals(["p2p", "order_book"])).annotate({
    description: "Where the mid is from; an order book is never called p2p"
  }),
  method: Method,
  fixing: figure("The fixing of the day, see /v1/p2p/{fiat}/fixing; null without one, and for hours, weeks and months"),
  open: Schema.optionalKey(Schema.NullOr(JsonNumber)).annotate({
    description: "The first mid of a week or month; absent for days and hours"
  }),
  ...totals,
  revised
}).annotate({ identifier: "P2pPoint" })

export const FxPoint = Schema.Struct({
  ...point,
  rates: Schema.Record(Schema.String, Schema.NullOr(JsonNumber)).annotate({
    description: "Units of each fiat per 1 USD, for a week or month the last ones; null where none was published"
  }),
  average: Schema.optionalKey(Schema.Record(Schema.String, Schema.NullOr(JsonNumber))).annotate({
    description: "The mean of each fiat's rates in a week or month; absent for days"
  }),
  days,
  revised
}).annotate({ identifier: "FxPoint" })

// A day or a time, as the interval has it.
const Edge = Schema.NullOr(Schema.String)

export const Coverage = Schema.Struct({
  from: Edge.annotate({ description: "The first day or hour known of this series at all" }),
  to: Edge.annotate({ description: "The last day or hour known of this series at all" }),
  missing: Schema.Array(Schema.Struct({ from: Schema.String, to: Schema.String })).annotate({
    description:
      "The gaps within what was asked, up to now, both ends included; filled points are gaps too. For weeks and months these are days"
  })
}).annotate({ identifier: "Coverage", description: "Days (YYYY-MM-DD) or, for hours, times" })

const BucketLength = Schema.Literals(["day", "hour", "week", "month"]).annotate({
  description: "Must be day, hour, week or month."
})

const series = <Point extends Schema.Top, Interval extends Schema.Top>(point: Point, interval: Interval) => ({
  interval,
  points: Schema.Array(point).annotate({ description: "Oldest first" }),
  coverage: Coverage
})

const PriceHistory = Schema.Struct({
  id: Schema.String,
  symbol: Schema.String,
  fiat: Schema.Literals(quotedFiats),
  ...series(PricePoint, BucketLength)
}).annotate({ identifier: "PriceHistory" })

const marketHistory = series(P2pPoint, BucketLength)

const NairaHistory = Schema.Struct({ pair: Schema.Literal("USDT/NGN"), ...marketHistory }).annotate({
  identifier: "NairaHistory"
})

const P2pHistory = Schema.Struct({ pair: Pair, ...marketHistory }).annotate({ identifier: "P2pHistory" })

const FxHistory = Schema.Struct({
  base: Schema.Literal("USD"),
  quotes: Schema.Array(Schema.String),
  ...series(FxPoint, Schema.Literals(["day", "week", "month"]))
}).annotate({ identifier: "FxHistory" })

const query = { ...range, interval: Interval, fill: Fill }

const ranges =
  "Days are UTC and both ends are included; without them the last 30 days are answered, for hours the last 2, for weeks and months 12. " +
  "At most 3,660 days or 2,160 hours. Weeks begin on Monday; they and months are whole, and made from their days. " +
  "`coverage.missing` lists the gaps."

/** `/v1/price/{id}/{fiat}/history`, `/v1/naira/history`, `/v1/p2p/{fiat}/history`, `/v1/fx/history`. */
export class HistoryApi extends HttpApiGroup.make("history", { topLevel: true })
  .add(
    HttpApiEndpoint.get("priceHistory", "/price/:id/:fiat/history", {
      params: { id: CoinId, fiat: Fiat },
      query: { ...query, format: PriceFormat },
      success: envelope("PriceHistoryAnswer", PriceHistory),
      error: [UnknownCoin, SourceUnavailable]
    }).annotateMerge(
      cacheable(
        "A coin's prices of the past",
        `Prices by day, hour, week or month, as they were observed. ${ranges} In \`ngn\` only the close is known: the coin's close in USD, ` +
          "divided by USDT's, times the market's mid. In other fiats it is the price in USD times the fiat's rate on the exchanges in that day or hour, else times the " +
          "official rate of the day or the last one of the 7 days before.",
        "getPriceHistory"
      )
    ),
    HttpApiEndpoint.get("nairaHistory", "/naira/history", {
      query: { ...query, format: TableFormat },
      success: envelope("NairaHistoryAnswer", NairaHistory),
      error: [SourceUnavailable]
    }).annotateMerge(
      cacheable(
        "The naira's P2P rate of the past",
        `USDT/NGN by day, hour, week or month beside the official rate, recorded every 5 minutes. ${ranges}`,
        "getNairaHistory"
      )
    ),
    HttpApiEndpoint.get("p2pHistory", "/p2p/:fiat/history", {
      params: { fiat: MarketFiat },
      query: { ...query, format: TableFormat },
      success: envelope("P2pHistoryAnswer", P2pHistory),
      error: [UnknownAsset, SourceUnavailable]
    }).annotateMerge(
      cacheable(
        "A P2P market's rates of the past",
        `USDT in one fiat by day, hour, week or month beside the official rate, recorded every 5 minutes. ${ranges}`,
        "getP2pHistory"
      )
    ),
    HttpApiEndpoint.get("fxHistory", "/fx/history", {
      query: { quotes: Quotes, ...range, interval: DailyInterval, fill: Fill, format: TableFormat },
      success: envelope("FxHistoryAnswer", FxHistory),
      error: [SourceUnavailable]
    }).annotateMerge(
      cacheable(
        "Fiat rates of the past",
        `Reference rates by the day they were published for. ${ranges}`,
        "getFxHistory"
      )
    )
  )
  .annotate(OpenApi.Description, "What was observed, by whom and when.") {}
