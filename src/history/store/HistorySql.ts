// SQL fragments for both reading and writing the history.
import { Effect } from "effect"
import type { Fragment } from "effect/sql/Statement"
import type { SqlClient } from "effect/sql/SqlClient"
import { graceOf, type Interval, lengthOf } from "../model/Interval.ts"
import { OWN_RECORD } from "../model/Point.ts"
import { usualMarket } from "../../domain/P2pMarket.ts"
import { gaps, P2P, p2p } from "./SeriesName.ts"

/** The `step` of an interval in the tables. */
export const stepOf = (interval: Interval): number => lengthOf(interval) / lengthOf("hour")

/** Columns as members of a `Point` or an `Observation`. PostgreSQL gives 64-bit integers as `bigint`, so times are read as doubles. */
const selected = (columns: string): string =>
  columns
    .replace(/\b(bucket|revision|observed_at|recorded_at)\b/g, "CAST($1 AS DOUBLE PRECISION) AS $1")
    .replace(/ AS (\w+)_at\b/g, ' AS "$1At"')

const POINT =
  "bucket, origin, revision, source, open, high, low, close, volume, buy, sell, confidence, kind, method, observed_at, recorded_at"
const OBSERVATION = "observed_at, recorded_at, source, value, buy, sell, confidence, kind, method, venues"

/** A table of rows by series and time: its time column, its columns as they are read, and a filter. */
export type Rows = Record<"table" | "key" | "columns" | "where", Fragment>

export const make = (sql: SqlClient) => {
  const figure = (value: number): Fragment => sql.literal(String(value))
  /** The origin of buckets that were built from our own observations. */
  const own = sql.literal(`'${OWN_RECORD}'`)

  const step = (interval: Interval): Fragment => figure(stepOf(interval))
  const rows = (table: string, key: string, columns: string, where: Fragment): Rows => {
    return { table: sql.literal(table), key: sql.literal(key), columns: sql.literal(selected(columns)), where }
  }

  return {
    figure,
    step,
    own,
    observations: rows("history_observations", "slot", OBSERVATION, sql.literal("TRUE")),
    /** The time of the newest observation, to its slot; 0 if there is none. What happened later is not known, whatever the clock says. */
    observedUntil: Effect.map(
      sql<{ readonly newest: number | bigint | null }>`
        SELECT MAX(last) AS newest FROM (
          SELECT (SELECT MAX(slot) FROM history_observations o WHERE o.series = s.id) AS last FROM history_series s) AS lasts`,
      ([row]) => Number(row?.newest ?? 0)
    ),
    points: (interval: Interval) => rows("history_points", "bucket", POINT, sql`step = ${step(interval)}`),
    /** The conflict clause by which a later observation replaces another one of its slot. */
    isLater: sql.literal(
      `(series, slot) DO UPDATE SET ${OBSERVATION.replace(/\w+/g, "$& = excluded.$&")} WHERE history_observations.observed_at < excluded.observed_at`
    ),
    /** The columns of a point to insert, except its series and step. */
    pointColumns: sql.literal(POINT),
    /**
     * Aggregates the observations `o` of series `s` that meet `where` into points with the name of their series. A point is the last
     * observation of its bucket. It has open, high and low only if observations of one kind cover the bucket up to its end or `now`,
     * without a gap longer than two intervals of their source. Observations recorded after their bucket was final are left out.
     */
    folded: (interval: Interval, now: number, where: ReadonlyArray<Fragment>): Fragment => {
      const length = lengthOf(interval)
      const bucket = sql.literal(`(o.slot - o.slot % ${length})`)
      const longest = sql.literal(
        `CASE WHEN name = '${p2p(usualMarket.fiat)}' OR name LIKE '${P2P}%' THEN ${gaps.p2p} WHEN source LIKE '${gaps.slowSource}%' THEN ${gaps.slow} ELSE ${gaps.coin} END`
      )
      const end = sql`(CASE WHEN bucket + ${figure(length)} < ${now} THEN bucket + ${figure(length)} ELSE ${now} END)`
      const covered = (column: string) =>
        sql`CASE WHEN gaps = 0 AND one_kind THEN ${sql.literal(column)} END AS ${sql.literal(column)}`
      return sql`
        SELECT name, series, bucket, ${own} AS origin, 0 AS revision, source, ${covered("open")},
          ${covered("high")}, ${covered("low")}, value AS close,
          CAST(NULL AS DOUBLE PRECISION) AS volume, buy, sell, confidence, kind, method, observed_at,
          CAST(${figure(now)} AS BIGINT) AS recorded_at
        FROM (
          SELECT spaced.*,
            ROW_NUMBER() OVER (PARTITION BY series, bucket ORDER BY slot DESC) AS back,
            FIRST_VALUE(value) OVER (PARTITION BY series, bucket ORDER BY slot) AS open,
            MAX(value) OVER (PARTITION BY series, bucket) AS high,
            MIN(value) OVER (PARTITION BY series, bucket) AS low,
            COALESCE(MIN(kind) OVER (PARTITION BY series, bucket) = MAX(kind) OVER (PARTITION BY series, bucket), TRUE) AS one_kind,
            SUM(CASE WHEN observed_at - before > ${longest} OR after - observed_at > ${longest} THEN 1 ELSE 0 END)
              OVER (PARTITION BY series, bucket) AS gaps
          FROM (
            SELECT bucketed.*,
              COALESCE(LAG(observed_at) OVER (PARTITION BY series, bucket ORDER BY slot), bucket) AS before,
              COALESCE(LEAD(observed_at) OVER (PARTITION BY series, bucket ORDER BY slot), ${end}) AS after
            FROM (
              SELECT s.name, o.*, ${bucket} AS bucket
              FROM history_series s CROSS JOIN history_observations o
              WHERE o.series = s.id AND o.recorded_at < ${bucket} + ${figure(length + graceOf(interval))}
                AND ${sql.and(where)}
            ) AS bucketed
          ) AS spaced
        ) AS observed WHERE back = 1`
    }
  }
}
