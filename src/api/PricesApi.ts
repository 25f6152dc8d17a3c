// Many coins in many fiats with one request.
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { cacheable } from "./Described.ts"
import { envelope, when } from "./Envelope.ts"
import { JsonNumber } from "../domain/JsonNumber.ts"
import { CONFIDENCES } from "../domain/P2pRate.ts"
import { Id, MissingCoin, Symbol } from "./MarketApi.ts"
import { At, CoinsAt } from "./HistoryParameters.ts"
import { ageGuard, confidenceGuard, Fiats, FiatBasis, PriceFormat } from "./Parameters.ts"
import { TooOld, TooUncertain } from "./Problems.ts"

const cells = (description: string) => Schema.Record(Schema.String, Schema.NullOr(JsonNumber)).annotate({ description })

const moment = {
  at: Schema.optionalKey(Schema.String).annotate({ description: "Of an id with a time: that day or time" })
}

const Row = Schema.Struct({
  id: Id,
  symbol: Symbol,
  name: Schema.String,
  price: cells("Units of each fiat for 1 coin, as `/v1/price` answers it; null where that has no answer now"),
  change_24h: cells("Change of each price in 24 hours, percent; of the USD price where none in the fiat is known"),
  updated: when("When the oldest part of these prices was observed, by the source's clock"),
  ...moment,
  source: Schema.optionalKey(Schema.String).annotate({
    description: "Of an id with a time: who observed these prices"
  }),
  kind: Schema.optionalKey(Schema.NullOr(Schema.Literals(["p2p", "order_book"]))).annotate({
    description:
      "Of an id with a time: where the rate of a fiat with a P2P market is from; null where no such rate is used"
  }),
  confidence: Schema.optionalKey(Schema.NullOr(Schema.Literals(CONFIDENCES))).annotate({
    description: "Of an id with a time: how sure that rate is"
  }),
  method: Schema.optionalKey(Schema.NullOr(Schema.String)).annotate({
    description: "Of an id with a time: the version of the method that estimated that rate; `/v1/methods` explains it"
  })
}).annotate({ identifier: "PriceRow" })

/** A coin without a price. */
export const MissingPrice = Schema.Struct({ ...MissingCoin.fields, ...moment }).annotate({ identifier: "MissingPrice" })

const Prices = Schema.Struct({
  prices: Schema.Array(Row).annotate({ description: "In the order of `ids`" }),
  missing: Schema.Array(MissingPrice).annotate({
    description: "The ids that have no prices, in the order of `ids`"
  })
}).annotate({ identifier: "Prices" })

/** `/v1/prices`. */
export class PricesApi extends HttpApiGroup.make("prices", { topLevel: true })
  .add(
    HttpApiEndpoint.get("prices", "/prices", {
      query: {
        ids: CoinsAt,
        fiats: Fiats,
        basis: FiatBasis,
        at: Schema.optionalKey(At),
        format: PriceFormat,
        ...ageGuard,
        ...confidenceGuard
      },
      success: envelope("PricesAnswer", Prices),
      error: [TooOld, TooUncertain]
    }).annotateMerge(
      cacheable(
        "Many coins in many fiats",
        "Up to 250 coins in up to nine fiats for one request of the quota. Every figure is what `/v1/price/{id}/{fiat}` answers " +
          "at that moment, to the digit. An id without a price is in `missing` with the reason; the others are answered. An id may have a time of its own: " +
          "`ids=bitcoin@2026-11-20,tether@2026-11-20T10:30:00Z`. The row then has `at`, and says where its figures are from.",
        "getPrices"
      )
    )
  )
  .annotate(OpenApi.Description, "Many prices with one request.") {}
