// Stores key records as files, one per key, in `DATA_DIR/keys`. Writes are atomic (see `FileStore`): a reader finds the
// old record or the new one, even if the writer is killed. Several processes may use the directory at once.
import { Clock, Effect, FileSystem, Layer, Option, Path, Schema } from "effect"
import { KeyRecord } from "../access/ApiKey.ts"
import { ApiKeyStore, ApiKeyStoreError, NO_RECORDS } from "../access/ApiKeyStore.ts"
import { makeWriter } from "./FileStore.ts"

const RecordJson = Schema.fromJsonString(KeyRecord)

const decodeOption = Schema.decodeOption(RecordJson)

/** Milliseconds after which a second change is certain to get another modification time: file systems round them. */
const SETTLED_AFTER = 2_000

const NAME = /^[0-9a-f]{64}\.json$/

/** Stores records in `directory`, which is created by the first write. */
export const layer = (directory: string): Layer.Layer<ApiKeyStore, never, FileSystem.FileSystem | Path.Path> =>
  Layer.effect(
    ApiKeyStore,
    Effect.gen(function* () {
      const files = yield* FileSystem.FileSystem
      const path = yield* Path.Path

      const write = yield* makeWriter

      const failed = (what: string) =>
        Effect.mapError(() => new ApiKeyStoreError({ detail: `${what} in ${directory}` }))

      const read = (name: string) =>
        files.readFileString(path.join(directory, name)).pipe(
          Effect.flatMap(Schema.decodeEffect(RecordJson)),
          Effect.map(Option.some),
          // One damaged file must not lock out the holders of other keys. Its own key is refused as unknown.
          Effect.catchTag("SchemaError", () =>
            Effect.as(
              Effect.logWarning(`a key file in ${directory} is not a key record and is left out`),
              Option.none()
            )
          )
        )

      const all = Effect.gen(function* () {
        if (!(yield* files.exists(directory))) return []
        const names = (yield* files.readDirectory(directory)).filter((name) => NAME.test(name))
        const records = yield* Effect.forEach(names, read, { concurrency: 16 })
        return records.flatMap(Option.toArray)
      }).pipe(failed("reading"))

      const find = (hash: string) =>
        files.readFileString(path.join(directory, `${hash}.json`)).pipe(
          Effect.map(decodeOption),
          Effect.catchIf(
            ({ reason }) => reason._tag === "NotFound",
            () => Effect.succeedNone
          ),
          failed("reading")
        )

      // The version is the modification time of the directory, which every rename into it changes. While that time is
      // so recent that another change could still get the same one, the version includes the current time: the next
      // poll reads again.
      const version = Effect.gen(function* () {
        if (!(yield* files.exists(directory))) return NO_RECORDS
        const { mtime } = yield* files.stat(directory)
        const changed = Option.match(mtime, { onNone: () => 0, onSome: (time) => time.getTime() })
        const now = yield* Clock.currentTimeMillis
        return now - changed > SETTLED_AFTER ? String(changed) : `${changed} at ${now}`
      }).pipe(failed("checking for changes"))

      const put = Effect.fn("ApiKeyFiles.put")(function* (record: KeyRecord) {
        const text = yield* Effect.orDie(Schema.encodeEffect(RecordJson)(record))
        yield* write(directory, `${record.hash}.json`, text)
      }, failed("writing"))

      return ApiKeyStore.of({ all, find, version, put })
    })
  )
