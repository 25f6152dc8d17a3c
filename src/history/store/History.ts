// The record of what was observed: rates by series and time. Recording never holds up what it records, and reading fails
// with `HistoryUnavailable` while the database is away. The service is optional: without it nothing is recorded.
import { Context, Duration, Effect, Layer, type Redacted, Schema } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import { inBackground } from "../../domain/inBackground.ts"
import type { Row } from "../model/Point.ts"
import * as BackfillStore from "./BackfillStore.ts"
import * as HistoryReader from "./HistoryReader.ts"
import { optionsOf } from "./PostgresOptions.ts"
import * as Recorder from "./Recorder.ts"

/** The database of the history cannot be read now. */
export class HistoryUnavailable extends Schema.TaggedError<HistoryUnavailable>()("HistoryUnavailable", {
  cause: Schema.Defect()
}) {
  override get message(): string {
    return "The history cannot be read now"
  }
}

/** What can be asked of the database. Series have the names of `SeriesName`; times are epoch milliseconds. */
export type Stored = HistoryReader.Reader & BackfillStore.BackfillStore

/** The record. */
export interface HistoryService {
  /** Takes rows to be recorded. Ends at once, and never fails. */
  readonly offer: (rows: ReadonlyArray<Row>) => Effect.Effect<void>
  /** Asks the database once its tables are there, for at most 5 seconds unless told otherwise. */
  readonly ask: <A>(
    question: (stored: Stored) => Effect.Effect<A, unknown>,
    timeout?: Duration.Duration
  ) => Effect.Effect<A, HistoryUnavailable>
  /** Goes up with every piece of a backfill that this process commits: only these change buckets that are final. */
  readonly backfilled: () => number
  /** Goes up with every commit of this process. */
  readonly version: () => number
  /** When the oldest observation that is not committed yet was accepted: buckets that were not final then may still change. */
  readonly pendingSince: () => number | undefined
}

/** The record, where one is kept. */
export const History = Context.Reference<HistoryService | undefined>("crypto-data-api/history/store/History", {
  defaultValue: () => undefined
})

/** How long a question may take, the wait for a database that is just being opened included. */
const TIMEOUT = Duration.seconds(5)

/** Asks what is stored, once it is ready. */
export const asking =
  (stored: Stored, ready: Effect.Effect<void> = Effect.void): HistoryService["ask"] =>
  (question, timeout = TIMEOUT) =>
    Effect.andThen(ready, question(stored)).pipe(
      // The driver dies where a connection breaks while it is given back to the pool.
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

/** Records into a SQLite file, which is made where it is missing, or into memory (`:memory:`). */
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
        // Connections are made when they are needed. The layer fails only for a URL that is none, which is checked at start.
        Layer.provide(layerNoDeps, Layer.orDie(PgClient.layer(optionsOf(url, 4))))
    )
  )
