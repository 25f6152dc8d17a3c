// The worker thread that owns the SQLite connection. `node:sqlite` is synchronous; here a slow statement delays other
// statements but never the event loop that serves requests. Statements run in the order in which they arrive.
import { existsSync, mkdirSync, renameSync, statSync } from "node:fs"
import { dirname } from "node:path"
import type { DatabaseSync, SQLInputValue, StatementSync } from "node:sqlite"
import Process from "node:process"
import { isMainThread, parentPort, workerData } from "node:worker_threads"

/** The file that a worker runs: this one, or its bundle. */
export const address: string = import.meta.url

/**
 * How to open the database. `file` may be `:memory:`. Without `writes` it is opened for reading only. A damaged file is
 * renamed to `damaged` and the time.
 */
export interface Opening {
  readonly role: "crypto-data-api/history/store/SqliteWorker"
  readonly file: string
  readonly writes: boolean
  readonly damaged: string
}

/** One statement. Its response has the same `id`. */
export interface Request {
  readonly id: number
  readonly sql: string
  readonly params: ReadonlyArray<SQLInputValue>
}

/**
 * Rows are arrays of values in the order of `names`: objects take half as long again to copy between threads. `errno`
 * is SQLite's result code, if there is one; `setAside` is the new name of a damaged file.
 */
type Result =
  | { readonly names: ReadonlyArray<string>; readonly rows: ReadonlyArray<ReadonlyArray<unknown>> }
  | { readonly message: string; readonly errno: number | undefined; readonly setAside: string | undefined }

/** `inTransaction` is the state of the connection after the statement. */
export type Response = Result & { readonly id: number; readonly inTransaction: boolean }

/**
 * The most cached statements, and the longest in characters. Longer ones insert many rows, take up to 100 KiB each, and
 * are rarely repeated, because the number of rows differs.
 */
const KEPT_STATEMENTS = 100
const KEPT_LENGTH = 4000

/** The page cache of SQLite, KiB. The operating system caches the file as well. */
const PAGE_CACHE = 512

/**
 * Primary result codes after which the file is opened again: read-only, input/output, corrupt, cannot open, not a
 * database. Replacing the file or its folder may fix these.
 */
const REOPEN_AFTER: ReadonlySet<number> = new Set([8, 10, 11, 14, 26])

/** Whether a result code says that the file is damaged: corrupt, or not a database. */
const isDamage = (errno: number | undefined): boolean => errno !== undefined && [11, 26].includes(errno & 0xff)

/** How long a statement waits for another process that holds the database, in milliseconds. */
const BUSY_TIMEOUT = 2_000

const open = ({ file, writes }: Opening): DatabaseSync => {
  // Loaded by name: a plain import would load SQLite on the main thread, too.
  const { DatabaseSync } = Process.getBuiltinModule("node:sqlite")
  if (writes && file !== ":memory:") mkdirSync(dirname(file), { recursive: true })
  const database = new DatabaseSync(file, { readOnly: !writes, timeout: BUSY_TIMEOUT })
  // Temporary tables in memory: in a container with a read-only root there may be no folder for them, and every large insert failed.
  database.exec(`PRAGMA cache_size = -${PAGE_CACHE}; PRAGMA temp_store = MEMORY`)
  if (writes) {
    // `auto_vacuum` only takes effect before the first table and before WAL.
    database.exec("PRAGMA auto_vacuum = INCREMENTAL; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL")
  }
  return database
}

interface Prepared {
  readonly statement: StatementSync
  readonly names: ReadonlyArray<string>
}

/** Makes the connection. The first statement opens it. */
const connect = (opening: Opening) => {
  const statements = new Map<string, Prepared>()
  let database: DatabaseSync | undefined
  let inode: bigint | undefined

  const inodeNow = () => statSync(opening.file, { bigint: true, throwIfNoEntry: false })?.ino

  const close = () => {
    statements.clear()
    database?.close()
    database = undefined
  }

  const opened = (): DatabaseSync => {
    // Writes to a file that was removed would be lost.
    if (database !== undefined && !database.isTransaction && inode !== inodeNow()) close()
    if (database === undefined) {
      database = open(opening)
      inode = inodeNow()
    }
    return database
  }

  const prepare = (database: DatabaseSync, sql: string): Prepared => {
    const known = statements.get(sql)
    if (known !== undefined) return known
    const statement = database.prepare(sql)
    statement.setReturnArrays(true)
    const prepared = { statement, names: statement.columns().map(({ name }) => name) }
    if (statements.size >= KEPT_STATEMENTS) statements.clear()
    if (sql.length <= KEPT_LENGTH) statements.set(sql, prepared)
    return prepared
  }

  /** Checks the file again after opening it anew: it may have been replaced while it was open. */
  const isDamaged = (): boolean => {
    try {
      return opened().prepare("PRAGMA quick_check(1)").get()?.["quick_check"] !== "ok"
    } catch (cause) {
      return isDamage(errnoOf(cause))
    }
  }

  /** Renames a damaged file and returns the new name. The next statement creates a new file. Nothing is deleted. */
  const setAside = (): string | undefined => {
    if (!opening.writes || opening.file === ":memory:" || !isDamaged()) return undefined
    close()
    const name = opening.damaged + new Date().toISOString().replaceAll(/[:.]/g, "-")
    // The WAL can only be read together with its file.
    for (const suffix of ["", "-wal", "-shm"]) {
      if (existsSync(opening.file + suffix)) renameSync(opening.file + suffix, name + suffix)
    }
    return name
  }

  const result = ({ params, sql }: Request): Result => {
    try {
      const { names, statement } = prepare(opened(), sql)
      const rows: ReadonlyArray<unknown> = statement.all(...params)
      return { names, rows: rows.filter(Array.isArray) }
    } catch (cause) {
      const errno = errnoOf(cause)
      if (errno !== undefined && REOPEN_AFTER.has(errno & 0xff)) close()
      const message = cause instanceof Error ? cause.message : String(cause)
      return { message, errno, setAside: isDamage(errno) ? setAside() : undefined }
    }
  }

  return { result, inTransaction: () => database?.isTransaction ?? false }
}

const errnoOf = (cause: unknown): number | undefined =>
  cause instanceof Error && "errcode" in cause && typeof cause.errcode === "number" ? cause.errcode : undefined

const isOpening = (data: unknown): data is Opening =>
  typeof data === "object" &&
  data !== null &&
  "role" in data &&
  data.role === "crypto-data-api/history/store/SqliteWorker"

if (!isMainThread && parentPort !== null && isOpening(workerData)) {
  const port = parentPort
  const connection = connect(workerData)
  const respond = (request: Request): Response => {
    const result = connection.result(request)
    return { ...result, id: request.id, inTransaction: connection.inTransaction() }
  }
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker thread has no origin
  port.on("message", (request: Request) => port.postMessage(respond(request)))
}
