// The contract for programs that read a price node of Bisq: its path and shape, as in `bisq.price.spot` of its source, answered with the
// rates of `/v1/convert`.
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { jsonNumber } from "../../domain/JsonNumber.ts"
import { cacheable } from "../Described.ts"
import { jsonDialect } from "../Dialect.ts"
import { NoPrice, UnknownCoin } from "../Problems.ts"
import { compatContract } from "./CompatDocument.ts"
import { BASIS_TEXT, ofBasis } from "./Currency.ts"
import { documentedErrors, write } from "./plainErrors.ts"

export const bisq = jsonDialect("/compat/bisq", write, true)

const Rate = Schema.Struct({
  currencyCode: Schema.String,
  price: jsonNumber("Of a fiat: units for 1 bitcoin. Of a coin: bitcoins for 1 coin"),
  timestampSec: jsonNumber("When it was observed, in milliseconds since 1970, as in price nodes"),
  provider: Schema.String.annotate({ description: "The sources" })
}).annotate({ identifier: "ExchangeRate" })

const Group = HttpApiGroup.make("bisq", { topLevel: true })
  .add(
    HttpApiEndpoint.get("getAllMarketPrices", "/getAllMarketPrices", {
      query: ofBasis,
      success: Schema.Struct({
        ratesTs: jsonNumber("When the oldest part was observed, in milliseconds since 1970"),
        ratesCount: Schema.Int,
        data: Schema.Array(Rate).annotate({ description: "By code" })
      }),
      error: [NoPrice, UnknownCoin]
    }).annotateMerge(cacheable("Bitcoin in every currency", "Currencies without a rate now are left out."))
  )
  .annotate(OpenApi.Description, "Prices of bitcoin.")

export const BisqApi = compatContract(
  bisq,
  {
    service: "Bisq",
    version: "1",
    description:
      "The path and shape of Bisq's price nodes, with the rates of this service's `/v1/convert`. Not operated or endorsed by Bisq. " +
      BASIS_TEXT,
    ...documentedErrors
  },
  Group
)
