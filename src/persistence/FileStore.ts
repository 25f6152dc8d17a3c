// Texts under names, as files in one folder, each written to a temporary file, made durable and renamed over the old one: at any
// moment, killed or not, a reader finds the old text or the new one and never a part of either.
import { Clock, Effect, FileSystem, Layer, Option, Path, type PlatformError, Random } from "effect"
import { KeyValueStore } from "effect/persistence"

const SUFFIX = ".json"

const isEntry = (name: string): boolean => name.endsWith(SUFFIX) && !name.startsWith(".")

/** What a writer that was killed leaves behind. */
const isTemporary = (name: string): boolean => /^\..+\.json\.[0-9a-z]+$/.test(name)

/** A temporary file this old, in milliseconds, is not being written any more. */
const ABANDONED_AFTER = 60_000

/** No text of ours is anywhere near this long, in bytes. */
const LONGEST = 64 * 1024 * 1024

/** Writes a whole text or nothing. The folder is made when it is missing; only the owner may read the file. */
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
    (swept) => Effect.ignore(swept)
  )

  return Effect.fnUntraced(function* (
    directory: string,
    name: string,
    text: string
  ): Effect.fn.Return<void, PlatformError.PlatformError> {
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
      // The name is durable when the folder is. Not every system lets a folder be opened.
      Effect.tap(Effect.ignore(Effect.scoped(Effect.flatMap(files.open(directory), ({ sync }) => sync)))),
      Effect.tapError(() => Effect.ignore(files.remove(temporary)))
    )
  })
})

/**
 * A `KeyValueStore` of such files, named after their keys, in `directory`. A folder that cannot be used is told once and done
 * without: nothing is found there and nothing is written until it can be. What is no such file fails by itself.
 */
export const layer = (
  directory: string
): Layer.Layer<KeyValueStore.KeyValueStore, never, FileSystem.FileSystem | Path.Path> =>
  Layer.effect(
    KeyValueStore.KeyValueStore,
    Effect.gen(function* () {
      const files = yield* FileSystem.FileSystem
      const path = yield* Path.Path
      const write = yield* makeWriter
      const fileOf = (key: string) => path.join(directory, key + SUFFIX)
      let failing = false

      const isUsable = Effect.suspend(() => {
        const isNews = failing
        failing = false
        return isNews ? Effect.logInfo(`${directory} can be used again: what is last known is kept`) : Effect.void
      })
      const unlessUnusable = Effect.catch(({ reason }: PlatformError.PlatformError) => {
        if (reason._tag === "NotFound") return Effect.undefined
        const isNews = !failing
        failing = true
        const text = `${directory} cannot be used (${reason._tag}): until it can, nothing is kept for after a restart`
        return isNews ? Effect.as(Effect.logWarning(text), undefined) : Effect.undefined
      })

      const keys = files.readDirectory(directory).pipe(
        unlessUnusable,
        Effect.map((names = []) => names.filter(isEntry).map((name) => name.slice(0, -SUFFIX.length)))
      )

      const get = Effect.fnUntraced(function* (key: string) {
        const found = yield* unlessUnusable(files.stat(fileOf(key)))
        if (found === undefined) return undefined
        if (found.type !== "File" || found.size > LONGEST) {
          const message = found.type === "File" ? "a file of that size is not ours" : "it is not a file"
          return yield* new KeyValueStore.KeyValueStoreError({ method: "get", key, message })
        }
        return yield* unlessUnusable(files.readFileString(fileOf(key)))
      })

      return KeyValueStore.makeStringOnly({
        get,
        set: (key, value) => write(directory, key + SUFFIX, value).pipe(Effect.andThen(isUsable), unlessUnusable),
        remove: (key) => unlessUnusable(files.remove(fileOf(key))),
        clear: unlessUnusable(files.remove(directory, { recursive: true })),
        keys,
        size: Effect.map(keys, ({ length }) => length)
      })
    })
  )
