// Records observed rates by series and time. Recording never delays its caller, and reading fails with
// `HistoryUnavailable` while the database is down. The service is optional: without it nothing is recorded.
import { Context, Duration, Effect, Layer, type Redacted, Schema } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import { inBackground } from "../../domain/inBackground.ts"
import type { Row } from "../model/Point.ts"
import * as BackfillStore from "./BackfillStore.ts"
import * as HistoryReader from "./HistoryReader.ts"
import { optionsOf } from "./PostgresOptions.ts"
import * as Recorder from "./Recorder.ts"

export class HistoryUnavailable extends Schema.TaggedError<HistoryUnavailable>()("HistoryUnavailable", {
  cause: Schema.Defect()
}) {
  override get message(): string {
    return "The history cannot be read now"
  }
}

/** The queries and writes of the database. Series have the names of `SeriesName`; times are epoch milliseconds. */
export type Stored = HistoryReader.Reader & BackfillStore.BackfillStore

export interface HistoryService {
  /** Queues rows for recording, all or none: returns whether there was room for them. Returns at once, and never fails. */
  readonly offer: (rows: ReadonlyArray<Row>) => Effect.Effect<boolean>
  /** Runs a query once the tables exist. Fails after the timeout, 5 s by default. */
  readonly ask: <A>(
    question: (stored: Stored) => Effect.Effect<A, unknown>,
    timeout?: Duration.Duration
  ) => Effect.Effect<A, HistoryUnavailable>
  /** How many pieces of a backfill this process has committed. They may change final buckets. */
  readonly backfilled: () => number
  /** Increases with every commit of this process. */
  readonly version: () => number
  /** When the oldest uncommitted observation was accepted. Buckets that were not final then may still change. */
  readonly pendingSince: () => number | undefined
}

/** `undefined` if nothing is recorded. */
export const History = Context.Reference<HistoryService | undefined>("crypto-data-api/history/store/History", {
  defaultValue: () => undefined
})

/** How long a query may take, including the wait for a database that is still opening. */
const TIMEOUT = Duration.seconds(5)

/** Runs queries once the database is `ready`. */
export const asking =
  (stored: Stored, ready: Effect.Effect<void> = Effect.void): HistoryService["ask"] =>
  (question, timeout = TIMEOUT) =>
    Effect.andThen(ready, question(stored)).pipe(
      // The driver dies if a connection breaks while it returns to the pool.
      Effect.catchDefect((cause) => Effect.fail(cause)),
      // An interrupted query is cancelled at its server. That may take as long as a query, so the caller does not wait for it.
      inBackground,
      Effect.timeout(timeout),
      Effect.mapError((cause) => new HistoryUnavailable({ cause }))
    )

/** Records into the `SqlClient` in the context, in tables whose names begin with `history_`. */
export const layerNoDeps: Layer.Layer<never, never, SqlClient> = Layer.effect(
  History,
  Effect.gen(function* () {
    const { offer, pendingSince, ready, version } = yield* Recorder.make
    const stored = { ...(yield* HistoryReader.make), ...(yield* BackfillStore.make) }
    const { backfilled } = stored
    return { offer, ask: asking(stored, ready), backfilled, version: () => version() + backfilled(), pendingSince }
  })
)

/** Records into a SQLite file, which is created if missing, or into memory (`:memory:`). */
export const layerSqlite = (filename: string): Layer.Layer<never> =>
  Layer.unwrap(
    Effect.map(
      Effect.promise(() => import("./SqliteClient.ts")),
      ({ layer }) => Layer.provide(layerNoDeps, layer({ filename }))
    )
  )

/** Records into a PostgreSQL database, `postgres://user:password@host:port/database`, which replicas may share. */
export const layerPostgres = (url: Redacted.Redacted): Layer.Layer<never> =>
  Layer.unwrap(
    Effect.map(
      Effect.promise(() => import("@effect/sql-pg/PgClient")),
      (PgClient) =>
        // Connections are opened on demand. The layer fails only for an invalid URL, which is checked at start.
        Layer.provide(layerNoDeps, Layer.orDie(PgClient.layer(optionsOf(url, 4))))
    )
  )
