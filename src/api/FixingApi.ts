// The fixings of P2P markets: one rate a day that does not change.
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { figure, jsonNumber } from "../domain/JsonNumber.ts"
import { CONFIDENCES } from "../domain/P2pRate.ts"
import { cacheable } from "./Described.ts"
import { Day, envelope, Instant, Signature, when } from "./Envelope.ts"
import { Coverage } from "./HistoryApi.ts"
import { HistoryDay, range } from "./HistoryParameters.ts"
import { parameter } from "./Parameter.ts"
import { MarketFiat, TableFormat } from "./Parameters.ts"
import { Method, Pair } from "./P2pApi.ts"
import { SourceUnavailable, UnknownAsset } from "./Problems.ts"

const Kind = Schema.NullOr(Schema.Literals(["p2p", "order_book"])).annotate({
  description: "Where the mids are from; an order book is never called p2p"
})

const confidence = Schema.NullOr(Schema.Literals(CONFIDENCES))

const members = {
  on: Day.annotate({ description: "The day, in the market's time zone" }),
  rate: figure(
    "Units of the fiat for 1 USDT: the mean of the mids observed in the hour before 16:00; null with a reason"
  ),
  reason: Schema.NullOr(Schema.String).annotate({
    description:
      "Why there is no rate. too_few_parts: fewer than nine of the twelve 5-minute parts of the hour were observed. low_confidence: a part " +
      "was uncertain. not_published: it is not 16:05 yet. not_followed: the market was not observed in the 7 days before"
  }),
  confidence: confidence.annotate({ description: "The least of its parts" }),
  kind: Kind,
  parts: Schema.Int.annotate({ description: "How many of the twelve parts it was made from" }),
  from: when("The start of the hour"),
  to: when("The end of the hour: 16:00 in the market's time zone"),
  zone: Schema.String.annotate({ description: "The market's time zone" }),
  published: Schema.NullOr(Instant).annotate({
    description: "When it was published, at 16:05 or as soon as the service ran again"
  }),
  revised: Schema.NullOr(Instant).annotate({
    description: "When it was corrected by a later record; null where it was not. What was published before is kept"
  }),
  method: Method
}

/** A row of the fixings of a range. */
export const FixingRow = Schema.Struct(members).annotate({ identifier: "FixingRow" })

const Fixing = Schema.Struct({
  pair: Pair,
  ...members,
  observations: Schema.Array(
    Schema.Struct({
      time: when("When it was observed"),
      mid: jsonNumber("Units of the fiat for 1 USDT"),
      confidence,
      source: Schema.String.annotate({ description: "The venues" }),
      method: Method
    }).annotate({ identifier: "FixingPart" })
  ).annotate({ description: "What it was made from, oldest first; /v1/p2p/{fiat}?at= answers each again" }),
  signature: Signature
}).annotate({ identifier: "Fixing" })

const Fixings = Schema.Struct({
  pair: Pair,
  fixings: Schema.Array(FixingRow).annotate({ description: "Oldest first" }),
  coverage: Coverage,
  signature: Signature
}).annotate({ identifier: "Fixings" })

const On = parameter(HistoryDay, ["The day of the fixing.", "a day that is not in the future, as YYYY-MM-DD"], {
  format: "date",
  examples: ["2026-11-20"]
})

/** `/v1/p2p/{fiat}/fixing`, `/v1/p2p/{fiat}/fixings`. */
export class FixingApi extends HttpApiGroup.make("fixing", { topLevel: true })
  .add(
    HttpApiEndpoint.get("fixing", "/p2p/:fiat/fixing", {
      params: { fiat: MarketFiat },
      query: { on: Schema.optionalKey(On) },
      success: envelope("FixingAnswer", Fixing),
      error: [UnknownAsset, SourceUnavailable]
    }).annotateMerge(
      cacheable(
        "A P2P market's fixing of a day",
        "One rate a day for books and records: the mean of the mids observed in the hour before 16:00 in the market's time zone, published at " +
          "16:05 and never changed. Without `on` the newest. It is information on what was observed.",
        "getFixing"
      )
    ),
    HttpApiEndpoint.get("fixings", "/p2p/:fiat/fixings", {
      params: { fiat: MarketFiat },
      query: { ...range, format: TableFormat },
      success: envelope("FixingsAnswer", Fixings),
      error: [UnknownAsset, SourceUnavailable]
    }).annotateMerge(
      cacheable(
        "A P2P market's fixings of some days",
        "The fixing of each day, without the observations. Both ends are included; without them the last 30 days are answered. At most 3,660 " +
          "days. `coverage.missing` lists the days without one.",
        "listFixings"
      )
    )
  )
  .annotate(OpenApi.Description, "One rate a day that does not change.") {}
