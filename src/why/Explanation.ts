// The members of an explanation (WHY.md §6), ready to be written as JSON. Times are RFC 3339 in UTC, money is USD,
// changes are percent.
import { Schema, Struct } from "effect"
import kinds from "./data/kinds.json" with { type: "json" }

/**
 * The kind of event that a report is about, in the order of `kinds.json`: of equally good kinds the first is preferred.
 * `other`: reported in words of no known kind.
 */
export const EventKind = Schema.Literals([...Struct.keys(kinds.kinds), "other"])

export type EventKind = typeof EventKind.Type

/** Whose move it is. */
export const Verdict = Schema.Literals(["coin_specific", "sector", "market_wide", "unexplained"])

export type Verdict = typeof Verdict.Type

/** What could be said of the move. */
export const Status = Schema.Literals([
  "explained",
  "market_wide",
  "sector",
  "unexplained",
  "insufficient_coverage",
  "not_a_mover"
])

/** How well supported an explanation is; not how likely it is to be the true cause. */
export const Level = Schema.Literals(["high", "medium", "low"])

export type Level = typeof Level.Type

/** `null` where it is not known. */
export const Figure = Schema.NullOr(Schema.Finite)

const Time = Schema.NullOr(Schema.String)

const Ids = Schema.Array(Schema.String)

const Direction = Schema.Literals(["up", "down"])

/** One sentence with the ids of what it cites. */
export const Sentence = Schema.Struct({ text: Schema.String, citations: Ids })

export type Sentence = typeof Sentence.Type

/**
 * One reported event that coincides with the move.
 *
 * - `direction`: which way such an event pushes. `summary`: the headline of the best report, verbatim.
 * - `minutes_after_onset`: negative where it was reported before the move began; `null` where the start is not known.
 */
export const Driver = Schema.Struct({
  rank: Schema.Finite,
  role: Schema.Literals(["cause", "amplifier"]),
  kind: EventKind,
  direction: Direction,
  summary: Schema.String,
  first_reported_at: Time,
  minutes_after_onset: Figure,
  publishers: Schema.Finite,
  confidence: Level,
  citations: Ids
})

export type Driver = typeof Driver.Type

/** A date ahead, in the words of a cited item. */
export const Watch = Schema.Struct({ date: Schema.String, text: Schema.String, citations: Ids })

export type Watch = typeof Watch.Type

/** The parts of the move, in percentage points, and when it began. */
export const MoveParts = Schema.Struct({
  market: Schema.Finite,
  sector: Schema.Finite,
  coin: Schema.Finite,
  beta: Schema.Finite,
  onset_at: Time,
  sharp: Schema.Boolean
})

/** Something that a reader can open. `id`: `e1`… a report, `m1`… a figure, `c1` the list of what was searched. */
export const Citation = Schema.Struct({
  n: Schema.Finite,
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
  published_at: Schema.String
})

export type Citation = typeof Citation.Type

/** What was searched. */
export const CoverageReport = Schema.Struct({
  items_considered: Schema.Finite,
  items_linked: Schema.Finite,
  sources_ok: Schema.Finite,
  sources_failed: Ids,
  window_hours: Schema.Finite,
  newest_item_at: Time
})

export type CoverageReport = typeof CoverageReport.Type

/** The explanation of one mover. */
export const Explanation = Schema.Struct({
  id: Schema.String,
  symbol: Schema.String,
  name: Schema.String,
  rank: Figure,
  direction: Direction,
  price_usd: Figure,
  change_24h: Schema.Finite,
  volume_24h_usd: Figure,
  volume_ratio_7d: Figure,
  status: Status,
  verdict: Schema.NullOr(Verdict),
  headline: Schema.String,
  summary: Schema.String,
  sentences: Schema.Array(Sentence),
  drivers: Schema.Array(Driver),
  watch: Schema.Array(Watch),
  decomposition: MoveParts,
  /** The level, the score behind it (0 to 1), and what the score counts. */
  confidence: Schema.Struct({ level: Level, score: Schema.Finite, reasons: Schema.Array(Schema.String) }),
  citations: Schema.Array(Citation),
  coverage: CoverageReport
})

export type Explanation = typeof Explanation.Type
