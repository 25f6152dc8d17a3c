// Texts under names, as files in one folder, each written to a temporary file, made durable and renamed over the old one: at any
// moment, killed or not, a reader finds the old text or the new one and never a part of either.
import { Effect, FileSystem, Layer, Path, type PlatformError, Random } from "effect"
import { KeyValueStore } from "effect/persistence"

const SUFFIX = ".json"

const isEntry = (name: string): boolean => name.endsWith(SUFFIX) && !name.startsWith(".")

/** Writes a whole text or nothing. The folder is made when it is missing; only the owner may read the file. */
export const makeWriter = Effect.gen(function* () {
  const files = yield* FileSystem.FileSystem
  const path = yield* Path.Path

  return Effect.fnUntraced(function* (
    directory: string,
    name: string,
    text: string
  ): Effect.fn.Return<void, PlatformError.PlatformError> {
    yield* files.makeDirectory(directory, { recursive: true })
    const unique = yield* Random.nextIntBetween(0, Number.MAX_SAFE_INTEGER)
    const temporary = path.join(directory, `.${name}.${unique.toString(36)}`)
    const write = Effect.scoped(
      Effect.flatMap(files.open(temporary, { flag: "wx", mode: 0o600 }), (file) =>
        Effect.andThen(file.writeAll(new TextEncoder().encode(text)), file.sync)
      )
    )
    yield* write.pipe(
      Effect.andThen(files.rename(temporary, path.join(directory, name))),
      Effect.tapError(() => Effect.ignore(files.remove(temporary)))
    )
  })
})

/** A `KeyValueStore` of such files, named after their keys, in `directory`. */
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

      const failed = (method: string, key?: string) =>
        Effect.mapError(
          (cause: PlatformError.PlatformError) =>
            new KeyValueStore.KeyValueStoreError({
              method,
              ...(key !== undefined && { key }),
              message: `${method} in ${directory}: ${cause.reason._tag}`,
              cause
            })
        )
      const unlessMissing = <A>(effect: Effect.Effect<A, PlatformError.PlatformError>) =>
        Effect.catch(effect, (cause) => (cause.reason._tag === "NotFound" ? Effect.undefined : Effect.fail(cause)))

      const keys = files.readDirectory(directory).pipe(
        unlessMissing,
        Effect.map((names = []) => names.filter(isEntry).map((name) => name.slice(0, -SUFFIX.length)))
      )

      return KeyValueStore.makeStringOnly({
        get: (key) => files.readFileString(fileOf(key)).pipe(unlessMissing, failed("get", key)),
        set: (key, value) => write(directory, key + SUFFIX, value).pipe(failed("set", key)),
        remove: (key) => files.remove(fileOf(key)).pipe(unlessMissing, failed("remove", key)),
        clear: files.remove(directory, { recursive: true }).pipe(unlessMissing, failed("clear")),
        keys: keys.pipe(failed("keys")),
        size: keys.pipe(
          Effect.map(({ length }) => length),
          failed("size")
        )
      })
    })
  )
