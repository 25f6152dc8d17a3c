// What moves the biggest movers, each with citations a reader can open.
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { Explanation, Market, NotAMoverReason } from "../domain/Explanation.ts"
import { figure, jsonNumber } from "../domain/JsonNumber.ts"
import { cacheable } from "./Described.ts"
import { envelope, when } from "./Envelope.ts"
import { CoinId } from "./Parameters.ts"
import { SourceUnavailable, UnknownCoin } from "./Problems.ts"

export const Mover = Schema.Struct({
  ...Explanation.fields,
  first_explained_at: when("When this move was first explained"),
  revised_at: when("When evidence or verdict last changed")
}).annotate({ identifier: "Mover" })

const Disclaimer = Schema.Literal("Reported coincidences, not proof of cause. Not financial advice.")

export const Why = Schema.Struct({
  as_of: when("The time of the run that explained"),
  window: Schema.Literal("24h"),
  market: Market,
  movers: Schema.Array(Mover).annotate({ description: "At most five gainers and five losers; empty on a quiet day" }),
  disclaimer: Disclaimer
}).annotate({ identifier: "Why" })

export const WhyOne = Schema.Struct({
  ...Mover.fields,
  change_24h: figure("Change of the price in 24 hours, percent"),
  as_of: when("The time of the run that explained"),
  market: Market,
  not_a_mover: Schema.NullOr(
    Schema.Struct({
      reason: NotAMoverReason,
      threshold_pct: jsonNumber("Percent by which the coin would have to move"),
      sigma: figure("The coin's usual move in a day, percent")
    })
  ).annotate({ description: "Why the coin is not among the movers; null for one that is" }),
  last_explanation: Schema.NullOr(Mover).annotate({
    description: "The last explanation of a coin that left the list lately"
  }),
  disclaimer: Disclaimer
}).annotate({ identifier: "WhyOne" })

/** `/v1/why`, `/v1/why/{id}`. */
export class WhyApi extends HttpApiGroup.make("why")
  .add(
    HttpApiEndpoint.get("movers", "/why", {
      success: envelope("WhyAnswer", Why),
      error: [SourceUnavailable]
    }).annotateMerge(
      cacheable(
        "The biggest movers, each with a cited explanation",
        "The coins that moved most in 24 hours, how much of that is the market's and the sector's, and which published " +
          "reports coincide with the rest. Reported coincidences, not proof of cause.",
        "listMovers"
      )
    ),
    HttpApiEndpoint.get("mover", "/why/:id", {
      params: { id: CoinId },
      success: envelope("WhyOneAnswer", WhyOne),
      error: [UnknownCoin, SourceUnavailable]
    }).annotateMerge(
      cacheable(
        "Why one coin moved, or why it is no mover",
        "The explanation for one coin. A coin that is not moving gets `status: not_a_mover` with its change and the " +
          "threshold; only an unknown id is a 404.",
        "explainCoin"
      )
    )
  )
  .annotate(OpenApi.Description, "Explanations of the biggest movers, with citations to open.") {}
