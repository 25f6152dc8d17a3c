// Metrics of the history. Counters without labels start at 0, so that 0 differs from missing.
import { Cause, Effect, Metric } from "effect"

const counter = (name: string, description: string) => Metric.counter(name, { description, incremental: true })
const gauge = (name: string, description: string) => Metric.gauge(name, { description })

export const recorded = counter(
  "cda_history_recorded_total",
  "Observations and published points handed to the database and committed"
)
export const lost = counter(
  "cda_history_lost_total",
  "Observations and points that found the queue full and are not recorded"
)
export const failures = counter("cda_history_failures_total", "Attempts to write to the history's database that failed")
export const queued = gauge(
  "cda_history_queued",
  "Observations and points that wait to be written to the history's database"
)

const defects = counter("cda_history_defects_total", "Bugs met while recording, each with an error in the log")
const broken = counter(
  "cda_history_broken_total",
  "Recorded rows, or parts of them, that cannot be read and are left out of answers, by series"
)

const pieces = gauge(
  "cda_history_backfill_pieces",
  "Pieces of work of the backfill: coins, half-years of fiat rates, whole series"
)
const piecesDone = gauge("cda_history_backfill_done", "Pieces of the backfill that are done")
const piecesFailing = gauge(
  "cda_history_backfill_failing",
  "Pieces of the backfill that failed when they were last tried and are not done"
)
const pieceFailures = counter(
  "cda_history_backfill_failures_total",
  "Attempts at a piece of the backfill that failed, by source and kind of piece"
)

export const backfilled = (done: number, all: number, failing: number): Effect.Effect<void> =>
  Effect.all([Metric.update(pieces, all), Metric.update(piecesDone, done), Metric.update(piecesFailing, failing)], {
    discard: true
  })

/** Counts a failed piece by the first part of its name: there are thousands of coins. */
export const backfillFailed = (piece: string, source: string): Effect.Effect<void> =>
  Metric.update(Metric.withAttributes(pieceFailures, { source, piece: piece.replace(/\/.*/, "") }), 1)

export const started: Effect.Effect<void> = Effect.andThen(
  Effect.forEach([recorded, lost, failures, defects], (metric) => Metric.update(metric, 0)),
  Metric.update(queued, 0)
)

export const brokenPart = (series: string): Effect.Effect<void> =>
  Metric.update(Metric.withAttributes(broken, { series }), 1)

/** Counts and logs a bug; `effect` is its consequence. */
export const defect = (effect: string, defect: unknown): Effect.Effect<void> =>
  Effect.andThen(Metric.update(defects, 1), Effect.logError(`history: a bug: ${effect}`, Cause.die(defect)))
