// What is written to the history. Rows are only ever added; what has outlived its use is deleted in small batches.
// A row is recorded when the transaction that adds it has committed. Times are epoch milliseconds.
import { Array as Arr, Clock, Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import { bucketOf, finalAt, graceOf, type Interval, intervals, lengthOf } from "../model/Interval.ts"
import type { NewObservation, NewPoint } from "./HistoryRows.ts"
import * as HistoryReader from "./HistoryReader.ts"
import * as HistorySql from "./HistorySql.ts"
import * as SeriesName from "./SeriesName.ts"

/** The advisory lock that all writers to one PostgreSQL database take: "cda" in ASCII. */
const WRITE_LOCK = 0x63_64_61

/** The most rows in one statement. */
const BATCH = 500

/** How many buckets are built at once, of how many series in one transaction. */
const BUILT_AT_ONCE = 24
const SERIES_AT_ONCE = 10

type Job = Interval | `${Interval} closed`

/** Makes the writer over the `SqlClient` in the context. The tables must exist (`Migrations.run`). */
export const make = Effect.gen(function* () {
  const sql = yield* SqlClient
  const { figure, folded, own, pointColumns, step } = HistorySql.make(sql)
  const { points } = yield* HistoryReader.make

  /** One writer at a time: what it reads still holds when it commits. SQLite has its own lock, taken by `BEGIN IMMEDIATE`. */
  const writing = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
    sql.withTransaction(
      Effect.andThen(
        sql.onDialectOrElse({
          pg: () => Effect.asVoid(sql`SELECT pg_advisory_xact_lock(${figure(WRITE_LOCK)})`),
          orElse: () => Effect.void
        }),
        effect
      )
    )

  const insert = (table: string, rows: ReadonlyArray<Record<string, unknown>>) =>
    Arr.isReadonlyArrayNonEmpty(rows)
      ? Effect.asVoid(sql`INSERT INTO ${sql(table)} ${sql.insert(rows)} ON CONFLICT DO NOTHING`)
      : Effect.void

  /** Gives the numbers of series. They are asked for each time: a database may be replaced by another while it is in use. */
  const numbersOf = Effect.fnUntraced(function* (rows: ReadonlyArray<{ readonly series: string }>) {
    const numbers = new Map<string, number>()
    for (const names of Arr.chunksOf(new Set(rows.map(({ series }) => series)), BATCH)) {
      const ask = Effect.map(
        sql<{ id: number; name: string }>`SELECT id, name FROM history_series WHERE ${sql.in("name", names)}`,
        (found) => {
          for (const { id, name } of found) numbers.set(name, id)
        }
      )
      yield* ask
      const unknown = names.filter((name) => !numbers.has(name))
      if (unknown.length === 0) continue
      yield* insert(
        "history_series",
        unknown.map((name) => ({ name }))
      )
      yield* ask
    }
    return (name: string) => numbers.get(name)
  })

  /** Until when buckets are built, or closed: being built, so that they take no more observations. */
  const doneUntil = Effect.fnUntraced(function* (job: Job) {
    const rows = yield* sql<{ until: number | bigint }>`SELECT until FROM history_progress WHERE name = ${job}`
    return Number(rows[0]?.until ?? 0)
  })

  const setDone = (job: Job, until: number) =>
    sql`INSERT INTO history_progress ${sql.insert({ name: job, until })}
      ON CONFLICT (name) DO UPDATE SET until = excluded.until WHERE history_progress.until < excluded.until`

  /** Adds observations. What is there already, by series and slot, stays as it is. */
  const addObservations = Effect.fn("HistoryWriter.addObservations")(function* (rows: ReadonlyArray<NewObservation>) {
    const numberOf = yield* numbersOf(rows)
    const add = Effect.gen(function* () {
      const closed = yield* Effect.forEach(intervals, (interval) =>
        Effect.map(doneUntil(`${interval} closed`), (until) => ({ interval, until }))
      )
      // For a closed bucket it comes too late, and must not look as if it had come in time.
      const acceptedAt = (observedAt: number, recordedAt: number) =>
        closed.reduce((time, { interval, until }) => {
          const bucket = bucketOf(interval, observedAt)
          return bucket < until ? Math.max(time, finalAt(interval, bucket)) : time
        }, recordedAt)
      const values = rows.map(({ observedAt, recordedAt, series, ...rest }) => ({
        series: numberOf(series),
        slot: observedAt - (observedAt % SeriesName.slotOf(series)),
        observed_at: observedAt,
        recorded_at: acceptedAt(observedAt, recordedAt),
        ...rest
      }))
      for (const some of Arr.chunksOf(values, BATCH)) yield* insert("history_observations", some)
    })
    yield* writing(add)
  })

  /** Adds points that sources published. One that differs from the newest revision of the same becomes the next. */
  const addPoints = Effect.fn("HistoryWriter.addPoints")(function* (interval: Interval, rows: ReadonlyArray<NewPoint>) {
    const numberOf = yield* numbersOf(rows)
    for (const some of Arr.chunksOf(rows, BATCH)) {
      const add = Effect.gen(function* () {
        const newest = new Map<string, { readonly close: number; readonly revision: number }>()
        const buckets = some.map(({ bucket }) => bucket)
        const names = [...new Set(some.map(({ series }) => series))]
        for (const [series, known] of yield* points(interval, names, Math.min(...buckets), Math.max(...buckets))) {
          for (const { bucket, close, origin, revision } of known) {
            const key = `${series} ${bucket} ${origin}`
            if ((newest.get(key)?.revision ?? -1) < revision) newest.set(key, { close, revision })
          }
        }
        const values = some.flatMap(({ observedAt, recordedAt, series, ...rest }) => {
          const key = `${series} ${rest.bucket} ${rest.origin}`
          const before = newest.get(key)
          if (before?.close === rest.close) return []
          const revision = before === undefined ? 0 : before.revision + 1
          newest.set(key, { close: rest.close, revision })
          const times = { observed_at: observedAt, recorded_at: recordedAt }
          return [{ series: numberOf(series), step: HistorySql.stepOf(interval), revision, ...rest, ...times }]
        })
        yield* insert("history_points", values)
      })
      yield* writing(add)
    }
  })

  const firstSlot = Effect.map(
    sql<{ first: number | bigint | null }>`
      SELECT MIN(first) AS first FROM (
        SELECT (SELECT MIN(slot) FROM history_observations o WHERE o.series = s.id) AS first FROM history_series s
      ) AS firsts`,
    (rows) => rows[0]?.first ?? undefined
  )

  const idsOf = Effect.fnUntraced(function* (prefix: string) {
    const rows = yield* sql<{ id: number }>`SELECT id FROM history_series WHERE name LIKE ${`${prefix}%`} ORDER BY id`
    return rows.map(({ id }) => id)
  })

  /**
   * Builds the next buckets that are final and not built yet. Gives whether there are more. A few series at a time, so that
   * readers wait for some ms only; what was interrupted is done again, and comes to the same.
   */
  const build = Effect.fn("HistoryWriter.build")(function* (interval: Interval) {
    const now = yield* Clock.currentTimeMillis
    const end = bucketOf(interval, now - graceOf(interval))
    const built = yield* doneUntil(interval)
    const first = built > 0 ? built : yield* firstSlot
    if (first === undefined || Number(first) >= end) return false
    const from = bucketOf(interval, Number(first))
    const until = Math.min(end, from + BUILT_AT_ONCE * lengthOf(interval))
    yield* writing(setDone(`${interval} closed`, until))
    for (const ids of Arr.chunksOf(yield* idsOf(""), SERIES_AT_ONCE)) {
      const rows = folded(interval, now, [sql.in("s.id", ids), sql`o.slot >= ${from}`, sql`o.slot < ${until}`])
      yield* writing(sql`
        INSERT INTO history_points (series, step, ${pointColumns})
        SELECT series, ${step(interval)}, bucket, ${own}, 0, source, open, high, low, close, buy, sell,
          confidence, kind, observed_at, ${figure(now)}
        FROM (${rows}) AS built
        WHERE TRUE ON CONFLICT DO NOTHING`)
    }
    yield* writing(setDone(interval, until))
    return until < end
  })

  /**
   * Deletes the rows of `rows` with a `key` below `end`, the lowest first, in transactions of about `BATCH` rows. The bound of each
   * is found by itself: PostgreSQL would read a list of keys again for each row while it has no statistics.
   */
  const deleteBelow = (table: string, rows: Fragment, key: string, end: number) => {
    const below = sql`${rows} AND ${sql(key)} < ${end}`
    const batch = sql`DELETE FROM ${sql(table)} WHERE ${below} AND ${sql(key)} <= COALESCE((
      SELECT ${sql(key)} FROM ${sql(table)} WHERE ${below} ORDER BY ${sql(key)} LIMIT 1 OFFSET ${figure(BATCH - 1)}
    ), ${end}) RETURNING ${sql(key)}`
    // Two that delete at once would lock each other out.
    return Effect.repeat(writing(batch), { until: (removed) => removed.length < BATCH })
  }

  /** Deletes observations and hours of coins that have outlived their use. Never what is not in a day's bucket yet. */
  const purge = Effect.fn("HistoryWriter.purge")(function* () {
    const now = yield* Clock.currentTimeMillis
    const observed = Math.min(now - SeriesName.OBSERVATIONS_KEPT, yield* doneUntil("day"))
    for (const id of yield* idsOf(SeriesName.COINS)) {
      const ofSeries = sql`series = ${id}`
      const ofHours = sql`series = ${id} AND step = ${step("hour")}`
      yield* deleteBelow("history_observations", ofSeries, "slot", observed)
      yield* deleteBelow("history_points", ofHours, "bucket", now - SeriesName.HOURS_KEPT)
    }
    yield* sql.onDialectOrElse({
      pg: () => Effect.void,
      orElse: () => Effect.asVoid(sql`PRAGMA incremental_vacuum(1000)`)
    })
  })

  return { addObservations, addPoints, build, purge }
})
