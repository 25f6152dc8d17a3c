// Fiat rates, and the conversion of any coin or fiat to any other.
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import { Day, envelope, Instant } from "./Envelope.ts"
import { JsonDecimal, JsonNumber } from "./JsonNumber.ts"
import { Amount, Asset } from "./Parameters.ts"
import { Kept } from "./PerSnapshot.ts"
import { NoPrice, SourceUnavailable, UnknownAsset } from "./Problems.ts"

const Fx = Schema.Struct({
  base: Schema.Literal("USD"),
  rates: Schema.Record(Schema.String, JsonNumber).annotate({ description: "Units of each currency per 1 USD" }),
  observed: Schema.Record(Schema.String, Day).annotate({ description: "The day each rate is for" })
}).annotate({ identifier: "Fx" })

const Leg = Schema.Struct({
  from: Schema.String,
  to: Schema.String,
  rate: JsonNumber,
  source: Schema.String,
  updated: Instant
}).annotate({ identifier: "Leg" })

const Conversion = Schema.Struct({
  from: Schema.String,
  to: Schema.String,
  amount: JsonDecimal,
  rate: JsonNumber.annotate({ description: "Units of `to` per 1 `from`: the product of the legs" }),
  result: JsonDecimal,
  legs: Schema.Array(Leg).annotate({ description: "The quoted rates walked; none between equal assets" })
}).annotate({ identifier: "Conversion" })

/** `/v1/fx`, `/v1/convert`. */
export class ConversionApi extends HttpApiGroup.make("conversion", { topLevel: true }).add(
  HttpApiEndpoint.get("fx", "/fx", { success: envelope("FxAnswer", Fx), error: [SourceUnavailable] }).annotate(
    Kept,
    true
  ),
  HttpApiEndpoint.get("convert", "/convert", {
    query: { from: Asset, to: Asset, amount: Schema.optionalKey(Amount) },
    success: envelope("ConversionAnswer", Conversion),
    error: [UnknownAsset, NoPrice, SourceUnavailable]
  })
) {}
