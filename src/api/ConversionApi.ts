// Fiat rates, and the conversion of any coin or fiat to any other.
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { Day, envelope, when } from "./Envelope.ts"
import { jsonDecimal, jsonNumber, JsonNumber } from "./JsonNumber.ts"
import { Amount, Asset } from "./Parameters.ts"
import { IsCached } from "./Cacheable.ts"
import { NoPrice, SourceUnavailable, UnknownAsset } from "./Problems.ts"

const Fx = Schema.Struct({
  base: Schema.Literal("USD"),
  rates: Schema.Record(Schema.String, JsonNumber).annotate({
    description: "Units of each currency per 1 USD, by ISO 4217 code; NGN is the official rate"
  }),
  observed: Schema.Record(Schema.String, Day).annotate({ description: "The day each rate is for" })
}).annotate({ identifier: "Fx" })

const Leg = Schema.Struct({
  from: Schema.String.annotate({ description: "A coin's identifier or a fiat's code" }),
  to: Schema.String.annotate({ description: "A coin's identifier or a fiat's code" }),
  rate: jsonNumber("Units of `to` per 1 `from`"),
  source: Schema.String.annotate({ description: "Public names of the sources of this rate" }),
  updated: when("When this rate was observed")
}).annotate({ identifier: "Leg" })

/** An amount of one asset in another. */
export const Conversion = Schema.Struct({
  from: Schema.String.annotate({ description: "A coin's identifier or a fiat's code, as it is answered" }),
  to: Schema.String.annotate({ description: "A coin's identifier or a fiat's code, as it is answered" }),
  amount: jsonDecimal("Units of `from`, every digit that was given"),
  rate: jsonNumber("Units of `to` per 1 `from`: the product of the legs"),
  result: jsonDecimal("Units of `to`"),
  legs: Schema.Array(Leg).annotate({ description: "The quoted rates walked; none between equal assets" })
}).annotate({ identifier: "Conversion" })

/** `/v1/fx`, `/v1/convert`. */
export class ConversionApi extends HttpApiGroup.make("conversion", { topLevel: true })
  .add(
    HttpApiEndpoint.get("fx", "/fx", {
      success: envelope("FxAnswer", Fx),
      error: [SourceUnavailable]
    })
      .annotate(IsCached, true)
      .annotateMerge(
        OpenApi.annotations({
          identifier: "getFx",
          summary: "Fiat rates against USD",
          description:
            "Reference rates, each with the day it is for. The naira here is the official rate, not that of the street."
        })
      ),
    HttpApiEndpoint.get("convert", "/convert", {
      query: { from: Asset, to: Asset, amount: Schema.optionalKey(Amount) },
      success: envelope("ConversionAnswer", Conversion),
      error: [UnknownAsset, NoPrice, SourceUnavailable]
    }).annotateMerge(
      OpenApi.annotations({
        identifier: "convert",
        summary: "Any coin or fiat in any other",
        description:
          "Converts an amount, and shows the quoted rates walked. Every leg to or from the naira uses the peer-to-peer mid."
      })
    )
  )
  .annotate(OpenApi.Description, "Fiat rates, and amounts of anything in anything.") {}
