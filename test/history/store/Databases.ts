// Real databases for the tests of the history: SQLite files in a temporary folder, and databases of their own on the
// PostgreSQL server at `TEST_POSTGRES_URL` (default: 127.0.0.1:5432, user root), dropped afterwards.
import * as PgClient from "@effect/sql-pg/PgClient"
import { NodeServices } from "@effect/platform-node"
import { Effect, FileSystem, Layer, Random, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import * as Net from "node:net"
import { env, stdout } from "node:process"
import * as SqliteClient from "../../../src/history/store/SqliteClient.ts"

const server = new URL(env["TEST_POSTGRES_URL"] ?? "postgres://root@127.0.0.1:5432/test")

/** Whether a PostgreSQL server answers. Without it the tests that need it are skipped, with a message. */
export const hasPostgres = await new Promise<boolean>((resolve) => {
  const socket = Net.connect(Number(server.port === "" ? 5432 : server.port), server.hostname)
  socket.once("connect", () => resolve(true)).once("error", () => resolve(false))
  socket.once("close", () => resolve(false)).once("connect", () => socket.destroy())
})

if (!hasPostgres) stdout.write("SKIPPED: the tests with PostgreSQL, because no server answers at TEST_POSTGRES_URL\n")

/** A path in a new folder that is removed with the scope. */
export const newFile = Effect.gen(function* () {
  const files = yield* FileSystem.FileSystem
  return `${yield* files.makeTempDirectoryScoped({ prefix: "cda-history-" })}/history.sqlite`
}).pipe(Effect.provide(NodeServices.layer), Effect.orDie)

/** A client of a new SQLite file. */
export const layerSqlite: Layer.Layer<SqlClient.SqlClient> = Layer.unwrap(
  Effect.map(newFile, (filename) => SqliteClient.layer({ filename }))
)

/** A new PostgreSQL database, dropped with the scope. Gives its URL. */
export const newDatabase = Effect.gen(function* () {
  const name = `cda_history_${yield* Random.nextIntBetween(0, 2 ** 52)}`
  const admin = <A, E>(effect: Effect.Effect<A, E, SqlClient.SqlClient>) =>
    Effect.orDie(Effect.provide(effect, PgClient.layer({ url: Redacted.make(server.href), maxConnections: 1 })))
  yield* Effect.acquireRelease(
    admin(Effect.flatMap(SqlClient.SqlClient, (sql) => sql`CREATE DATABASE ${sql(name)}`)),
    () => admin(Effect.flatMap(SqlClient.SqlClient, (sql) => sql`DROP DATABASE ${sql(name)} WITH (FORCE)`))
  )
  const url = new URL(server)
  url.pathname = name
  return url.href
})

/** A client of a new PostgreSQL database, with one connection: pools close connections when a test's clock leaps. */
export const layerPostgres: Layer.Layer<SqlClient.SqlClient> = Layer.unwrap(
  Effect.map(newDatabase, (url) => PgClient.layerFrom(PgClient.makeClient({ url: Redacted.make(url) })))
).pipe(Layer.orDie)

/** The databases that are there to be tested. */
export const databases: ReadonlyArray<readonly [name: string, layer: Layer.Layer<SqlClient.SqlClient>]> = [
  ["SQLite", layerSqlite],
  ...(hasPostgres ? [["PostgreSQL", layerPostgres] as const] : [])
]
