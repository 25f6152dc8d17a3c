// Stores texts by key, as files in one folder. Writes are atomic: the text goes to a temporary file, is synced to disk
// and renamed over the old file. A reader finds the old text or the new one and never a part, even if the writer is
// killed.
import { Clock, Effect, FileSystem, Layer, Option, Path, type PlatformError, Random } from "effect"
import { KeyValueStore } from "effect/persistence"

const SUFFIX = ".json"

/** Temporary files, which a killed writer leaves behind. */
const isTemporary = (name: string): boolean => /^\..+\.json\.[0-9a-z]+$/.test(name)

/** The age in milliseconds from which a temporary file is certain to be abandoned. */
const ABANDONED_AFTER = 60_000

const advice: Readonly<Record<string, string>> = {
  EACCES: "Give the folder and its files to the user that runs this, or set DATA_DIR",
  ENOSPC: "Free some space on its disk, or set DATA_DIR"
}

/** The system's error code, such as ENOSPC for a full disk, and what to do. */
export const explained = ({ cause, reason }: PlatformError.PlatformError) => {
  const code = cause instanceof Error && "code" in cause ? String(cause.code) : reason._tag
  return { code, advice: advice[code] ?? "Check the folder and its disk, or set DATA_DIR" }
}

/** The largest snapshot that is read, in bytes: as large as the largest answer of a source. Each reader has a bound of its own too. */
const MAX_BYTES = 16 * 1024 * 1024

/**
 * Makes a writer of files that writes atomically. It creates the folder if needed, makes files readable by the owner
 * only, and at its first write to a folder removes the temporary files that killed writers left there.
 */
export const makeWriter = Effect.gen(function* () {
  const files = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const swept = new Set<string>()

  const sweep = Effect.fnUntraced(
    function* (directory: string) {
      swept.add(directory)
      const now = yield* Clock.currentTimeMillis
      for (const name of (yield* files.readDirectory(directory)).filter(isTemporary)) {
        const file = path.join(directory, name)
        const { mtime } = yield* files.stat(file)
        if (Option.isSome(mtime) && now - mtime.value.getTime() > ABANDONED_AFTER) yield* files.remove(file)
      }
    },
    (sweeping) => Effect.ignore(sweeping)
  )

  return Effect.fnUntraced(function* (directory: string, name: string, text: string) {
    yield* files.makeDirectory(directory, { recursive: true })
    if (!swept.has(directory)) yield* sweep(directory)
    const unique = yield* Random.nextIntBetween(0, Number.MAX_SAFE_INTEGER)
    const temporary = path.join(directory, `.${name}.${unique.toString(36)}`)
    const write = Effect.scoped(
      Effect.flatMap(files.open(temporary, { flag: "wx", mode: 0o600 }), (file) =>
        Effect.andThen(file.writeAll(new TextEncoder().encode(text)), file.sync)
      )
    )
    yield* write.pipe(
      Effect.andThen(files.rename(temporary, path.join(directory, name))),
      // The rename is durable once the folder is synced. Not every system can open a folder, so a failure is ignored.
      Effect.tap(Effect.ignore(Effect.scoped(Effect.flatMap(files.open(directory), ({ sync }) => sync)))),
      Effect.tapError(() => Effect.ignore(files.remove(temporary)))
    )
  })
})

const unsupported = Effect.die(new Error("Snapshots are only read and written"))

/**
 * A `KeyValueStore` of files in `directory`, each named after its key. A file that cannot be read counts as absent, and
 * a failed write is dropped. The first failure logs a warning, and a note follows once every failed file was written
 * again. `get` fails only if the entry is not a regular file or is larger than 16 MiB.
 */
export const layer = (directory: string) =>
  Layer.effect(
    KeyValueStore.KeyValueStore,
    Effect.gen(function* () {
      const files = yield* FileSystem.FileSystem
      const path = yield* Path.Path
      const write = yield* makeWriter
      const fileOf = (key: string) => path.join(directory, key + SUFFIX)
      // Recorded for each file: on a nearly full disk small writes succeed and large ones fail.
      const failing = new Set<string>()

      const noteRecovery = (key: string) =>
        Effect.suspend(() => {
          const isLast = failing.delete(key) && failing.size === 0
          return isLast ? Effect.logInfo(`${directory} works again`) : Effect.void
        })
      const unlessUnusable = (key: string) =>
        Effect.catch((failure: PlatformError.PlatformError) => {
          if (failure.reason._tag === "NotFound") return Effect.undefined
          const isFirst = failing.size === 0
          failing.add(key)
          const { advice, code } = explained(failure)
          const text = `${directory} cannot be used (${code}): snapshots not saved there are lost when the service stops. ${advice}`
          return isFirst ? Effect.as(Effect.logWarning(text), undefined) : Effect.undefined
        })

      const get = Effect.fnUntraced(function* (key: string) {
        const found = yield* unlessUnusable(key)(files.stat(fileOf(key)))
        if (found === undefined) return undefined
        if (found.type !== "File" || found.size > MAX_BYTES) {
          const message = found.type === "File" ? "the file is too large" : "the entry is not a file"
          return yield* new KeyValueStore.KeyValueStoreError({ method: "get", key, message })
        }
        return yield* unlessUnusable(key)(files.readFileString(fileOf(key)))
      })

      return KeyValueStore.makeStringOnly({
        get,
        set: (key, value) =>
          write(directory, key + SUFFIX, value).pipe(Effect.andThen(noteRecovery(key)), unlessUnusable(key)),
        remove: () => unsupported,
        clear: unsupported,
        keys: unsupported,
        size: unsupported
      })
    })
  )
