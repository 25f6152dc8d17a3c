// A SQLite database in memory whose statements are done at once, so that simulated time never passes while one is.
import { Effect, Layer, Semaphore, Stream } from "effect"
import { Reactivity } from "effect/reactivity"
import * as Client from "effect/sql/SqlClient"
import type { Connection } from "effect/sql/SqlConnection"
import { classifySqliteError, SqlError } from "effect/sql/SqlError"
import * as Statement from "effect/sql/Statement"
import { DatabaseSync } from "node:sqlite"

const make = Effect.gen(function* () {
  const database = yield* Effect.acquireRelease(
    Effect.sync(() => new DatabaseSync(":memory:")),
    (database) => Effect.sync(() => database.close())
  )
  const rows = (sql: string, params: ReadonlyArray<unknown>) =>
    Effect.try({
      try: () =>
        database
          .prepare(sql)
          .all(...params.map((value) => (typeof value === "string" || typeof value === "number" ? value : null))),
      catch: (cause) =>
        new SqlError({ reason: classifySqliteError(cause, { message: "SQLite", operation: "execute" }) })
    })
  const values = (sql: string, params: ReadonlyArray<unknown>) =>
    Effect.map(rows(sql, params), (found) => found.map((row) => Object.values(row)))
  const execute: Connection["execute"] = (sql, params, transformRows) =>
    Effect.map(rows(sql, params), (found) => (transformRows === undefined ? found : transformRows(found)))
  const connection: Connection = {
    execute,
    executeRaw: rows,
    executeUnprepared: execute,
    executeValues: values,
    executeValuesUnprepared: values,
    executeStream: (sql, params, transformRows) => Stream.fromIterableEffect(execute(sql, params, transformRows))
  }
  return yield* Client.make({
    ...Client.makeSqliteAcquirers({
      connection: Effect.succeed(connection),
      semaphore: yield* Semaphore.make(1),
      isTransaction: () => database.isTransaction
    }),
    beginTransaction: "BEGIN IMMEDIATE",
    compiler: Statement.makeCompilerSqlite(),
    driver: "sqlite-in-time",
    releaseSavepoint: (name) => `RELEASE SAVEPOINT ${name}`,
    spanAttributes: []
  })
})

export const layerSqliteInTime: Layer.Layer<Client.SqlClient> = Layer.effect(Client.SqlClient, make).pipe(
  Layer.provide(Reactivity.layer)
)
