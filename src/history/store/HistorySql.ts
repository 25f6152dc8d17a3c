// The parts of statements that reading and writing the history have in common.
import type { Fragment } from "effect/sql/Statement"
import type { SqlClient } from "effect/sql/SqlClient"
import { graceOf, type Interval, lengthOf } from "../model/Interval.ts"
import { OWN_RECORD } from "../model/Point.ts"

/** The number that stands for an interval in the tables: its length in hours. */
export const stepOf = (interval: Interval): number => lengthOf(interval) / lengthOf("hour")

export const make = (sql: SqlClient) => {
  const figure = (value: number): Fragment => sql.literal(String(value))

  return {
    figure,
    step: (interval: Interval): Fragment => figure(stepOf(interval)),
    /** The origin of buckets that were built from our own observations. */
    own: sql.literal(`'${OWN_RECORD}'`),
    /** All columns of a point but its series and step. */
    pointColumns: sql.literal(
      "bucket, origin, revision, source, open, high, low, close, buy, sell, confidence, kind, observed_at, recorded_at"
    ),
    /**
     * The buckets of the observations `o` of series `s` that meet `where`: the row of the last one, with the first, the
     * highest and the lowest value. An observation that was recorded after its bucket was final is in no bucket.
     */
    folded: (interval: Interval, where: ReadonlyArray<Fragment>): Fragment => {
      const bucket = sql.literal(`(o.slot - o.slot % ${lengthOf(interval)})`)
      return sql`
        SELECT name, series, bucket, source, open, high, low, value AS close, buy, sell, confidence, kind, observed_at
        FROM (
          SELECT s.name, o.*, ${bucket} AS bucket,
            ROW_NUMBER() OVER (PARTITION BY o.series, ${bucket} ORDER BY o.slot DESC) AS back,
            FIRST_VALUE(o.value) OVER (PARTITION BY o.series, ${bucket} ORDER BY o.slot) AS open,
            MAX(o.value) OVER (PARTITION BY o.series, ${bucket}) AS high,
            MIN(o.value) OVER (PARTITION BY o.series, ${bucket}) AS low
          FROM history_series s CROSS JOIN history_observations o
          WHERE o.series = s.id AND o.recorded_at < ${bucket} + ${figure(lengthOf(interval) + graceOf(interval))}
            AND ${sql.and(where)}
        ) AS observed WHERE back = 1`
    }
  }
}
