// Reads points of a range, the newest values at a time, and how far each series reaches. Except in `newestAt`, each query
// is one statement, so its result is consistent. Times are epoch milliseconds.
import { Clock, Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import type { Reach } from "../model/Coverage.ts"
import type { HistoryRange } from "../model/HistoryRange.ts"
import { type Interval, lengthOf } from "../model/Interval.ts"
import { isObservation, type Observation, type Point } from "../model/Point.ts"
import * as Fixings from "./Fixings.ts"
import * as HistoryMetrics from "./HistoryMetrics.ts"
import * as HistorySql from "./HistorySql.ts"

/** Rows by the name of their series. Series without rows are absent. */
export type BySeries<A> = ReadonlyMap<string, ReadonlyArray<A>>

/** Another series that must have a bucket too: the same one, or one at most `reach` ms before. */
export interface Companion {
  readonly series: string
  readonly interval: Interval
  readonly reach: number
}

/** The time for which a row is the newest one. */
export interface AskedFor {
  readonly askedFor: number
}

const isFigure = (value: unknown): boolean => typeof value === "number" && value > 0 && value < Infinity

const isFigureOrNone = (value: unknown): boolean => value === null || isFigure(value)

/** Whether a row has figures and a time. Another program, or a damaged disk, may have changed it. */
const isIntact = (row: Observation | Point): boolean => {
  const { buy, observedAt, sell } = row
  const own = isObservation(row)
    ? isFigure(row.value)
    : isFigure(row.close) && [row.open, row.high, row.low].every(isFigureOrNone)
  return own && isFigure(observedAt) && isFigureOrNone(buy) && isFigureOrNone(sell)
}

/** Makes the reader over the `SqlClient` in the context. The tables must exist (`Migrations.run`). */
export const make = Effect.gen(function* () {
  const sql = yield* SqlClient
  const { figure, folded, observations, observedUntil, own, points: pointsBy, step } = HistorySql.make(sql)

  /** Groups the intact rows by their `series`. Only their figures and times are checked: decoding thousands would take long. */
  const bySeries = Effect.fnUntraced(function* <A extends Observation | Point>(
    rows: Effect.Effect<ReadonlyArray<A>, SqlError>
  ): Effect.fn.Return<BySeries<A>, SqlError> {
    const all = yield* rows
    const found = all.filter(isIntact)
    if (found.length < all.length) {
      const broken = new Set(all.filter((row) => !isIntact(row)).map(({ series }) => series))
      yield* Effect.forEach(broken, HistoryMetrics.brokenPart, { discard: true })
    }
    // Processing thousands of rows takes milliseconds: waiting requests go first.
    if (found.length > 500) yield* Effect.yieldNow
    return Map.groupBy(found, ({ series }) => series)
  })

  /** All origins and revisions of the buckets of a range, including buckets that are not built yet. */
  const points = Effect.fn("HistoryReader.points")(function* (range: HistoryRange, names: ReadonlyArray<string>) {
    const { first, interval, last } = range
    const running = folded(interval, yield* Clock.currentTimeMillis, [
      sql.in("s.name", names),
      sql`o.slot >= (SELECT COALESCE(MAX(until), 0) FROM history_progress WHERE name = ${interval})`,
      sql`o.slot >= ${first}`,
      sql`o.slot < ${last + lengthOf(interval)}`
    ])
    const { columns } = pointsBy(interval)
    return yield* bySeries(sql<Point>`
      SELECT s.name AS series, ${columns} FROM history_series s CROSS JOIN history_points p
      WHERE ${sql.in("s.name", names)} AND p.series = s.id AND p.step = ${step(interval)}
        AND p.bucket >= ${first} AND p.bucket <= ${last}
      UNION ALL
      SELECT name, ${columns} FROM (${running}) AS running
      -- A build that was interrupted leaves buckets that are not noted as built.
      WHERE NOT EXISTS (
        SELECT 1 FROM history_points b WHERE b.series = running.series AND b.step = ${step(interval)}
          AND b.bucket = running.bucket AND b.origin = ${own})`)
  })

  /** The last bucket of a series before another one, if each of `also` has that bucket too. */
  const lastBucket = Effect.fn("HistoryReader.lastBucket")(function* (
    interval: Interval,
    series: string,
    before: number,
    also: ReadonlyArray<Companion> = []
  ) {
    const known = also.map(
      (other) => sql`EXISTS (
        SELECT 1 FROM history_series t CROSS JOIN history_points o
        WHERE t.name = ${other.series} AND o.series = t.id AND o.step = ${step(other.interval)} AND o.bucket <= p.bucket
          AND o.bucket >= p.bucket - p.bucket % ${figure(lengthOf(other.interval))} - ${figure(other.reach)})`
    )
    const [last] = yield* sql<{ bucket: number | bigint }>`
      SELECT p.bucket FROM history_series s CROSS JOIN history_points p
      WHERE ${sql.and([sql`s.name = ${series} AND p.series = s.id AND p.step = ${step(interval)} AND p.bucket < ${before}`, ...known])}
      ORDER BY p.bucket DESC LIMIT 1`
    return last && Number(last.bucket)
  })

  /** The newest observation, hour and day of a series, observed at or before a time, at most `reach` ms before, for each of some pairs. */
  const newestAt = Effect.fnUntraced(function* (
    pairs: Iterable<readonly [series: string, time: number]>,
    reach: number
  ) {
    const wanted = Array.from(pairs, ([name, time]) => sql`(CAST(${name} AS TEXT), CAST(${time} AS BIGINT))`)
    const of = <A extends Observation | Point>({ columns, key, table, where }: HistorySql.Rows) => {
      const rows = sql<A & AskedFor>`
        WITH wanted (name, time) AS (VALUES ${sql.csv(wanted)})
        SELECT s.name AS series, CAST(w.time AS DOUBLE PRECISION) AS "askedFor", ${columns} FROM wanted w CROSS JOIN history_series s CROSS JOIN ${table} o
        WHERE s.name = w.name AND o.series = s.id AND ${where} AND o.observed_at <= w.time AND o.${key} = (
          SELECT ${key} FROM ${table} b WHERE b.series = s.id AND ${where}
            AND b.${key} <= w.time AND b.observed_at <= w.time AND b.observed_at >= w.time - ${figure(reach)}
          ORDER BY b.${key} DESC LIMIT 1)`
      return bySeries(wanted.length === 0 ? Effect.succeed([]) : rows)
    }
    return {
      observations: yield* of<Observation>(observations),
      hours: yield* of<Point>(pointsBy("hour")),
      days: yield* of<Point>(pointsBy("day"))
    }
  })

  /** The first and last bucket of each series, including buckets that are not built yet. */
  const spans = Effect.fn("HistoryReader.spans")(function* (interval: Interval, names: ReadonlyArray<string>) {
    const ends = ({ key, table, where }: HistorySql.Rows) => sql`
      SELECT s.name, (SELECT MIN(${key}) FROM ${table} o WHERE o.series = s.id AND ${where}) AS first,
        (SELECT MAX(${key}) FROM ${table} o WHERE o.series = s.id AND ${where}) AS last
      FROM history_series s WHERE ${sql.in("s.name", names)}`
    const bucket = (time: string) => sql.literal(`${time} - ${time} % ${lengthOf(interval)}`)
    const rows = yield* sql<Reach & { readonly name: string }>`
      SELECT name, CAST(MIN(${bucket("first")}) AS DOUBLE PRECISION) AS first,
        CAST(MAX(${bucket("last")}) AS DOUBLE PRECISION) AS last
      FROM (${ends(pointsBy(interval))} UNION ALL ${ends(observations)}) AS ends
      GROUP BY name HAVING MIN(first) IS NOT NULL`
    return new Map(rows.map(({ first, last, name }): [string, Reach] => [name, { first, last }]))
  })

  /** The names of all series that begin with a prefix. */
  const names = Effect.fn("HistoryReader.names")(function* (prefix: string) {
    const rows = yield* sql<{ name: string }>`
      SELECT name FROM history_series WHERE name LIKE ${`${prefix}%`} ORDER BY name`
    return rows.map(({ name }) => name)
  })

  /**
   * Counts the built or published buckets of some series, and those missing between the first and last of each. With
   * `isPublished`, a bucket that none of them has is not missing: nothing was published then.
   */
  const count = Effect.fn("HistoryReader.count")(function* (
    interval: Interval,
    names: ReadonlyArray<string>,
    isPublished = false
  ) {
    const all = isPublished
      ? sql`(SELECT COUNT(*) FROM published WHERE bucket >= first AND bucket <= last)`
      : sql`(last - first) / ${figure(lengthOf(interval))} + 1`
    const [found] = yield* sql<{ buckets: number | null; all: number | null }>`
      WITH published AS (
        SELECT DISTINCT p.bucket FROM history_series s CROSS JOIN history_points p
        WHERE ${sql.in("s.name", names)} AND p.series = s.id AND p.step = ${step(interval)})
      SELECT CAST(SUM(buckets) AS DOUBLE PRECISION) AS buckets, CAST(SUM(${all}) AS DOUBLE PRECISION) AS "all"
      FROM (
        SELECT COUNT(DISTINCT p.bucket) AS buckets, MIN(p.bucket) AS first, MAX(p.bucket) AS last
        FROM history_series s CROSS JOIN history_points p
        WHERE ${sql.in("s.name", names)} AND p.series = s.id AND p.step = ${step(interval)}
        GROUP BY p.series) AS series`
    const buckets = found?.buckets ?? 0
    return { buckets, missing: (found?.all ?? 0) - buckets }
  })

  return { observedUntil, points, lastBucket, newestAt, spans, names, count, ...(yield* Fixings.makeReader) }
})

export type Reader = Effect.Success<typeof make>
