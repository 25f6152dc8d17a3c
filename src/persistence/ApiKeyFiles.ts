// Key records as files, one each, in `DATA_DIR/keys`. A record is written to a temporary file, made durable and renamed over the
// old one, so that at any moment, killed or not, a reader finds the old record or the new one and never a part of either.
import { Clock, Effect, FileSystem, Layer, Option, Path, Schema } from "effect"
import { KeyRecord } from "../access/ApiKey.ts"
import { ApiKeyStore, ApiKeyStoreError, NO_RECORDS } from "../access/ApiKeyStore.ts"
import { makeWriter } from "./FileStore.ts"

const RecordJson = Schema.fromJsonString(KeyRecord)

/** File systems keep times in steps of some milliseconds; after this many no two changes share one. */
const SETTLED_AFTER = 2_000

const NAME = /^[0-9a-f]{64}\.json$/

/** Keeps records under `directory`, which is made when the first one is written. */
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
          // One damaged file must not lock every caller out; who holds its key is told that the key is unknown.
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

      // Renaming a file into a directory changes the directory's own time. A time so recent that a second change could
      // still get the same one is no version yet: it is told apart by the moment of asking, and read again next time.
      const version = Effect.gen(function* () {
        if (!(yield* files.exists(directory))) return NO_RECORDS
        const { mtime } = yield* files.stat(directory)
        const changed = Option.match(mtime, { onNone: () => 0, onSome: (time) => time.getTime() })
        const now = yield* Clock.currentTimeMillis
        return now - changed > SETTLED_AFTER ? String(changed) : `${changed} at ${now}`
      }).pipe(failed("looking"))

      const put = Effect.fn("ApiKeyFiles.put")(function* (record: KeyRecord) {
        const text = yield* Effect.orDie(Schema.encodeEffect(RecordJson)(record))
        yield* write(directory, `${record.hash}.json`, text)
      }, failed("writing"))

      return ApiKeyStore.of({ all, version, put })
    })
  )
