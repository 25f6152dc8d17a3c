// Stores key records in `DATA_DIR/keys`, one file per key. Writes are atomic (see `FileStore`), so several processes
// may use the directory at once. Request counts per key are in one file beside it. The server that has the lock of `DATA_DIR`
// writes it, and no other process. A file that is no regular one, or too large, counts as damaged and is not read.
import { Clock, Effect, FileSystem, Layer, Option, Path, type PlatformError, Schema } from "effect"
import type { KeyRecord } from "../access/ApiKey.ts"
import * as Store from "../access/ApiKeyStore.ts"
import { daysAt } from "../access/KeyUsage.ts"
import { explained, makeWriter } from "./FileStore.ts"

/** Two changes within this time (ms) may get the same modification time: file systems round it. */
const SETTLED_AFTER = 2_000

const NAME = /^[0-9a-f]{64}\.json$/

const USES = "key-usage.json"

/** The most bytes of {@link USES}: about 20,000 keys that are used every day. */
const MOST_BYTES_OF_USES = 16 * 1024 * 1024

/** Requests by UTC day and the time of the last one in epoch milliseconds, by the hash of the key. */
const Uses = Schema.fromJsonString(
  Schema.Record(
    Schema.String,
    Schema.Struct({ days: Schema.Record(Schema.String, Schema.Finite), last: Schema.Finite })
  )
)

const encodeUses = Schema.encodeEffect(Uses)

const usesOn = (asked: ReadonlySet<string>, days: Store.KeyUse["days"]): Store.KeyUse["days"] =>
  Object.fromEntries(Object.entries(days).filter(([day]) => asked.has(day)))

/** Stores records in `directory`, which the first write creates, and request counts in `key-usage.json` beside it. */
export const layer = (directory: string): Layer.Layer<Store.ApiKeyStore, never, FileSystem.FileSystem | Path.Path> =>
  Layer.effect(
    Store.ApiKeyStore,
    Effect.gen(function* () {
      const files = yield* FileSystem.FileSystem
      const path = yield* Path.Path

      const write = yield* makeWriter

      const failed = (what: string) =>
        Effect.mapError((failure: PlatformError.PlatformError) => {
          const { advice, code } = explained(failure)
          return new Store.ApiKeyStoreError({ detail: `${what} in ${directory} fails (${code}). ${advice}` })
        })

      /** The text of a file of at most `most` bytes; empty for another entry. */
      const readUpTo = Effect.fnUntraced(function* (file: string, most: number) {
        const { size, type } = yield* files.stat(file)
        return type === "File" && size <= most ? yield* files.readFileString(file) : ""
      })
      const read = (name: string) => readUpTo(path.join(directory, name), Store.MOST_BYTES)

      const all = Effect.gen(function* () {
        if (!(yield* files.exists(directory))) return []
        const names = (yield* files.readDirectory(directory)).filter((name) => NAME.test(name))
        const texts = yield* Effect.forEach(names, read, { concurrency: 16 })
        return yield* Store.decodeAll(texts, `a key file in ${directory}`)
      }).pipe(failed("reading"))

      const find = (hash: string) =>
        read(`${hash}.json`).pipe(
          Effect.map(Store.decodeRecord),
          Effect.catchIf(
            ({ reason }) => reason._tag === "NotFound",
            () => Effect.succeedNone
          ),
          failed("reading")
        )

      // The version is the modification time of the directory, which every rename into it changes. Another change soon
      // after could get the same time, so until then the version includes the current time, and the next poll reads
      // again.
      const version = Effect.gen(function* () {
        if (!(yield* files.exists(directory))) return Store.NO_RECORDS
        const { mtime } = yield* files.stat(directory)
        const changed = Option.match(mtime, { onNone: () => 0, onSome: (time) => time.getTime() })
        const now = yield* Clock.currentTimeMillis
        return now - changed > SETTLED_AFTER ? String(changed) : `${changed} at ${now}`
      }).pipe(failed("checking for changes"))

      const put = Effect.fn("ApiKeyFiles.put")((record: KeyRecord) =>
        failed("writing")(write(directory, `${record.hash}.json`, Store.encodeRecord(record)))
      )

      const beside = path.dirname(directory)
      const failedUses = Effect.mapError(
        () =>
          new Store.ApiKeyStoreError({
            detail: `${path.join(beside, USES)} cannot be read or written. Check it and its disk`
          })
      )

      const readUses = readUpTo(path.join(beside, USES), MOST_BYTES_OF_USES).pipe(
        Effect.catchIf(
          ({ reason }) => reason._tag === "NotFound",
          () => Effect.succeed("{}")
        ),
        Effect.flatMap((text) =>
          Schema.decodeEffect(Uses)(text).pipe(
            Effect.catch(() =>
              Effect.as(
                Effect.logWarning(`${USES} is damaged or too large: the requests of each key are counted from 0 again`),
                {}
              )
            )
          )
        )
      )

      const addUses = Effect.fn("ApiKeyFiles.addUses")(function* ({ day, uses }: Store.UseBatch) {
        const kept = new Set([...daysAt(yield* Clock.currentTimeMillis), day])
        const merged = new Map<string, Store.KeyUse>(Object.entries(yield* readUses))
        for (const { hash, last, requests } of uses) {
          const { days, last: before } = merged.get(hash) ?? { days: {}, last: 0 }
          merged.set(hash, { days: { ...days, [day]: (days[day] ?? 0) + requests }, last: Math.max(before, last) })
        }
        const recent = [...merged].map(([hash, { days, last }]) => [hash, { days: usesOn(kept, days), last }] as const)
        yield* write(beside, USES, yield* encodeUses(Object.fromEntries(recent)))
      }, failedUses)

      const uses = Effect.fnUntraced(function* (wanted: ReadonlyArray<string>) {
        const asked = new Set(wanted)
        const recorded = Object.entries(yield* readUses)
        return new Map(recorded.map(([hash, { days, last }]) => [hash, { days: usesOn(asked, days), last }] as const))
      }, failedUses)

      return Store.ApiKeyStore.of({ all, find, version, put, addUses, uses })
    })
  )
