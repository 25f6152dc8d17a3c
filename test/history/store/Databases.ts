// Real databases for the tests of the history: SQLite files in a temporary folder, and databases of their own on the
// PostgreSQL server at `TEST_POSTGRES_URL` (default: 127.0.0.1:5432, user root), dropped afterwards.
import * as PgClient from "@effect/sql-pg/PgClient"
import { NodeServices } from "@effect/platform-node"
import { Effect, FileSystem, Layer, Random, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { describe } from "@effect/vitest"
import { env } from "node:process"
import * as SqliteClient from "../../../src/history/store/SqliteClient.ts"
import { isPresent } from "../../isPresent.ts"

const server = new URL(env["TEST_POSTGRES_URL"] ?? "postgres://root@127.0.0.1:5432/test")

/** Whether that server lets us in and lets us make databases. */
export const hasPostgres = isPresent(
  "a PostgreSQL server to make databases on (TEST_POSTGRES_URL)",
  await Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const [user] = yield* sql<{ mayCreate: boolean }>`
      SELECT rolcreatedb OR rolsuper AS "mayCreate" FROM pg_roles WHERE rolname = current_user`
    return user?.mayCreate === true
  }).pipe(
    Effect.provide(PgClient.layer({ url: Redacted.make(server.href), maxConnections: 1 })),
    Effect.catch(() => Effect.succeed(false)),
    Effect.runPromise
  )
)

/** A path in a new folder that is removed with the scope. */
export const newFile = Effect.gen(function* () {
  const files = yield* FileSystem.FileSystem
  return `${yield* files.makeTempDirectoryScoped({ prefix: "cda-history-" })}/history.sqlite`
}).pipe(Effect.provide(NodeServices.layer), Effect.orDie)

/** A client of a new SQLite file. */
export const layerSqlite: Layer.Layer<SqlClient.SqlClient> = Layer.unwrap(
  Effect.map(newFile, (filename) => SqliteClient.layer({ filename }))
)

/**
 * A new PostgreSQL database, dropped with the scope. Gives its URL. Its server is not killed, so no commit waits for a disk. Years are
 * recorded in less time than it takes PostgreSQL to look at its tables, so each statement is planned anew.
 */
export const newDatabase = Effect.gen(function* () {
  const name = `cda_history_${yield* Random.nextIntBetween(0, 2 ** 52)}`
  const admin = (statement: (sql: SqlClient.SqlClient) => Effect.Effect<unknown, unknown>) =>
    Effect.flatMap(SqlClient.SqlClient, statement).pipe(
      Effect.provide(PgClient.layer({ url: Redacted.make(server.href), maxConnections: 1 })),
      Effect.orDie
    )
  yield* Effect.acquireRelease(
    admin((sql) => sql`CREATE DATABASE ${sql(name)}`),
    () => admin((sql) => sql`DROP DATABASE ${sql(name)} WITH (FORCE)`)
  )
  yield* admin((sql) => sql`ALTER DATABASE ${sql(name)} SET synchronous_commit = off`)
  yield* admin((sql) => sql`ALTER DATABASE ${sql(name)} SET plan_cache_mode = force_custom_plan`)
  const url = new URL(server)
  url.pathname = name
  return url.href
})

/** A client of a new PostgreSQL database, with one connection: pools close connections when a test's clock leaps. */
export const layerPostgres: Layer.Layer<SqlClient.SqlClient> = Layer.unwrap(
  Effect.map(newDatabase, (url) => PgClient.layerFrom(PgClient.makeClient({ url: Redacted.make(url) })))
).pipe(Layer.orDie)

/** Describes something of every kind of database. The one that this machine lacks counts as skipped. */
export const inEachDatabase = (
  title: string,
  tests: (database: Layer.Layer<SqlClient.SqlClient>, name: string) => void
): void => {
  describe(`${title} in SQLite`, () => tests(layerSqlite, "SQLite"))
  describe.skipIf(!hasPostgres)(`${title} in PostgreSQL`, () => tests(layerPostgres, "PostgreSQL"))
}
