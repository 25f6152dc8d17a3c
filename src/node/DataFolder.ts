// Gives `DATA_DIR` to one server at a time. Two over one folder would poll the sources twice, count limits separately and
// write over each other's files. The lock is one of the operating system, taken through SQLite because Node has no call for it:
// the system releases it when the process ends, however it ends, and no process id is compared, which a container would use again.
// Commands such as `keys create` take no lock and work beside the server.
import { Effect, FileSystem, Option, Path } from "effect"
import { open, stat, statfs } from "node:fs/promises"
import { join } from "node:path"
import Process from "node:process"
import { failureCode } from "../domain/connectionFailure.ts"
import * as Settings from "./Settings.ts"
import { StartError, userError } from "./StartError.ts"

const FILE = "lock"

/** Files that an older version made readable by all. */
const PRIVATE = [FILE, "history.sqlite", "history.sqlite-wal", "history.sqlite-shm"]

/** Codes of SQLite: another process has the lock, and the file cannot be opened. */
const [BUSY, CANNOT_OPEN] = [5, 14]

/** Whether a server keeps anything in `DATA_DIR`. With Redis and a database elsewhere, replicas need no folder. */
export const isUsed = Effect.gen(function* () {
  const { databaseUrl, isOn } = Settings.history
  if (Option.isNone(yield* Settings.access.redisUrl)) return true
  return (yield* isOn) && Option.isNone(yield* databaseUrl)
})

const inUse = (folder: string) =>
  userError(
    `Another server uses the folder ${folder}. Stop it, or give each server its own folder with DATA_DIR. A process manager ` +
      "must start one of them, or several with REDIS_URL and DATABASE_URL. " +
      "Agents can use the running server: its MCP address ends in /mcp."
  )

const unwritable = (folder: string) =>
  new StartError(
    `The folder ${folder} is not writable by this user. It stores API keys, snapshots and the history. ` +
      "Make it writable, or set DATA_DIR to another folder. A container's volume must belong to the user of the image."
  )

/**
 * A sentence about each file of the server in the folder that this user cannot read and write, with its owner. A folder that a group may
 * write to can hold files of another user, such as after a backup was put back. A process that has the lock must not call it: it would lose the lock.
 */
export const foreignFiles = (folder: string): Effect.Effect<ReadonlyArray<string>> =>
  Effect.promise(async () => {
    const sentences = await Promise.all(
      PRIVATE.map(async (name) => {
        const file = join(folder, name)
        try {
          await (await open(file, "r+")).close()
          return []
        } catch (failure) {
          if (failureCode(failure) !== "EACCES") return []
          const owner = (await stat(file)).uid
          return [
            `${file} belongs to user ${owner}, and user ${Process.geteuid?.()}, which runs this process, ` +
              "cannot read and write it. Give it to that user, such as with chown"
          ]
        }
      })
    )
    return sentences.flat()
  })

/** Network file systems by the number that `statfs` gives. */
const shares: ReadonlyMap<number, string> = new Map([
  [0x6969, "NFS"],
  [0x517b, "SMB"],
  [0xff534d42, "SMB"],
  [0xfe534d42, "SMB"],
  [0x5346414f, "AFS"],
  [0x01021997, "9P"]
])

/** What is wrong with a folder on a file system of this number; `undefined` for a local one. */
export const shareFault = (folder: string, type: number): string | undefined =>
  shares.has(type)
    ? `${folder} is on a network share (${shares.get(type)}), where locks may not hold: two servers can damage the history. ` +
      "Set DATA_DIR to a local disk, or REDIS_URL and DATABASE_URL"
    : undefined

/** Opens the lock file and takes its lock. The connection holds the lock until it is closed. */
const take = (file: string) => {
  const { DatabaseSync } = Process.getBuiltinModule("node:sqlite")
  const connection = new DatabaseSync(file, { timeout: 0 })
  try {
    connection.exec("BEGIN EXCLUSIVE")
    return connection
  } catch (cause) {
    connection.close()
    throw cause
  }
}

const codeOf = (cause: Error): unknown => ("errcode" in cause ? cause.errcode : undefined)

/** Takes the lock of a file for this process until the scope ends. Fails with the error of SQLite. */
export const lock = (file: string) =>
  Effect.acquireRelease(
    Effect.try({
      try: () => take(file),
      catch: (cause) => (cause instanceof Error ? cause : new Error(String(cause)))
    }),
    (connection) => Effect.sync(() => connection.close())
  )

/** Whether {@link lock} failed because another process has the lock. */
export const isTaken = (cause: Error): boolean => codeOf(cause) === BUSY

/**
 * Takes `DATA_DIR` for this process until the scope ends. Fails with a sentence where another server has it, or where it cannot
 * be written. A file system without locks is used without one.
 */
export const claim = Effect.gen(function* () {
  if (!(yield* isUsed)) return
  const files = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const folder = path.resolve(yield* Settings.access.dataDir)
  yield* files.makeDirectory(folder, { recursive: true, mode: 0o700 }).pipe(
    Effect.andThen(files.access(folder, { readable: true, writable: true })),
    Effect.mapError(() => unwritable(folder))
  )
  const foreign = yield* foreignFiles(folder)
  // Those of another user stay as they are.
  yield* Effect.forEach(PRIVATE, (name) => Effect.ignore(files.chmod(path.join(folder, name), 0o600)))
  yield* lock(path.join(folder, FILE)).pipe(
    Effect.catch((cause) => {
      if (isTaken(cause)) return Effect.fail(inUse(folder))
      if (codeOf(cause) === CANNOT_OPEN) {
        return Effect.fail(foreign[0] === undefined ? unwritable(folder) : new StartError(`${foreign[0]}.`))
      }
      return Effect.logWarning(`${folder} cannot be locked (${cause.message}). Make sure that no other server uses it`)
    })
  )
  const share = shareFault(folder, (yield* Effect.promise(() => statfs(folder))).type)
  for (const sentence of share === undefined ? foreign : [share, ...foreign]) yield* Effect.logWarning(sentence)
}).pipe(Effect.withSpan("DataFolder.claim"))
