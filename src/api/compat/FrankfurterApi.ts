// The contract for programs made for Frankfurter: its paths, parameters and shapes, answered from `/v1/fx` and its history.
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { jsonDecimal, jsonNumber, JsonNumber } from "../../domain/JsonNumber.ts"
import { cacheable } from "../Described.ts"
import { Day } from "../Envelope.ts"
import { CompatAmount } from "../Parameters.ts"
import { NoData, NoPrice, NotFound, UnknownAsset } from "../Problems.ts"
import { compatContract } from "./CompatDocument.ts"
import {
  Code,
  Codes,
  Date as OnDay,
  documentedErrors,
  frankfurter,
  Group as Ungrouped,
  PeriodText,
  Unsupported
} from "./FrankfurterDialect.ts"

const optional = Schema.optionalKey

/** `from` and `to` are older names of `base` and `symbols`. */
const filters = {
  amount: CompatAmount,
  base: optional(Code),
  from: optional(Code),
  symbols: optional(Codes),
  to: optional(Codes)
}

const Quotes = Schema.Struct({
  amount: jsonDecimal("Units of the base"),
  base: Schema.String,
  date: Day.annotate({ description: "The day of the oldest rate among them" }),
  rates: Schema.Record(Schema.String, JsonNumber)
}).annotate({ identifier: "Quotes", description: "The amount in each currency" })

const Series = Schema.Struct({
  amount: jsonDecimal("Units of the base"),
  base: Schema.String,
  start_date: Day,
  end_date: Day,
  rates: Schema.Record(Schema.String, Schema.Record(Schema.String, JsonNumber))
}).annotate({ identifier: "Series", description: "The amount in each currency, by day" })

const Currency = Schema.Struct({
  iso_code: Schema.String,
  iso_numeric: Schema.Null.annotate({ description: "Not known here" }),
  name: Schema.String,
  symbol: Schema.NullOr(Schema.String),
  start_date: Schema.Null.annotate({ description: "Not known here" }),
  end_date: Day.annotate({ description: "The day of the newest rate" })
}).annotate({ identifier: "Currency" })

const Names = Schema.Record(Schema.String, Schema.String).annotate({ description: "Names by code" })

const Rate = Schema.Struct({
  date: Day.annotate({ description: "The day of the older of both currencies' rates" }),
  base: Schema.String,
  quote: Schema.String,
  rate: jsonNumber("Units of the quote for 1 of the base")
}).annotate({ identifier: "Rate" })

const unsupported = { providers: optional(Unsupported), expand: optional(Unsupported) }

/** Version 1. Its older programs ask without a version. */
const version1 = <const Name extends string, const Path extends "" | "/v1">(name: Name, path: Path) =>
  [
    HttpApiEndpoint.get(`latest${name}`, `${path}/latest`, {
      query: filters,
      success: Quotes,
      error: [NoData, NoPrice, UnknownAsset]
    }).annotateMerge(
      cacheable("Rates now, version 1", "Of EUR unless a base is named. Symbols that are not known are left out.")
    ),
    HttpApiEndpoint.get(`currencyNames${name}`, `${path}/currencies`, {
      success: Names,
      error: [NoData]
    }).annotateMerge(cacheable("The currencies that have a rate, version 1", "Their English names by code.")),
    HttpApiEndpoint.get(`during${name}`, `${path}/:period`, {
      params: { period: PeriodText },
      query: filters,
      success: Schema.Union([Quotes, Series]),
      error: [NoData, NoPrice, NotFound, UnknownAsset]
    }).annotateMerge(
      cacheable(
        "Rates of a day or of a range of days, version 1",
        "Those of the day, else the last ones within 7 days before. A range needs 1 to 10 symbols, and has the days on which both " +
          "currencies were published."
      )
    )
  ] as const

const Group = HttpApiGroup.make("frankfurter", { topLevel: true })
  .add(
    ...version1("", "/v1"),
    ...version1("Unversioned", ""),
    HttpApiEndpoint.get("currencyList", "/v2/currencies", {
      success: Schema.Array(Currency),
      error: [NoData]
    }).annotateMerge(cacheable("The currencies that have a rate", "By code.")),
    HttpApiEndpoint.get("rates", "/v2/rates", {
      query: {
        base: optional(Code),
        quotes: optional(Codes),
        date: optional(OnDay),
        from: optional(OnDay),
        to: optional(OnDay),
        group: optional(Ungrouped),
        ...unsupported
      },
      success: Schema.Array(Rate),
      error: [NoData, NoPrice, UnknownAsset]
    }).annotateMerge(
      cacheable(
        "Rates now, of a day, or of a range of days",
        "Of EUR unless a base is named. With `from` at most 10 quotes, of the days on which both currencies were published, and " +
          "at most 10,000 rates. A range that begins on a day without rates begins with the last day before it."
      )
    ),
    HttpApiEndpoint.get("rate", "/v2/rate/:base/:quote", {
      params: { base: Code, quote: Code },
      query: { date: optional(OnDay), ...unsupported },
      success: Rate,
      error: [NoData, NoPrice, UnknownAsset]
    }).annotateMerge(cacheable("A rate now or of a day", "The first that `/v2/rates` has for the pair."))
  )
  .annotate(OpenApi.Description, "Fiat rates.")

/** The endpoints. Their rates are official by nature, so their paths take no basis. */
export const FrankfurterApi = compatContract(
  frankfurter,
  {
    service: "Frankfurter",
    version: "2",
    description:
      "Paths, parameters, shapes and errors of Frankfurter's API, with the rates of this service's `/v1/fx`: `NGN` is the " +
      "official rate. Not operated or endorsed by Frankfurter.",
    ...documentedErrors
  },
  Group
)

export type QueryOf<Name extends keyof Endpoints> = HttpApiEndpoint.Query<Endpoints[Name]>["Type"]

type Endpoints = (typeof FrankfurterApi)["groups"]["frankfurter"]["endpoints"]
