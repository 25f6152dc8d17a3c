// The interface of the store of key records. `persistence/ApiKeyFiles` keeps files on one machine,
// `persistence/ApiKeyRedis` shares them between replicas. `version` makes it cheap to poll for changes.
import { Context, Effect, Option, Schema } from "effect"
import { KeyRecord } from "./ApiKey.ts"

/** The store cannot be read or written. `detail` contains no key and no hash. */
export class ApiKeyStoreError extends Schema.TaggedError<ApiKeyStoreError>()("ApiKeyStoreError", {
  detail: Schema.String
}) {
  override get message(): string {
    return `The store of API keys cannot be used: ${this.detail}`
  }
}

/** The version of a store that was never written to. */
export const NO_RECORDS = "none"

const RecordJson = Schema.fromJsonString(KeyRecord)

export const encodeRecord = Schema.encodeSync(RecordJson)

export const decodeRecord = Schema.decodeOption(RecordJson)

/** Decodes all records. A damaged one must not lock out the holders of other keys: it is logged and left out. */
export const decodeAll = Effect.fnUntraced(function* (texts: ReadonlyArray<string>, name: string) {
  const records = texts.flatMap((text) => Option.toArray(decodeRecord(text)))
  for (let n = records.length; n < texts.length; n++) {
    yield* Effect.logWarning(`${name} is not a key record and is left out`)
  }
  return records
})

/** Stores the records of API keys. */
export class ApiKeyStore extends Context.Service<
  ApiKeyStore,
  {
    /** All records, revoked and expired ones included. */
    readonly all: Effect.Effect<ReadonlyArray<KeyRecord>, ApiKeyStoreError>
    /** The record with this hash. One read, whatever the number of records; a damaged record counts as absent. */
    readonly find: (hash: string) => Effect.Effect<Option.Option<KeyRecord>, ApiKeyStoreError>
    /** Changes whenever a record changes. Compare for equality only. */
    readonly version: Effect.Effect<string, ApiKeyStoreError>
    /** Creates or replaces one record atomically. */
    readonly put: (record: KeyRecord) => Effect.Effect<void, ApiKeyStoreError>
  }
>()("crypto-data-api/access/ApiKeyStore") {}
