// The members of an explanation (WHY.md §6), ready to be written as JSON. Times are RFC 3339 in UTC, money is USD,
// changes are percent.
import { Schema } from "effect"

/** The kind of event that a report is about; `other`: reported in words of no known kind. Of equally good kinds the
 * first is preferred. */
export const EventKind = Schema.Literals([
  "exploit",
  "outage",
  "insolvency",
  "depeg",
  "delisting",
  "listing",
  "regulatory",
  "etf",
  "treasury",
  "funding",
  "partnership",
  "upgrade",
  "migration",
  "tokenomics",
  "token_unlock",
  "airdrop",
  "whale",
  "liquidations",
  "social",
  "leadership",
  "sector",
  "macro",
  "market",
  "other"
])

/** {@link EventKind}. */
export type EventKind = typeof EventKind.Type

/** Whose move it is. */
export const Verdict = Schema.Literals(["coin_specific", "sector", "market_wide", "unexplained"])

/** {@link Verdict}. */
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

/** {@link Status}. */
export type Status = typeof Status.Type

/** How well supported an explanation is; not how likely it is to be the true cause. */
export const Level = Schema.Literals(["high", "medium", "low"])

/** {@link Level}. */
export type Level = typeof Level.Type

const Figure = Schema.NullOr(Schema.Finite)

const Time = Schema.NullOr(Schema.String)

const Ids = Schema.Array(Schema.String)

const Direction = Schema.Literals(["up", "down"])

/** One sentence with the ids of what it cites. */
export const Sentence = Schema.Struct({ text: Schema.String, citations: Ids })

/** {@link Sentence}. */
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

/** {@link Driver}. */
export type Driver = typeof Driver.Type

/** A date ahead, in the words of a cited item. */
export const Watch = Schema.Struct({ date: Schema.String, text: Schema.String, citations: Ids })

/** {@link Watch}. */
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

/** {@link MoveParts}. */
export type MoveParts = typeof MoveParts.Type

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

/** {@link Citation}. */
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

/** {@link CoverageReport}. */
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
  confidence: Schema.Struct({ level: Level, score: Schema.Finite, reasons: Schema.Array(Schema.String) }),
  citations: Schema.Array(Citation),
  coverage: CoverageReport
})

/** {@link Explanation}. */
export type Explanation = typeof Explanation.Type
