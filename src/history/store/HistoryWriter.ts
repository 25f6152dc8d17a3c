// Writes the history. Points are never changed, observations only by a later one of the same slot; expired ones are deleted in small
// batches. A row is recorded once its transaction has committed. Times are epoch milliseconds.
import { Array as Arr, Clock, Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { bucketOf, finalAt, graceOf, type Interval, intervals, lengthOf } from "../model/Interval.ts"
import type { Observation, Point } from "../model/Point.ts"
import * as HistorySql from "./HistorySql.ts"
import * as SeriesName from "./SeriesName.ts"

/** The advisory lock that all writers to one PostgreSQL database take: "cda" in ASCII. */
const WRITE_LOCK = 0x63_64_61

/** The most rows in one statement. */
const BATCH = 500

/** How many buckets are built at once, and of how many series in one transaction. */
const BUILT_AT_ONCE = 24
const SERIES_AT_ONCE = 25

/** The time that one statement of a purge covers, ms: some thousand rows. */
const PURGED_AT_ONCE = 900_000

type Job = Interval | `${Interval} closed`

/** Makes the writer over the `SqlClient` in the context. The tables must exist (`Migrations.run`). */
export const make = Effect.gen(function* () {
  const sql = yield* SqlClient
  const { figure, folded, isLater, observations, observedUntil, pointColumns, points, step } = HistorySql.make(sql)

  /** One writer at a time: what it reads is still true when it commits. SQLite has its own lock, taken by `BEGIN IMMEDIATE`. */
  const writing = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
    sql.withTransaction(
      Effect.andThen(
        sql.onDialectOrElse({
          // A writer that is frozen or cut off loses the lock after 30 s.
          pg: () =>
            Effect.asVoid(sql`
              SELECT set_config('idle_in_transaction_session_timeout', '30s', true), pg_advisory_xact_lock(${figure(WRITE_LOCK)})`),
          orElse: () => Effect.void
        }),
        effect
      )
    )

  /** Inserts rows that do not exist yet, and returns how many. */
  const insert = Effect.fnUntraced(function* (
    table: string,
    rows: ReadonlyArray<Record<string, unknown>>,
    otherwise = sql`DO NOTHING`
  ) {
    let added = 0
    for (const some of Arr.chunksOf(rows, BATCH)) {
      const found = sql`INSERT INTO ${sql(table)} ${sql.insert(some)} ON CONFLICT ${otherwise} RETURNING 1 AS added`
      added += (yield* found).length
    }
    return added
  })

  /** Looks up the ids of series, and adds new ones. Not cached: the database may be replaced while it is in use. */
  const numbersOf = Effect.fnUntraced(function* (rows: ReadonlyArray<{ readonly series: string }>) {
    const numbers = new Map<string, number>()
    for (const names of Arr.chunksOf(new Set(rows.map(({ series }) => series)), BATCH)) {
      const known = sql<{ id: number; name: string }>`
        SELECT id, name FROM history_series WHERE ${sql.in("name", names)}`
      for (const { id, name } of yield* known) numbers.set(name, id)
      const unknown = names.flatMap((name) => (numbers.has(name) ? [] : { name }))
      if (unknown.length === 0) continue
      yield* insert("history_series", unknown)
      for (const { id, name } of yield* known) numbers.set(name, id)
    }
    return (name: string) => numbers.get(name)
  })

  /** Until when buckets are built or closed. A closed bucket is being built and accepts no more observations. */
  const done = Effect.gen(function* () {
    const rows = yield* sql<{ name: string; until: number | bigint }>`
      SELECT name, until FROM history_progress WHERE name IN ('hour', 'day', 'hour closed', 'day closed')`
    return (job: Job) => Number(rows.find(({ name }) => name === job)?.until ?? 0)
  })

  const setDone = (job: Job, until: number) =>
    sql`INSERT INTO history_progress ${sql.insert({ name: job, until })}
      ON CONFLICT (name) DO UPDATE SET until = excluded.until WHERE history_progress.until < excluded.until`

  /**
   * Adds observations. Of those of a series in one slot the last one stays, because it closes its part of a fixing, its hour and its day.
   * One that is recorded when its slot is final replaces none: what was recorded in time would be missing.
   */
  const addObservations = Effect.fn("HistoryWriter.addObservations")(function* (rows: ReadonlyArray<Observation>) {
    const numberOf = yield* numbersOf(rows)
    const add = Effect.gen(function* () {
      const until = yield* done
      // An observation for a closed bucket is late, and must not look as if it had been recorded in time.
      const acceptedAt = (observedAt: number, recordedAt: number) =>
        intervals.reduce((time, interval) => {
          const bucket = bucketOf(interval, observedAt)
          return bucket < until(`${interval} closed`) ? Math.max(time, finalAt(interval, bucket)) : time
        }, recordedAt)
      const last = new Map<string, { readonly observed_at: number }>()
      const late: Array<Record<string, unknown>> = []
      for (const { observedAt, recordedAt, series, ...rest } of rows) {
        const length = SeriesName.slotOf(series)
        const slot = observedAt - (observedAt % length)
        const times = { observed_at: observedAt, recorded_at: acceptedAt(observedAt, recordedAt) }
        const row = { series: numberOf(series), slot, ...times, ...rest }
        const key = `${slot} ${series}`
        if (times.recorded_at >= slot + length + graceOf("hour")) late.push(row)
        // PostgreSQL replaces no row twice in a statement.
        else if (observedAt > (last.get(key)?.observed_at ?? -Infinity)) last.set(key, row)
      }
      yield* insert("history_observations", [...last.values()], isLater)
      yield* insert("history_observations", late)
    })
    yield* writing(add)
  })

  /**
   * Adds points that sources published. A point with another close than its newest revision becomes the next revision,
   * unless it was retrieved earlier: an older retrieval by another replica is no correction.
   */
  const addPoints = Effect.fn("HistoryWriter.addPoints")(function* (interval: Interval, rows: ReadonlyArray<Point>) {
    const numberOf = yield* numbersOf(rows)
    for (const some of Arr.chunksOf(rows, BATCH)) {
      const add = Effect.gen(function* () {
        const buckets = some.map(({ bucket }) => bucket)
        const known = yield* sql<{ readonly key: string } & Pick<Point, "revision" | "close" | "recordedAt">>`
          SELECT series || ' ' || bucket || ' ' || origin AS key, revision, close,
            CAST(recorded_at AS DOUBLE PRECISION) AS "recordedAt"
          FROM history_points
          WHERE ${sql.in("series", [...new Set(some.map(({ series }) => numberOf(series)))])}
            AND step = ${step(interval)} AND bucket >= ${Math.min(...buckets)} AND bucket <= ${Math.max(...buckets)}
          ORDER BY revision`
        const newest = new Map(known.map(({ key, ...one }) => [key, one]))
        const values = some.flatMap(({ observedAt, recordedAt, series: name, ...rest }) => {
          const series = numberOf(name)
          const key = `${series} ${rest.bucket} ${rest.origin}`
          const before = newest.get(key)
          if (before !== undefined && (before.close === rest.close || recordedAt < before.recordedAt)) return []
          const revision = before === undefined ? 0 : before.revision + 1
          newest.set(key, { close: rest.close, revision, recordedAt })
          const times = { observed_at: observedAt, recorded_at: recordedAt }
          return [{ ...rest, series, step: HistorySql.stepOf(interval), revision, ...times }]
        })
        yield* insert("history_points", values)
      })
      yield* writing(add)
    }
  })

  /** The earliest time in the series whose names begin with `prefix`; infinite if there is none. */
  const earliest = ({ key, table, where }: HistorySql.Rows, prefix: string) =>
    Effect.map(
      sql<{ first: number | bigint | null }>`
        SELECT MIN(first) AS first FROM (
          SELECT (SELECT MIN(${key}) FROM ${table} o WHERE o.series = s.id AND ${where}) AS first
          FROM history_series s WHERE s.name LIKE ${`${prefix}%`}) AS firsts`,
      ([row]) => Number(row?.first ?? Infinity)
    )

  /**
   * Builds the next final buckets, and returns whether there are more: those that are final by the clock and by the newest observation,
   * because a clock that runs ahead for a moment would close days that are still to come. Each transaction builds only some series, so
   * that readers wait a few ms at most. An interrupted build is repeated with the same result.
   */
  const build = Effect.fn("HistoryWriter.build")(function* (interval: Interval) {
    const now = yield* Clock.currentTimeMillis
    const endAt = (time: number) => bucketOf(interval, time - graceOf(interval))
    const built = (yield* done)(interval)
    const from = bucketOf(interval, built > 0 ? built : yield* earliest(observations, ""))
    if (from >= endAt(now)) return false
    const end = Math.min(endAt(now), endAt(yield* observedUntil))
    if (from >= end) return false
    const until = Math.min(end, from + BUILT_AT_ONCE * lengthOf(interval))
    yield* writing(setDone(`${interval} closed`, until))
    const observed = yield* sql<{ id: number }>`
      -- The first slot by the key of each series: PostgreSQL makes a scan of all observations of an EXISTS.
      SELECT id FROM history_series s
      WHERE (SELECT MIN(slot) FROM history_observations o WHERE o.series = s.id AND o.slot >= ${from}) < ${until}`
    for (const some of Arr.chunksOf(observed, SERIES_AT_ONCE)) {
      const ids = some.map(({ id }) => id)
      const rows = folded(interval, now, [sql.in("s.id", ids), sql`o.slot >= ${from}`, sql`o.slot < ${until}`])
      yield* writing(sql`
        INSERT INTO history_points (series, step, ${pointColumns})
        SELECT series, ${step(interval)}, ${pointColumns} FROM (${rows}) AS built WHERE TRUE ON CONFLICT DO NOTHING`)
    }
    yield* writing(setDone(interval, until))
    return until < end
  })

  /**
   * Deletes the earliest 15 minutes of expired observations and hours of coins and of fiats on exchanges, and returns whether there may be more.
   * Observations stay until their day is built. The age is that beside the newest observation, for the same reason.
   */
  const purge = Effect.fn("HistoryWriter.purge")(function* () {
    const now = Math.min(yield* Clock.currentTimeMillis, yield* observedUntil)
    const observed = Math.min(now - SeriesName.OBSERVATIONS_KEPT, (yield* done)("day"))
    const ends = [[observations, observed] as const, [points("hour"), now - SeriesName.HOURS_KEPT] as const]
    let isMore = false
    for (const [[rows, end], prefix] of ends.flatMap((one) =>
      SeriesName.purged.map((prefix) => [one, prefix] as const)
    )) {
      const first = yield* earliest(rows, prefix)
      if (first >= end) continue
      const { key, table, where } = rows
      // With both bounds, both databases use the key and read only the rows they delete.
      yield* writing(sql`
        DELETE FROM ${table} WHERE series IN (SELECT id FROM history_series WHERE name LIKE ${`${prefix}%`})
          AND ${where} AND ${key} >= ${first} AND ${key} < ${Math.min(end, first + PURGED_AT_ONCE)}`)
      isMore = true
    }
    if (!isMore) {
      yield* sql.onDialectOrElse({
        pg: () => Effect.void,
        orElse: () => Effect.asVoid(sql`PRAGMA incremental_vacuum(1000)`)
      })
    }
    return isMore
  })

  return { writing, insert, observedUntil, numbersOf, addObservations, addPoints, build, purge }
})
