import { assert, it } from "@effect/vitest"
import { Array as Arr, Context, Effect, Fiber, Layer, Schedule } from "effect"
import { SqlClient } from "effect/sql"
import { writeFileSync } from "node:fs"
import process from "node:process"
import type { Worker } from "node:worker_threads"
import * as SqliteClient from "../../../src/history/store/SqliteClient.ts"
import { layerSqlite, newFile } from "./Databases.ts"
import { liveRule } from "../../rulesOf.ts"

const counting =
  "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3000000) SELECT COUNT(*) AS c FROM n"

liveRule("keeps what was committed, and nothing of a transaction that failed", function* () {
  const filename = yield* newFile
  const write = Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    yield* sql`CREATE TABLE t (a INTEGER, b TEXT)`
    yield* sql.withTransaction(sql`INSERT INTO t ${sql.insert([{ a: 1, b: "one" }])}`)
    const failing = Effect.andThen(sql`INSERT INTO t ${sql.insert([{ a: 2, b: "two" }])}`, Effect.fail("no"))
    assert.strictEqual(yield* Effect.flip(sql.withTransaction(failing)), "no")
  })
  yield* Effect.provide(write, SqliteClient.layer({ filename }))
  const rows = yield* Effect.provide(
    Effect.flatMap(SqlClient.SqlClient, (sql) => sql`SELECT * FROM t`),
    SqliteClient.layer({ filename, readonly: true })
  )
  assert.deepStrictEqual(
    rows.map((row) => ({ ...row })),
    [{ a: 1, b: "one" }]
  )
})

it.live("gives rows as they were written, whatever the columns hold", () =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    yield* sql`CREATE TABLE t (n INTEGER, figure, text, mixed, bytes BLOB)`
    const values = [null, 0, -0.5, 1e300, "", "a", "b", "a"]
    const rows = Array.from({ length: 1000 }, (_, n): Record<string, unknown> => ({
      n,
      figure: [null, n / 7, -n][n % 3] ?? null,
      text: [null, "", "a", "b"][n % 4] ?? null,
      mixed: values[n % values.length] ?? null,
      bytes: new Uint8Array([n % 256])
    }))
    for (const some of Arr.chunksOf(rows, 500)) yield* sql`INSERT INTO t ${sql.insert(some)}`
    assert.deepStrictEqual(yield* sql<Record<string, unknown>>`SELECT * FROM t ORDER BY n`, rows)
  }).pipe(Effect.provide(layerSqlite))
)

it.live("sets WAL, synchronous NORMAL, incremental vacuum, and temporary tables in memory", () =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    yield* sql`CREATE TABLE t (a INTEGER)`
    assert.deepStrictEqual(yield* sql`PRAGMA journal_mode`.values, [["wal"]])
    assert.deepStrictEqual(yield* sql`PRAGMA synchronous`.values, [[1]])
    assert.deepStrictEqual(yield* sql`PRAGMA auto_vacuum`.values, [[2]])
    assert.deepStrictEqual(yield* sql`PRAGMA temp_store`.values, [[2]])
  }).pipe(Effect.provide(layerSqlite))
)

it.live("runs other work while a statement takes long", () =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    let turns = 0
    const slow = yield* Effect.forkChild(sql.unsafe(counting), { startImmediately: true })
    while (slow.pollUnsafe() === undefined) {
      turns++
      yield* Effect.sleep("1 millis")
    }
    yield* Fiber.join(slow)
    assert.isAbove(turns, 5)
  }).pipe(Effect.provide(SqliteClient.layer({ filename: ":memory:" })))
)

liveRule("fails statements, not the layer, while the file cannot be used, and works once it can", function* () {
  const filename = yield* newFile
  writeFileSync(filename, "this is no database ".repeat(300))
  yield* Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const error = yield* Effect.flip(sql`SELECT 1 FROM t`)
    assert.strictEqual(error._tag, "SqlError")
    writeFileSync(filename, "")
    yield* sql`CREATE TABLE t (a INTEGER)`
    assert.deepStrictEqual(yield* sql`SELECT a FROM t`, [])
  }).pipe(Effect.provide(SqliteClient.layer({ filename })))
})

liveRule("copies the database while it is used", function* () {
  const filename = yield* newFile
  const copy = `${filename}.copy`
  yield* Effect.gen(function* () {
    const client = yield* SqlClient.SqlClient
    yield* client`CREATE TABLE t (a INTEGER)`
    yield* client`INSERT INTO t VALUES (7)`
    yield* client`VACUUM INTO ${copy}`
  }).pipe(Effect.provide(SqliteClient.layer({ filename })))
  const rows = yield* Effect.provide(
    Effect.flatMap(SqlClient.SqlClient, (sql) => sql`SELECT a FROM t`.values),
    SqliteClient.layer({ filename: copy, readonly: true })
  )
  assert.deepStrictEqual(rows, [[7]])
})

/** Calls `make`, and returns the worker that it starts. */
const workerOf = <A, E, R>(make: Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const started: Array<Worker> = []
    const note = (worker: Worker) => void started.push(worker)
    process.on("worker", note)
    const made = yield* make
    // The event comes after the current turn.
    yield* Effect.promise(() => new Promise((resume) => setImmediate(resume)))
    process.off("worker", note)
    return { made, worker: started[0] ?? assert.fail("no worker was started") }
  })

liveRule("replaces a worker that has ended, and commits nothing of the transaction that it was in", function* () {
  const filename = yield* newFile
  const { made, worker } = yield* workerOf(Layer.build(SqliteClient.layer({ filename })))
  const sql = Context.get(made, SqlClient.SqlClient)
  yield* sql`CREATE TABLE t (a INTEGER)`
  const cut = sql.withTransaction(
    Effect.gen(function* () {
      yield* sql`INSERT INTO t VALUES (1)`
      yield* Effect.promise(() => worker.terminate())
      yield* sql`INSERT INTO t VALUES (2)`
    })
  )
  assert.strictEqual((yield* Effect.flip(cut))._tag, "SqlError")
  const write = sql.withTransaction(sql`INSERT INTO t VALUES (3)`)
  yield* Effect.retry(write, { schedule: Schedule.spaced("100 millis"), times: 30 })
  assert.deepStrictEqual(yield* sql`SELECT a FROM t`.values, [[3]])
})
