// Copies the readable rows of a SQLite history, such as a damaged file or a backup, into the database in use, even
// while a service writes to it. Existing rows stay. If both have a point, its corrections are not copied either. The
// service builds buckets that are not built yet.
import { Context, Data, Effect, Layer, Result } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { connectionFailure } from "../../domain/connectionFailure.ts"
import { bucketOf, intervals } from "../model/Interval.ts"
import * as HistoryWriter from "./HistoryWriter.ts"
import * as SqliteClient from "./SqliteClient.ts"

/** The number of slots or buckets that are read and added at a time. */
const PAGE = 300

/** Later than all times, epoch milliseconds. */
const END = 2 ** 42

/** The shortest unreadable range, ms, and the most failed reads: in an unreadable table every read fails. */
const NARROWEST = 3_600_000
const MOST_FAILURES = 10_000

/** The file has no table of series, or it cannot be read. `reason` is a clause. */
export class NoHistory extends Data.TaggedError("NoHistory")<{ readonly reason: string }> {}

type Row = Readonly<Record<string, string | number | null>>

/** Reads a file, and writes to the `SqlClient` in the context, whose tables must exist (`Migrations.run`). */
export const restore = Effect.fn("history.restore")(function* (filename: string) {
  const sql = yield* SqlClient
  const from = Context.get(yield* Layer.build(SqliteClient.layer({ filename, readonly: true })), SqlClient)
  const { insert, numbersOf, writing } = yield* HistoryWriter.make
  const series = yield* from<{ id: number; name: string }>`SELECT id, name FROM history_series ORDER BY id`.pipe(
    Effect.mapError((failure) => new NoHistory({ reason: connectionFailure(failure) }))
  )
  const numberOf = yield* numbersOf(series.map(({ name }) => ({ series: name })))
  const hasFixings = (yield* from`SELECT 1 FROM sqlite_master WHERE name = 'history_fixings'`).length > 0
  const restored = { observations: 0, points: 0, unreadable: 0 }
  let first = Infinity

  let failures = 0
  /**
   * Calls `each` with the pages of a series' rows with keys after `above` up to `last`. An unreadable range is halved
   * until it is at most an hour long, and then skipped. Returns whether everything was read.
   */
  const read = (
    rows: { readonly table: string; readonly key: string; readonly id: number },
    above: number,
    last: number,
    each: (page: ReadonlyArray<Row>) => Effect.Effect<void, SqlError>
  ): Effect.Effect<boolean, SqlError> =>
    Effect.gen(function* () {
      const [table, key] = [from(rows.table), from(rows.key)]
      const ofSeries = from`series = ${rows.id} AND ${key} > ${above} AND ${key} <= ${last}`
      const page = yield* Effect.result(from<Row>`
        SELECT * FROM ${table} WHERE ${ofSeries} AND ${key} IN (
          SELECT DISTINCT ${key} FROM ${table} WHERE ${ofSeries} ORDER BY ${key} LIMIT ${PAGE})`)
      if (Result.isSuccess(page)) {
        if (page.success.length === 0) return true
        yield* each(page.success)
        const newest = page.success.reduce((most, row) => Math.max(most, Number(row[rows.key])), above)
        return yield* read(rows, newest, last, each)
      }
      if (last - above <= NARROWEST || ++failures > MOST_FAILURES) return false
      const middle = Math.floor((above + last) / 2)
      yield* read(rows, above, middle, each)
      yield* read(rows, middle, last, each)
      return false
    })

  for (const { id, name } of series) {
    const number = numberOf(name) ?? id
    const known = yield* sql<{ key: string }>`
      SELECT step || ' ' || bucket || ' ' || origin AS key FROM history_points WHERE series = ${number}`
    const inUse = new Set(known.map(({ key }) => key))
    let isWhole = true
    for (const [table, key] of [
      ["history_observations", "slot"],
      ["history_points", "bucket"],
      ...(hasFixings ? [["history_fixings", "day"] as const] : [])
    ] as const) {
      const addPage = Effect.fnUntraced(function* (page: ReadonlyArray<Row>) {
        const rows = page.filter(({ bucket, origin, step }) => !inUse.has(`${step} ${bucket} ${origin}`))
        const numbered = rows.map((row) => ({ ...row, series: number }))
        const added = yield* writing(insert(table, numbered))
        if (key !== "day") restored[key === "slot" ? "observations" : "points"] += added
        if (key === "slot") first = Math.min(first, ...page.map(({ slot }) => Number(slot)))
      })
      isWhole = (yield* read({ table, key, id }, -1, END, addPage)) && isWhole
    }
    if (!isWhole) restored.unreadable++
  }
  for (const interval of intervals) {
    const until = bucketOf(interval, first)
    if (first < Infinity)
      yield* sql`UPDATE history_progress SET until = ${until} WHERE name = ${interval} AND until > ${until}`
  }
  return restored
}, Effect.scoped)
