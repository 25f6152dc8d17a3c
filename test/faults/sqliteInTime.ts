// A SQLite database in memory whose statements are done at once, so that simulated time never passes while one is.
import { Effect, Layer } from "effect"
import { Reactivity } from "effect/reactivity"
import { SqlClient } from "effect/sql/SqlClient"
import { classifySqliteError, SqlError } from "effect/sql/SqlError"
import { DatabaseSync } from "node:sqlite"
import * as SqliteClient from "../../src/history/store/SqliteClient.ts"

const make = Effect.gen(function* () {
  const database = yield* Effect.acquireRelease(
    Effect.sync(() => new DatabaseSync(":memory:")),
    (database) => Effect.sync(() => database.close())
  )
  return yield* SqliteClient.over({
    isTransaction: () => database.isTransaction,
    run: ({ params, sql }) =>
      Effect.try({
        try: () => database.prepare(sql).all(...params),
        catch: (cause) =>
          new SqlError({ reason: classifySqliteError(cause, { message: "SQLite", operation: "execute" }) })
      })
  })
})

export const layerSqliteInTime: Layer.Layer<SqlClient> = Layer.effect(SqlClient, make).pipe(
  Layer.provide(Reactivity.layer)
)
