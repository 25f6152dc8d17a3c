// The record of what was observed: rates by series and time. Recording never holds up what it records, and reading fails
// with `HistoryUnavailable` while the database is away. The service is optional: without it nothing is recorded.
import { Context, Duration, Effect, flow, Layer, type Redacted, Schema } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import * as BackfillStore from "./BackfillStore.ts"
import * as HistoryReader from "./HistoryReader.ts"
import * as Recorder from "./Recorder.ts"

/** The database of the history cannot be read now. */
export class HistoryUnavailable extends Schema.TaggedError<HistoryUnavailable>()("HistoryUnavailable", {
  cause: Schema.Defect()
}) {
  override get message(): string {
    return "The history cannot be read now"
  }
}

/** A question to the database, with one failure for all of them. */
type Reading<F> = F extends (...args: infer Args) => Effect.Effect<infer A, unknown>
  ? (...args: Args) => Effect.Effect<A, HistoryUnavailable>
  : never

type Readings<Store, Name extends keyof Store> = { readonly [N in Name]: Reading<Store[N]> }

/** The record. Series have the names of `SeriesName`; times are epoch milliseconds. Writing a piece waits for the database. */
export interface HistoryService
  extends
    Readings<HistoryReader.Reader, Exclude<keyof HistoryReader.Reader, "count">>,
    Readings<BackfillStore.BackfillStore, "recordPiece" | "asked" | "lease"> {
  /** Takes rows to be recorded. Ends at once, and never fails. */
  readonly offer: (offer: Recorder.Offer) => Effect.Effect<void>
  /** How each piece of a backfill was fetched last, by name. */
  readonly pieces: Effect.Effect<ReadonlyMap<string, BackfillStore.Fetched>, HistoryUnavailable>
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
const READ_TIMEOUT = Duration.seconds(5)

/** How long it may take to write a piece of a backfill. */
const WRITE_TIMEOUT = Duration.seconds(60)

/** Records into the `SqlClient` in the context, in tables whose names begin with `history_`. */
export const layerNoDeps: Layer.Layer<never, never, SqlClient> = Layer.effect(
  History,
  Effect.gen(function* () {
    const recorder = yield* Recorder.make
    const reader = yield* HistoryReader.make
    const store = yield* BackfillStore.make
    let backfilled = 0

    const asking =
      <Args extends ReadonlyArray<unknown>, A, E>(
        ask: (...args: Args) => Effect.Effect<A, E>,
        timeout: Duration.Duration = READ_TIMEOUT
      ) =>
      (...args: Args): Effect.Effect<A, HistoryUnavailable> =>
        Effect.andThen(recorder.ready, ask(...args)).pipe(
          // The driver dies where a connection breaks while it is given back to the pool.
          Effect.catchDefect((cause) => Effect.fail(new HistoryUnavailable({ cause }))),
          Effect.timeout(timeout),
          Effect.mapError((cause) => new HistoryUnavailable({ cause }))
        )

    return {
      offer: recorder.offer,
      backfilled: () => backfilled,
      version: () => recorder.version() + backfilled,
      recordPiece: flow(
        asking(store.recordPiece, WRITE_TIMEOUT),
        Effect.tap(() => Effect.sync(() => backfilled++)),
        Effect.withTracerEnabled(false)
      ),
      asked: asking(store.asked),
      pieces: asking(store.pieces)(),
      lease: asking(store.lease),
      pendingSince: recorder.pendingSince,
      points: asking(reader.points),
      lastBucket: asking(reader.lastBucket),
      newestObservations: asking(reader.newestObservations),
      newestPoints: asking(reader.newestPoints),
      spans: asking(reader.spans),
      names: asking(reader.names)
    }
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
        Layer.provide(layerNoDeps, Layer.orDie(PgClient.layer({ url, maxConnections: 4, connectTimeout: "5 seconds" })))
    )
  )

/** A record in which nothing was observed, but for what a test says. */
export const layerTest = (service: Partial<HistoryService>): Layer.Layer<never> =>
  Layer.succeed(History, {
    offer: () => Effect.void,
    version: () => 0,
    pendingSince: () => undefined,
    points: () => Effect.succeed(new Map()),
    lastBucket: () => Effect.undefined,
    newestObservations: () => Effect.succeed(new Map()),
    newestPoints: () => Effect.succeed(new Map()),
    spans: () => Effect.succeed(new Map()),
    names: () => Effect.succeed([]),
    recordPiece: () => Effect.succeed([]),
    asked: () => Effect.succeed([]),
    backfilled: () => 0,
    lease: () => Effect.succeed(true),
    pieces: Effect.succeed(new Map()),
    ...service
  })
