// What moves the biggest movers, each with citations a reader can open.
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { EvidenceType } from "../domain/Evidence.ts"
import { cached } from "./Described.ts"
import { envelope, when } from "./Envelope.ts"
import { figure, jsonNumber } from "./JsonNumber.ts"
import { CoinId } from "./Parameters.ts"
import { SourceUnavailable, UnknownCoin } from "./Problems.ts"

const said = (description: string) => Schema.String.annotate({ description })
const whole = (description: string) => Schema.Int.annotate({ description })

const Cited = Schema.Array(Schema.String).annotate({ description: "The `id` of each citation that supports it" })

/** RFC 3339 with `Z`, as the engine writes it. */
const Time = Schema.String.annotate({ format: "date-time" })

const Level = Schema.Literals(["high", "medium", "low"]).annotate({
  description: "How well supported, not how likely to be the true cause"
})

const Citation = Schema.Struct({
  n: whole("The number in brackets in `summary`, from 1"),
  id: said("The id that sentences and drivers refer to"),
  type: Schema.Literals([...EvidenceType.literals, "market_data", "coverage"]),
  title: said("The headline as published, or the name of the figures"),
  url: said("The URL to open"),
  publisher: said("The publisher"),
  published_at: Time
}).annotate({ identifier: "Citation" })

const Sentence = Schema.Struct({ text: Schema.String, citations: Cited }).annotate({
  identifier: "Sentence"
})

const Driver = Schema.Struct({
  rank: whole("From 1, the best supported first"),
  role: Schema.Literals(["cause", "amplifier"]).annotate({
    description: "cause: an event that fits the move. amplifier: something that came with the move and strengthened it"
  }),
  kind: said(
    "The kind of event, such as listing, exploit, regulatory; other: reported by a primary source or two publishers, in words of no known kind"
  ),
  direction: Schema.Literals(["up", "down"]).annotate({ description: "Which way such an event pushes" }),
  summary: said("The headline of the best report, as published"),
  first_reported_at: Schema.NullOr(Time),
  minutes_after_onset: figure(
    "Minutes from the onset to the first report; negative before it, null if the onset is unknown"
  ),
  publishers: whole("Independent publishers that report it"),
  confidence: Level,
  citations: Cited
}).annotate({ identifier: "Driver" })

const Watch = Schema.Struct({
  date: said("The day, as the report gives it"),
  text: said("What is to happen, as reported"),
  citations: Cited
}).annotate({ identifier: "Watch", description: "A coming event with a date, from a cited report" })

const Decomposition = Schema.Struct({
  market: jsonNumber("Percentage points of the market"),
  sector: jsonNumber("Percentage points of the sector"),
  coin: jsonNumber("Percentage points of the coin alone"),
  beta: jsonNumber("How strongly the coin follows the market: 1 is one for one"),
  onset_at: Schema.NullOr(Time).annotate({
    description: "When the move began, to the hour; null if that cannot be told"
  }),
  sharp: Schema.Boolean.annotate({ description: "Whether the move began suddenly" })
}).annotate({ identifier: "Decomposition", description: "The move in percentage points, by origin" })

const Coverage = Schema.Struct({
  items_considered: whole("Reports considered"),
  items_linked: whole("Reports that are about this coin"),
  sources_ok: whole("Sources of evidence that are fresh"),
  sources_failed: Schema.Array(Schema.String).annotate({ description: "Sources of evidence that are not" }),
  window_hours: jsonNumber("How far back was searched"),
  newest_item_at: Schema.NullOr(Time)
}).annotate({ identifier: "Coverage", description: "What was searched" })

const explanation = {
  id: said("The coin's id in CoinGecko's registry"),
  symbol: said("Ticker in upper case"),
  name: Schema.String,
  rank: figure("Place by market cap, from 1"),
  direction: Schema.Literals(["up", "down"]),
  price_usd: figure("USD for 1 coin"),
  change_24h: jsonNumber("Change of the price in 24 hours, percent"),
  volume_24h_usd: figure("USD traded in 24 hours"),
  volume_ratio_7d: figure("Volume of 24 hours over the mean of the last 7 days"),
  status: Schema.Literals([
    "explained",
    "market_wide",
    "sector",
    "unexplained",
    "insufficient_coverage",
    "not_a_mover"
  ]).annotate({
    description:
      "unexplained: nothing fitting was found in what was searched, which does not mean that there is no reason. " +
      "insufficient_coverage: too few sources were fresh to say anything"
  }),
  verdict: Schema.NullOr(Schema.Literals(["coin_specific", "sector", "market_wide", "unexplained"])).annotate({
    description: "The origin of the move; null without enough coverage and for a coin that is no mover"
  }),
  headline: Schema.String,
  summary: said("The sentences, each with the numbers of its citations in brackets"),
  sentences: Schema.Array(Sentence),
  drivers: Schema.Array(Driver),
  watch: Schema.Array(Watch),
  decomposition: Decomposition,
  confidence: Schema.Struct({
    level: Level,
    score: jsonNumber("0 to 1: how well supported, not how likely to be true"),
    reasons: Schema.Array(Schema.String).annotate({ description: "What the score counts" })
  }).annotate({ description: "How well supported the explanation is" }),
  citations: Schema.Array(Citation),
  coverage: Coverage,
  first_explained_at: when("When this move was first explained"),
  revised_at: when("When evidence or verdict last changed")
}

export const Mover = Schema.Struct(explanation).annotate({ identifier: "Mover" })

const Market = Schema.Struct({
  summary: Schema.String,
  btc_change_24h: figure("Percent"),
  eth_change_24h: figure("Percent"),
  total_cap_change_24h: figure("Percent"),
  top100_median_change_24h: figure("Percent: half of the 100 largest coins changed by more"),
  top100_up_pct: figure("Percent of the 100 largest coins that rose"),
  drivers: Schema.Array(Driver),
  citations: Schema.Array(Citation)
}).annotate({ identifier: "Market" })

const Disclaimer = Schema.Literal("Reported coincidences, not proof of cause. Not financial advice.")

const Why = Schema.Struct({
  as_of: when("The time of the run that explained"),
  window: Schema.Literal("24h"),
  market: Market,
  movers: Schema.Array(Mover).annotate({ description: "At most five gainers and five losers; empty on a quiet day" }),
  disclaimer: Disclaimer
}).annotate({ identifier: "Why" })

const WhyOne = Schema.Struct({
  ...explanation,
  change_24h: figure("Change of the price in 24 hours, percent"),
  as_of: when("The time of the run that explained"),
  market: Market,
  not_a_mover: Schema.NullOr(
    Schema.Struct({
      reason: Schema.Literals([
        "below_threshold",
        "below_liquidity_floor",
        "below_rank_floor",
        "excluded_category",
        "unreliable_price"
      ]),
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
      cached(
        "listMovers",
        "The biggest movers, each with a cited explanation",
        "The coins that moved most in 24 hours, how much of that is the market's and the sector's, and which published " +
          "reports coincide with the rest. Reported coincidences, not proof of cause."
      )
    ),
    HttpApiEndpoint.get("mover", "/why/:id", {
      params: { id: CoinId },
      success: envelope("WhyOneAnswer", WhyOne),
      error: [UnknownCoin, SourceUnavailable]
    }).annotateMerge(
      cached(
        "explainCoin",
        "Why one coin moved, or why it is no mover",
        "The explanation for one coin. A coin that is not moving gets `status: not_a_mover` with its change and the " +
          "threshold; only an unknown id is a 404."
      )
    )
  )
  .annotate(OpenApi.Description, "Explanations of the biggest movers, with citations to open.") {}
