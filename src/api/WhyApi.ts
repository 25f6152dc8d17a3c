// What moves the biggest movers, each with citations a reader can open.
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import { envelope, Instant } from "./Envelope.ts"
import { JsonNumber } from "./JsonNumber.ts"
import { CoinId } from "./Parameters.ts"
import { Kept } from "./PerSnapshot.ts"
import { SourceUnavailable, UnknownCoin } from "./Problems.ts"

const Figure = Schema.NullOr(JsonNumber)

/** RFC 3339 with `Z`, as the engine writes it. */
const Time = Schema.String.annotate({ format: "date-time" })

const Level = Schema.Literals(["high", "medium", "low"]).annotate({
  description: "How well supported; not how likely to be the true cause"
})

const Citation = Schema.Struct({
  n: Schema.Int,
  id: Schema.String,
  type: Schema.Literals([
    "news",
    "exchange_announcement",
    "project_blog",
    "regulator",
    "incident_record",
    "market_data",
    "coverage"
  ]),
  title: Schema.String,
  url: Schema.String,
  publisher: Schema.String,
  published_at: Time
}).annotate({ identifier: "Citation" })

const Sentence = Schema.Struct({ text: Schema.String, citations: Schema.Array(Schema.String) }).annotate({
  identifier: "Sentence"
})

const Driver = Schema.Struct({
  rank: Schema.Int,
  role: Schema.Literals(["cause", "amplifier"]),
  kind: Schema.String,
  direction: Schema.Literals(["up", "down"]),
  summary: Schema.String,
  first_reported_at: Schema.NullOr(Time),
  minutes_after_onset: Figure,
  publishers: Schema.Int,
  confidence: Level,
  citations: Schema.Array(Schema.String)
}).annotate({ identifier: "Driver" })

const Watch = Schema.Struct({
  date: Schema.String,
  text: Schema.String,
  citations: Schema.Array(Schema.String)
}).annotate({ identifier: "Watch" })

const Decomposition = Schema.Struct({
  market: JsonNumber,
  sector: JsonNumber,
  coin: JsonNumber,
  beta: JsonNumber,
  onset_at: Schema.NullOr(Time),
  sharp: Schema.Boolean
}).annotate({ identifier: "Decomposition", description: "Percentage points of the move, by whose they are" })

const Coverage = Schema.Struct({
  items_considered: Schema.Int,
  items_linked: Schema.Int,
  sources_ok: Schema.Int,
  sources_failed: Schema.Array(Schema.String),
  window_hours: JsonNumber,
  newest_item_at: Schema.NullOr(Time)
}).annotate({ identifier: "Coverage" })

const explanation = {
  id: Schema.String,
  symbol: Schema.String,
  name: Schema.String,
  rank: Figure,
  direction: Schema.Literals(["up", "down"]),
  price_usd: Figure,
  change_24h: JsonNumber,
  volume_24h_usd: Figure,
  volume_ratio_7d: Figure,
  status: Schema.Literals([
    "explained",
    "market_wide",
    "sector",
    "unexplained",
    "insufficient_coverage",
    "not_a_mover"
  ]),
  verdict: Schema.NullOr(Schema.Literals(["coin_specific", "sector", "market_wide", "unexplained"])),
  headline: Schema.String,
  summary: Schema.String,
  sentences: Schema.Array(Sentence),
  drivers: Schema.Array(Driver),
  watch: Schema.Array(Watch),
  decomposition: Decomposition,
  confidence: Schema.Struct({ level: Level, score: JsonNumber, reasons: Schema.Array(Schema.String) }),
  citations: Schema.Array(Citation),
  coverage: Coverage,
  engine: Schema.Literals(["embedded", "model"]).annotate({ description: "Who worded it" }),
  fallback: Schema.NullOr(Schema.String).annotate({
    description: "Why the embedded wording stands, where a model was asked"
  }),
  first_explained_at: Instant,
  revised_at: Instant
}

/** One mover. */
export const Mover = Schema.Struct(explanation).annotate({ identifier: "Mover" })

const Market = Schema.Struct({
  summary: Schema.String,
  btc_change_24h: Figure,
  eth_change_24h: Figure,
  total_cap_change_24h: Figure,
  top100_median_change_24h: Figure,
  top100_up_pct: Figure,
  drivers: Schema.Array(Driver),
  citations: Schema.Array(Citation)
}).annotate({ identifier: "Market" })

const Disclaimer = Schema.Literal("Reported coincidences, not proof of cause. Not financial advice.")

const Why = Schema.Struct({
  as_of: Instant,
  window: Schema.Literal("24h"),
  market: Market,
  movers: Schema.Array(Mover),
  disclaimer: Disclaimer
}).annotate({ identifier: "Why" })

const WhyOne = Schema.Struct({
  ...explanation,
  change_24h: Figure,
  as_of: Instant,
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
      threshold_pct: JsonNumber,
      sigma: Figure
    })
  ).annotate({ description: "Why the coin is not among the movers; null for one that is" }),
  last_explanation: Schema.NullOr(Mover).annotate({
    description: "What was last said of it, if it left the list lately"
  }),
  disclaimer: Disclaimer
}).annotate({ identifier: "WhyOne" })

/** `/v1/why`, `/v1/why/{id}`. */
export class WhyApi extends HttpApiGroup.make("why").add(
  HttpApiEndpoint.get("movers", "/why", { success: envelope("WhyAnswer", Why), error: [SourceUnavailable] }).annotate(
    Kept,
    true
  ),
  HttpApiEndpoint.get("mover", "/why/:id", {
    params: { id: CoinId },
    success: envelope("WhyOneAnswer", WhyOne),
    error: [UnknownCoin, SourceUnavailable]
  }).annotate(Kept, true)
) {}
