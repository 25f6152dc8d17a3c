// The published members of an explanation (WHY.md §6) and of the market line. Times are RFC 3339 in UTC, money is USD, changes
// are percent; `null` is unknown.
import { Schema } from "effect"
import { EvidenceType } from "./Evidence.ts"
import { figure, jsonNumber } from "./JsonNumber.ts"

const textOf = (description: string) => Schema.String.annotate({ description })
const whole = (description: string) => Schema.Int.annotate({ description })

const Cited = Schema.Array(Schema.String).annotate({ description: "The `id` of each citation that supports it" })

const Time = Schema.String.annotate({ format: "date-time" })

const DayOrTime = textOf("RFC 3339; a day, `YYYY-MM-DD`, from a source that knows only the day")

const Level = Schema.Literals(["high", "medium", "low"]).annotate({
  description: "How well supported, not how likely to be the true cause"
})

export type Level = typeof Level.Type

/** A source that a reader can open. `id`: `e1`… for a report, `m1`… for a figure, `c1` for the list of what was searched. */
const Citation = Schema.Struct({
  n: whole("The number in brackets in `summary`, from 1"),
  id: textOf("The id that sentences and drivers refer to"),
  type: Schema.Literals([...EvidenceType.literals, "market_data", "coverage"]),
  title: textOf("The headline as published, or the name of the figures"),
  url: textOf("The URL to open"),
  publisher: textOf("The publisher"),
  published_at: DayOrTime
}).annotate({ identifier: "Citation" })

export type Citation = typeof Citation.Type

const Sentence = Schema.Struct({ text: Schema.String, citations: Cited }).annotate({
  identifier: "Sentence"
})

export type Sentence = typeof Sentence.Type

/** One reported event that coincides with the move. */
const Driver = Schema.Struct({
  rank: whole("From 1, the best supported first"),
  role: Schema.Literals(["cause", "amplifier"]).annotate({
    description: "cause: an event that fits the move. amplifier: something that came with the move and strengthened it"
  }),
  kind: textOf(
    "The kind of event, such as listing, exploit, regulatory; other: reported by a primary source or two publishers, in words of no known kind"
  ),
  direction: Schema.Literals(["up", "down"]).annotate({ description: "Which way such an event pushes" }),
  summary: textOf("The headline of the best report, as published"),
  first_reported_at: Schema.NullOr(DayOrTime),
  minutes_after_onset: figure(
    "Minutes from the onset to the first report; negative before it, null if one of the two is not known to the hour"
  ),
  publishers: whole("Independent publishers that report it"),
  confidence: Level,
  citations: Cited
}).annotate({ identifier: "Driver" })

export type Driver = typeof Driver.Type

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

export type Coverage = typeof Coverage.Type

/** The origin of a move. */
const Verdict = Schema.Literals(["coin_specific", "sector", "market_wide", "unexplained"])

export type Verdict = typeof Verdict.Type

/** The explanation of one mover. */
export const Explanation = Schema.Struct({
  id: textOf("The coin's id in CoinGecko's registry"),
  symbol: textOf("Ticker in upper case"),
  name: Schema.String,
  rank: figure("Place by market cap, from 1"),
  direction: Schema.Literals(["up", "down"]),
  price_usd: figure("USD for 1 coin now, as in every other answer; the other figures are of `as_of`"),
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
  verdict: Schema.NullOr(Verdict).annotate({
    description: "The origin of the move; null without enough coverage and for a coin that is no mover"
  }),
  headline: Schema.String,
  summary: textOf("The sentences, each with the numbers of its citations in brackets"),
  sentences: Schema.Array(Sentence),
  drivers: Schema.Array(Driver),
  decomposition: Decomposition,
  confidence: Schema.Struct({
    level: Level,
    score: jsonNumber("0 to 1: how well supported, not how likely to be true"),
    reasons: Schema.Array(Schema.String).annotate({ description: "What the score counts" })
  }).annotate({ description: "How well supported the explanation is" }),
  citations: Schema.Array(Citation),
  coverage: Coverage
})

export type Explanation = typeof Explanation.Type

/** The line about the whole market, shown above the movers. `citations` resolve the markers in `summary`. */
export const Market = Schema.Struct({
  summary: Schema.String,
  btc_change_24h: figure("Percent"),
  eth_change_24h: figure("Percent"),
  total_cap_change_24h: figure("Percent"),
  top100_median_change_24h: figure("Percent: half of the 100 largest coins changed by more"),
  top100_up_pct: figure("Percent of the 100 largest coins that rose"),
  drivers: Schema.Array(Driver),
  citations: Schema.Array(Citation)
}).annotate({ identifier: "Market" })

export type Market = typeof Market.Type

/** Why a coin is not among the movers. */
export const NotAMoverReason = Schema.Literals([
  "below_threshold",
  "below_liquidity_floor",
  "below_rank_floor",
  "excluded_category",
  "unreliable_price"
])

export type NotAMoverReason = typeof NotAMoverReason.Type
