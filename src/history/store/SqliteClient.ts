// A `SqlClient` over `node:sqlite`, until `@effect/sql-sqlite-node` is published for this version of Effect; its names are
// those of that package. The connection lives in a worker thread. A commit survives the end of the process, `kill -9`
// included; a power failure can lose the last commits, never the file (WAL with `synchronous = NORMAL`).
import { Effect, Layer, Semaphore, Stream } from "effect"
import { Reactivity } from "effect/reactivity"
import * as Client from "effect/sql/SqlClient"
import type { Connection } from "effect/sql/SqlConnection"
import { classifySqliteError, SqlError } from "effect/sql/SqlError"
import * as Statement from "effect/sql/Statement"
import { readdir } from "node:fs/promises"
import { basename, dirname, join } from "node:path"
import { Worker } from "node:worker_threads"
import type { Opening, Request, Response } from "./SqliteWorker.ts"

export interface SqliteClientConfig {
  /** A path, or `:memory:`. A missing folder or file is created. */
  readonly filename: string
  /** Opens an existing file for reading only. Default: false. */
  readonly readonly?: boolean
}

/** The prefix of the names of damaged files; the time of renaming follows. */
const damagedOf = (file: string): string => `${file}.damaged-`

/** The damaged files that were renamed, oldest first. */
export const setAside = (file: string): Effect.Effect<ReadonlyArray<string>> =>
  Effect.promise(async () => {
    const found = await readdir(dirname(file)).catch(() => [])
    const prefix = damagedOf(basename(file))
    return found
      .filter((name) => name.startsWith(prefix) && !/-(wal|shm)$/.test(name))
      .map((name) => join(dirname(file), name))
      .toSorted()
  })

/** Runs statements one after the other. */
type Database = Effect.Success<ReturnType<typeof startWorker>>

/** Makes the client of a database. */
export const over = Effect.fnUntraced(function* ({ isTransaction, run }: Database, isReadonly = false) {
  const rows = (sql: string, params: ReadonlyArray<unknown>) => run({ sql, params: params.map(bound) })
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

  const semaphore = yield* Semaphore.make(1)
  return yield* Client.make({
    ...Client.makeSqliteAcquirers({ connection: Effect.succeed(connection), semaphore, isTransaction }),
    // Takes the write lock first: a read that turns into a write can fail at once while another process writes.
    beginTransaction: isReadonly ? "BEGIN" : "BEGIN IMMEDIATE",
    compiler: Statement.makeCompilerSqlite(),
    driver: "sqlite-node",
    releaseSavepoint: (name) => `RELEASE SAVEPOINT ${name}`,
    spanAttributes: [["db.system.name", "sqlite"]]
  })
})

/** The first statement opens the file. If that fails, statements fail, not the layer. */
export const make = Effect.fnUntraced(function* ({ filename: file, readonly = false }: SqliteClientConfig) {
  const role = "crypto-data-api/history/store/SqliteWorker"
  return yield* over(yield* startWorker({ role, file, writes: !readonly, damaged: damagedOf(file) }), readonly)
})

export const layer = (options: SqliteClientConfig): Layer.Layer<Client.SqlClient> =>
  Layer.provide(Layer.effect(Client.SqlClient, make(options)), Reactivity.layer)

/** SQLite has only texts, numbers, bytes and null, and so has the history. */
const bound = (value: unknown): string | number | bigint | Uint8Array | null =>
  typeof value === "string" || typeof value === "number" || typeof value === "bigint" || value instanceof Uint8Array
    ? value
    : null

const failed = (cause: unknown) =>
  new SqlError({
    reason: classifySqliteError(cause, {
      message: `SQLite: ${cause instanceof Error ? cause.message : "failed"}`,
      operation: "execute"
    })
  })

/** How long statements fail after a worker has ended before a new one is started, ms. A worker that cannot live is not started all the time. */
const RESTARTED_AFTER = 1000

/**
 * Starts the worker, and returns the function that runs statements in it. If it ends, pending statements fail, and so does the rest of
 * a transaction; a new worker is started for later ones.
 */
const startWorker = Effect.fnUntraced(function* (opening: Opening) {
  // The import of a file of this package fails only in a broken installation.
  const { address } = yield* Effect.promise(() => import("./SqliteWorker.ts"))
  let current: Running | undefined
  let ended: SqlError | undefined
  let isResting = false
  /** Whether a worker ended within a transaction that was not rolled back since. */
  let isCut = false

  const start = (): Running => {
    const running = launch(address, opening, (cause) => {
      if (current !== running) return
      current = undefined
      ended = failed(cause)
      isCut = running.isTransaction()
      isResting = true
      setTimeout(() => (isResting = false), RESTARTED_AFTER).unref()
    })
    return running
  }
  current = start()
  yield* Effect.addFinalizer(() => {
    const last = current
    current = undefined
    return last === undefined ? Effect.void : Effect.promise(last.terminate)
  })

  const run = (statement: Omit<Request, "id">): Effect.Effect<ReadonlyArray<object>, SqlError> =>
    Effect.suspend(() => {
      if (isCut && statement.sql === "ROLLBACK") {
        isCut = false
        return Effect.succeed([])
      }
      if (ended !== undefined && (isCut || isResting)) return Effect.fail(ended)
      const isNew = current === undefined
      const { ask } = (current ??= start())
      return isNew
        ? Effect.andThen(Effect.logWarning("history: a new SQLite worker was started"), ask(statement))
        : ask(statement)
    })
  return { run, isTransaction: () => isCut || current?.isTransaction() === true }
})

/** A worker that has not ended. */
type Running = ReturnType<typeof launch>

/** Starts one worker. Its pending statements fail when it ends, and `onEnd` is called. */
const launch = (address: string, opening: Opening, onEnd: (cause: unknown) => void) => {
  const waiting = new Map<number, (result: Effect.Effect<ReadonlyArray<object>, SqlError>) => void>()
  let inTransaction = false
  let count = 0

  const end = (cause: unknown) => {
    onEnd(cause)
    for (const resume of waiting.values()) resume(Effect.fail(failed(cause)))
    waiting.clear()
  }
  // The worker sends its rows away at once, so a small young generation is enough.
  const worker = new Worker(new URL(address), { workerData: opening, resourceLimits: { maxYoungGenerationSizeMb: 2 } })
  worker.unref()
  worker.on("message", (response: Response) => {
    inTransaction = response.inTransaction
    const resume = waiting.get(response.id)
    waiting.delete(response.id)
    if ("rows" in response) {
      const { names, rows } = response
      const objects = rows.map((values) => {
        const row: Record<string, unknown> = {}
        names.forEach((name, n) => (row[name] = values[n]))
        return row
      })
      return resume?.(Effect.succeed(objects))
    }
    const { errno, message, setAside } = response
    const failure = Effect.fail(failed(Object.assign(new Error(message), { errno })))
    resume?.(setAside === undefined ? failure : Effect.andThen(logSetAside(message, setAside), failure))
  })
  worker.on("error", end)
  worker.on("exit", () => end(new Error("the SQLite worker has ended")))

  const ask = (statement: Omit<Request, "id">) =>
    Effect.callback<ReadonlyArray<object>, SqlError>((resume) => {
      const id = count++
      waiting.set(id, resume)
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker thread has no origin
      worker.postMessage({ ...statement, id } satisfies Request)
    })
  const logSetAside = (reason: string, setAside: string) =>
    Effect.logError(
      `history: ${opening.file} is damaged (${reason}). It was renamed to ${setAside}, and a new file was started. ` +
        "`history restore` recovers the readable data of the damaged file"
    )
  return { ask, isTransaction: () => inTransaction, terminate: () => worker.terminate() }
}
