// Writes offered rows to the database in the background. Offering never waits and never fails. Rows wait in a bounded
// queue until their transaction has committed. Writes to a database that is down, locked or full are retried; rows that
// do not fit into the queue are refused.
import { Cause, Clock, Duration, Effect, Latch, Metric, Schedule } from "effect"
import { loop } from "../../domain/loop.ts"
import { connectionFailure } from "../../domain/connectionFailure.ts"
import * as Warnings from "../../domain/Warnings.ts"
import { intervals } from "../model/Interval.ts"
import { isObservation, type Point, type Row } from "../model/Point.ts"
import * as Fixings from "./Fixings.ts"
import * as HistoryMetrics from "./HistoryMetrics.ts"
import * as HistoryWriter from "./HistoryWriter.ts"
import * as Migrations from "./Migrations.ts"

/** The most rows in the queue: three hours of a list of 250 coins that is refreshed every minute. */
export const QUEUE_BOUND = 50_000

/** How long one attempt to write, or one step of upkeep, may take. */
const TIMEOUT = Duration.seconds(20)

/** How often final buckets are built. */
const BUILD_EVERY = Duration.seconds(30)

/** Frequent, so that each purge deletes only some thousand rows. */
const PURGE_EVERY = Duration.minutes(5)

/** Pauses between attempts while the database is away. */
const retries = Schedule.min([Schedule.exponential("500 millis"), Schedule.spaced("15 seconds")])

/** How long a shutdown waits for the queue to be written. */
const LAST_FLUSH = Duration.seconds(2)

/** Creates the tables if they are missing, and records until the scope closes. Then it tries to write the rest of the queue. */
export const make = Effect.gen(function* () {
  const writer = yield* HistoryWriter.make
  const publishFixings = yield* Fixings.make(writer)
  const migrated = yield* Latch.make(false)
  const work = yield* Latch.make(false)
  let queue: ReadonlyArray<Row> = []
  let version = 0
  const writing = reporting(
    "the history's database cannot be used, so observations wait in memory until it works",
    "the history is recorded again"
  )
  const tidying = reporting(
    "the history's hours and days cannot be built for now",
    "the history's hours and days are built again"
  )
  yield* HistoryMetrics.started

  const offer = Effect.fnUntraced(function* (rows: ReadonlyArray<Row>) {
    if (rows.length === 0) return true
    if (queue.length + rows.length > QUEUE_BOUND) return false
    queue = queue.concat(rows)
    yield* Metric.update(HistoryMetrics.queued, queue.length)
    yield* work.open
    return true
  })

  /** Writes the queue. Rows leave it when they are committed. */
  const flush = Effect.gen(function* () {
    yield* work.close
    const rows = queue
    const observations = rows.filter(isObservation)
    const points = rows.filter((row): row is Point => !isObservation(row))
    if (observations.length > 0) yield* writer.addObservations(observations)
    queue = [...points, ...queue.slice(rows.length)]
    if (points.length > 0) yield* writer.addPoints("day", points)
    queue = queue.slice(points.length)
    if (rows.length === 0) return
    version++
    yield* Metric.update(HistoryMetrics.recorded, rows.length)
    yield* Metric.update(HistoryMetrics.queued, queue.length)
    yield* writing.passed
  })

  let purgedAt = -Infinity
  /** One step of upkeep: builds some buckets, or deletes some rows. Returns whether there is more to do. */
  const upkeep = Effect.gen(function* () {
    for (const interval of intervals) if (yield* writer.build(interval)) return true
    // After the hours are built: observations that are committed later count for neither.
    if (yield* publishFixings()) return true
    const now = yield* Clock.currentTimeMillis
    if (now - purgedAt < Duration.toMillis(PURGE_EVERY)) return false
    if (yield* writer.purge()) return true
    purgedAt = now
    return false
  })

  // The database may have been replaced by one without tables.
  const repair = Effect.timeout(Effect.catchDefect(Migrations.run(), Effect.fail), TIMEOUT)
  const attempt = <A, E extends { readonly message: string }, R>(
    effect: Effect.Effect<A, E, R>,
    { failed }: ReturnType<typeof reporting>,
    afterFailure = repair
  ) =>
    effect.pipe(
      // The driver dies if a connection breaks during a rollback or while it returns to the pool.
      Effect.catchDefect((defect) => Effect.fail(new Cause.UnknownError(defect, "the connection broke"))),
      Effect.timeout(TIMEOUT),
      Effect.tapError((failure) => Effect.andThen(failed(reasonOf(failure)), Effect.ignore(afterFailure)))
    )

  yield* Effect.addFinalizer(() => (migrated.isOpen() ? Effect.ignore(Effect.timeout(flush, LAST_FLUSH)) : Effect.void))
  const writeOnce = Effect.gen(function* () {
    yield* Effect.ignore(Effect.retry(attempt(flush, writing), retries))
    // Failed upkeep does not stop writing. It is tried again after the next flush.
    const isMore = yield* Effect.orElseSucceed(Effect.tap(attempt(upkeep, tidying), tidying.passed), () => false)
    if (!isMore) yield* Effect.timeoutOption(work.await, BUILD_EVERY)
  })
  yield* attempt(Migrations.run(), writing, Effect.succeed([])).pipe(
    Effect.retry(retries),
    Effect.andThen(migrated.open),
    Effect.andThen(loop("history: the writing", 0, writeOnce)),
    // Most of the exported spans would be these statements, each with the text of a batch of up to 500 rows.
    Effect.withTracerEnabled(false),
    Effect.catchCause((cause) => Effect.logError("history: recording does not begin because of a bug", cause)),
    Effect.forkScoped({ startImmediately: true })
  )
  return {
    offer,
    /** Completes once the tables exist. */
    ready: migrated.await,
    /** Increases with every commit of queued rows. */
    version: () => version,
    /** When the oldest uncommitted observation was accepted. */
    pendingSince: () => queue.find(isObservation)?.recordedAt
  }
})

const reasonOf = (failure: unknown): string =>
  Cause.isTimeoutError(failure) ? "no answer in time" : connectionFailure(failure)

/** Counts and logs failures, and logs the recovery. */
const reporting = (isDown: string, isUp: string) => {
  const report = Warnings.make()
  return {
    failed: (message: string) =>
      Effect.andThen(
        Metric.update(HistoryMetrics.failures, 1),
        report("", `${isDown}: ${message}. Run \`doctor\``, message)
      ),
    passed: Effect.flatMap(report("", undefined), (hasFailed) => (hasFailed ? Effect.logInfo(isUp) : Effect.void))
  }
}
