// The contract for programs made for Yadio: its paths and shapes, answered with the rates of `/v1/convert`.
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { jsonNumber, JsonNumber } from "../../domain/JsonNumber.ts"
import { cacheable, shapedByAmount } from "../Described.ts"
import { jsonDialect } from "../Dialect.ts"
import { PathAmount } from "../Parameters.ts"
import { NoPrice, TooThin, UnknownCoin } from "../Problems.ts"
import { compatContract } from "./CompatDocument.ts"
import { BASIS_TEXT, Currency, ofBasis } from "./Currency.ts"
import { documentedErrors, write } from "./plainErrors.ts"

/** Where the endpoints are. Some programs choose their parser by the name of the original in the address. */
export const YADIO_BASE = "/compat/yadio.io"

export const yadio = jsonDialect(YADIO_BASE, write, true)

const timestamp = jsonNumber("When the oldest part was observed, milliseconds since 1970")

/** A map by currency under the base's code, and for a fiat the price of a bitcoin under `BTC`. */
const Rates = Schema.Record(
  Schema.String,
  Schema.Union([Schema.Record(Schema.String, JsonNumber), JsonNumber, Schema.String])
).annotate({
  identifier: "ExchangeRates",
  description:
    "Under the base's code: units of each currency for 1 of the base. `BTC` beside a fiat's map: units of the fiat for 1 bitcoin. " +
    "`base`: the code; `timestamp`: milliseconds since 1970"
})

const error = [NoPrice, UnknownCoin] as const

const Group = HttpApiGroup.make("yadio", { topLevel: true })
  .add(
    HttpApiEndpoint.get("exchangeRates", "/exrates/:base", {
      params: { base: Currency },
      query: ofBasis,
      success: Rates,
      error
    }).annotateMerge(cacheable("One currency in all others", "Currencies without a rate now are left out.")),
    HttpApiEndpoint.get("rate", "/rate/:code", {
      params: { code: Currency },
      query: ofBasis,
      success: Schema.Struct({
        rate: jsonNumber("Units of the currency for 1 USD"),
        btc: jsonNumber("Units of the currency for 1 bitcoin"),
        timestamp
      }),
      error
    }).annotateMerge(cacheable("A currency against the dollar and bitcoin", "Both by the rates of `/v1/convert`.")),
    HttpApiEndpoint.get("pair", "/rate/:of/:per", {
      params: { of: Currency, per: Currency },
      query: ofBasis,
      success: Schema.Struct({ rate: jsonNumber("Units of the first currency for 1 of the second"), timestamp }),
      error
    }).annotateMerge(cacheable("A currency per another", "`/rate/VES/USD` is bolívares for 1 dollar.")),
    HttpApiEndpoint.get("convert", "/convert/:amount/:from/:to", {
      params: { amount: PathAmount, from: Currency, to: Currency },
      query: ofBasis,
      success: Schema.Struct({
        request: Schema.Struct({ amount: JsonNumber, from: Schema.String, to: Schema.String }),
        result: jsonNumber("Units of `to`"),
        rate: jsonNumber("Units of `to` for 1 `from`"),
        timestamp
      }),
      error: [...error, TooThin]
    }).annotateMerge(shapedByAmount("An amount in another currency", "As `/v1/convert`.")),
    HttpApiEndpoint.get("currencies", "/currencies", {
      query: ofBasis,
      success: Schema.Record(Schema.String, Schema.String)
    }).annotateMerge(cacheable("The fiats that are quoted", "English names by code."))
  )
  .annotate(OpenApi.Description, "Rates and conversions.")

export const YadioApi = compatContract(
  yadio,
  {
    service: "Yadio",
    version: "1",
    description:
      "Paths, shapes and errors of Yadio's API, with the rates of this service's `/v1/convert`. Not operated or endorsed by " +
      `Yadio. ${BASIS_TEXT}`,
    ...documentedErrors
  },
  Group
)
