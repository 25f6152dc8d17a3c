// Fiat rates, and conversion between any coins and fiats.
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { cacheable, shapedByAmount } from "./Described.ts"
import { Day, envelope, when } from "./Envelope.ts"
import { jsonDecimal, jsonNumber, JsonNumber } from "../domain/JsonNumber.ts"
import { CONFIDENCES } from "../domain/P2pRate.ts"
import { At } from "./HistoryParameters.ts"
import {
  ageGuard,
  Amount,
  confidenceGuard,
  FiatBasis,
  FromAsset,
  rateGuards,
  TableFormat,
  ToAsset
} from "./Parameters.ts"
import {
  NoData,
  NoPrice,
  RateMoved,
  SourceUnavailable,
  TooOld,
  TooThin,
  TooUncertain,
  UnknownAsset
} from "./Problems.ts"

export const Fx = Schema.Struct({
  base: Schema.Literal("USD"),
  rates: Schema.Record(Schema.String, JsonNumber).annotate({
    description: "Units of each currency per 1 USD, by ISO 4217 code; all are official rates"
  }),
  observed: Schema.Record(Schema.String, Day).annotate({ description: "The day each rate is for" })
}).annotate({ identifier: "Fx" })

export const FxAnswer = envelope("FxAnswer", Fx)

const Leg = Schema.Struct({
  from: Schema.String.annotate({ description: "A coin's id or a fiat's code" }),
  to: Schema.String.annotate({ description: "A coin's id or a fiat's code" }),
  rate: jsonNumber("Units of `to` per 1 `from`"),
  source: Schema.String.annotate({ description: "Public names of the sources of this rate" }),
  updated: when("When this rate was observed"),
  basis: Schema.optionalKey(Schema.Literals(["p2p", "customer", "official"])).annotate({
    description:
      "Which rate of the fiat this is: with a basis other than mid, where the street rate is not followed, and where a fiat has no " +
      "official rate"
  }),
  street: Schema.optionalKey(Schema.Literal("not_followed")).annotate({
    description:
      "On the official rate of a fiat that people are known to exchange at another rate, where its P2P market is not followed"
  }),
  confidence: Schema.optionalKey(Schema.NullOr(Schema.Literals(CONFIDENCES))).annotate({
    description:
      "On the price of a coin, and on the rate of a P2P market: how sure it is; null if that was not recorded"
  }),
  ads: Schema.optionalKey(Schema.Int).annotate({
    description: "On a side of a P2P market (`basis=customer`): the advertisements that make the rate"
  })
}).annotate({ identifier: "Leg" })

/** An amount of one asset in another. */
export const Conversion = Schema.Struct({
  from: Schema.String.annotate({ description: "A coin's id or a fiat's code" }),
  to: Schema.String.annotate({ description: "A coin's id or a fiat's code" }),
  amount: jsonDecimal("Units of `from`, in every digit of the request"),
  rate: jsonNumber("Units of `to` per 1 `from`: the product of the legs"),
  result: jsonDecimal("Units of `to`"),
  legs: Schema.Array(Leg).annotate({ description: "The quoted rates used; none between equal assets" })
}).annotate({ identifier: "Conversion" })

/** `/v1/fx`, `/v1/convert`. */
export class ConversionApi extends HttpApiGroup.make("conversion", { topLevel: true })
  .add(
    HttpApiEndpoint.get("fx", "/fx", {
      query: { at: Schema.optionalKey(At), format: TableFormat, ...ageGuard },
      success: FxAnswer,
      error: [NoData, SourceUnavailable, TooOld]
    }).annotateMerge(
      cacheable(
        "Fiat rates against USD",
        "Reference rates, each with the day it is for. NGN here is the official rate, not the P2P rate.",
        "getFx"
      )
    ),
    HttpApiEndpoint.get("convert", "/convert", {
      query: {
        from: FromAsset,
        to: ToAsset,
        amount: Amount,
        basis: FiatBasis,
        at: Schema.optionalKey(At),
        format: TableFormat,
        ...rateGuards,
        ...confidenceGuard
      },
      success: envelope("ConversionAnswer", Conversion),
      error: [UnknownAsset, NoPrice, NoData, RateMoved, SourceUnavailable, TooOld, TooThin, TooUncertain]
    }).annotateMerge(
      shapedByAmount(
        "Convert any coin or fiat",
        "Converts an amount and lists the quoted rates used. `basis` chooses the rate of a fiat. With `basis=customer` the rate is what the amount gets, and an amount that the " +
          "advertisements cannot fill is refused.",
        "convert"
      )
    )
  )
  .annotate(OpenApi.Description, "Fiat rates and conversion.") {}
