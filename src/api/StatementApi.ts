// The statement of a day: an amount by the official rate and by the street rate, each part with the address that answers it again.
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { figure, jsonDecimal, jsonNumber } from "../domain/JsonNumber.ts"
import { CONFIDENCES } from "../domain/P2pRate.ts"
import { cacheable } from "./Described.ts"
import { Day, envelope, Instant, Signature, when } from "./Envelope.ts"
import { HistoryDay, Zone } from "./HistoryParameters.ts"
import { choice, parameter } from "./Parameter.ts"
import { Amount, FromAsset, ToAsset } from "./Parameters.ts"
import { Method } from "./P2pApi.ts"
import { SourceUnavailable, UnknownAsset } from "./Problems.ts"

const Reason = Schema.NullOr(Schema.String)

const why = Reason.annotate({
  description:
    "Why there is none. not_published: no official rate of the day or the 7 days before it, or it is not 16:05 yet. not_followed: the market " +
    "was not observed then. not_observed: nothing was recorded that day. not_over: the day has not ended. too_few_hours, too_few_parts: less " +
    "than three quarters were observed. low_confidence: a part was uncertain. no_price: a coin or another fiat has no rate of that day. street_not_followed: people " +
    "pay a street rate for the other fiat too, and a statement has only its official one"
})

const worth = Schema.NullOr(jsonDecimal()).annotate({ description: "Units of `to` for the amount" })

const Official = Schema.Struct({
  rate: figure("Units of `to` per 1 `from` by the official rate"),
  result: worth,
  date: Schema.NullOr(Day).annotate({ description: "The day that the market's official rate was published for" }),
  source: Schema.NullOr(Schema.String).annotate({ description: "Who published it" }),
  carried_forward: Schema.NullOr(Schema.Boolean).annotate({
    description: "Whether that day is before the statement's, as on weekends and holidays"
  }),
  reason: why
}).annotate({ identifier: "StatementOfficial" })

const Street = Schema.Struct({
  fixing: figure("Units of `to` per 1 `from` by the day's fixing"),
  fixing_reason: why,
  result: worth,
  close: figure("The same by the last mid of the day"),
  close_reason: why,
  average: figure("The same by the mean of the last mids of the day's hours"),
  average_reason: why,
  confidence: Schema.NullOr(Schema.Literals(CONFIDENCES)).annotate({
    description: "Of the fixing; without one, of the close"
  }),
  kind: Schema.NullOr(Schema.Literals(["p2p", "order_book"])).annotate({
    description: "Where its mids are from; an order book is never called p2p"
  }),
  venues: Schema.Array(Schema.String).annotate({ description: "The venues whose mids it is made from" })
}).annotate({ identifier: "StatementStreet" })

const Excess = Schema.Struct({
  per_unit: figure("Units of `to` by which the fixing of 1 `from` is above its official rate; negative below it"),
  of_amount: Schema.NullOr(jsonDecimal()).annotate({ description: "The same for the amount" }),
  percent: figure("The same in percent of the official rate"),
  reason: Reason.annotate({ description: "no_official_rate or no_fixing" })
}).annotate({ identifier: "StatementExcess" })

const Leg = Schema.Struct({
  part: Schema.Literals(["official", "street"]).annotate({ description: "The rate that this leg is a factor of" }),
  from: Schema.String,
  to: Schema.String,
  rate: jsonNumber("Units of `to` per 1 `from`"),
  source: Schema.String,
  updated: when("When this rate was observed")
}).annotate({ identifier: "StatementLeg" })

const Evidence = Schema.Struct({
  part: Schema.Literals(["official", "fixing", "close", "average", "price"]),
  unit: Schema.String.annotate({ description: "NGN per tether: units of the first for 1 of the second" }),
  rate: figure("The figure that the address answers, or that its figures make"),
  reason: why,
  source: Schema.NullOr(Schema.String),
  observed: Schema.NullOr(Instant).annotate({ description: "When it was observed, of several the last" }),
  revised: Schema.NullOr(Instant).annotate({ description: "When its source corrected it" }),
  method: Method,
  address: Schema.String.annotate({ description: "Where this part can be asked again" }),
  how: Schema.String.annotate({ description: "Where the figure is in that answer" })
}).annotate({ identifier: "StatementEvidence" })

const Statement = Schema.Struct({
  from: Schema.String.annotate({ description: "A coin's id or a fiat's code" }),
  to: Schema.String.annotate({ description: "A coin's id or a fiat's code" }),
  amount: jsonDecimal("Units of `from`"),
  on: Day,
  zone: Schema.String.annotate({ description: "The time zone in which the day begins and ends" }),
  final: Schema.Boolean.annotate({
    description: "False while a part may change other than by its source's correction"
  }),
  official: Official,
  street: Street,
  excess: Excess,
  legs: Schema.Array(Leg).annotate({ description: "The factors of the official rate, then those of the fixing" }),
  method: Method,
  address: Schema.String.annotate({ description: "Where this statement can be asked again" }),
  evidence: Schema.Array(Evidence),
  information: Schema.Array(Schema.String).annotate({ description: "What this is, and what it is not" }),
  signature: Signature
}).annotate({ identifier: "Statement" })

const On = parameter(HistoryDay, ["The day.", "a day that is not in the future, as YYYY-MM-DD"], {
  format: "date",
  examples: ["2026-11-20"]
})

const Format = choice(["json", "csv", "text"], ["The format of the answer.", "json, csv or text"])

/** `/v1/statement`. */
export class StatementApi extends HttpApiGroup.make("statement", { topLevel: true })
  .add(
    HttpApiEndpoint.get("statement", "/statement", {
      query: { from: FromAsset, to: ToAsset, amount: Amount, on: On, tz: Schema.optionalKey(Zone), format: Format },
      success: envelope("StatementAnswer", Statement),
      error: [UnknownAsset, SourceUnavailable]
    }).annotateMerge(
      cacheable(
        "Statement of an amount on a day",
        "For books and records: the official rate and the street rate of a day, the excess of one over the other, and the address under which each " +
          "part is asked again. One of `from` and `to` is a fiat whose P2P market is followed. It is information on what was observed.",
        "getStatement"
      )
    )
  )
  .annotate(OpenApi.Description, "What was observed on a day, for books and records.") {}
