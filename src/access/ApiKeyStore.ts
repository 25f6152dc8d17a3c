// The interface of the store of key records and of how often keys were used. `persistence/ApiKeyFiles` keeps files on one machine,
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

/** The most bytes of a stored record. The longest that `keys create` makes has about 1,000. */
export const MOST_BYTES = 16_384

const RecordJson = Schema.fromJsonString(KeyRecord)

export const encodeRecord = Schema.encodeSync(RecordJson)

export const decodeRecord = Schema.decodeOption(RecordJson)

/** Decodes all records. A damaged one must not lock out the holders of other keys: it is logged and left out. */
export const decodeAll = Effect.fnUntraced(function* (texts: ReadonlyArray<string>, name: string) {
  const records = texts.flatMap((text) => Option.toArray(decodeRecord(text)))
  for (let n = records.length; n < texts.length; n++) {
    yield* Effect.logWarning(`${name} is not a key record: the holder of that key needs a new one`)
  }
  return records
})

/** Requests that one process counted on one UTC day (`YYYY-MM-DD`). */
export interface UseBatch {
  /** The process, and the number of its batch: a batch that is added twice counts once. */
  readonly writer: string
  readonly number: number
  readonly day: string
  /** By the hash of the key; `last` is the time of the last request in epoch milliseconds. */
  readonly uses: ReadonlyArray<{ readonly hash: string; readonly requests: number; readonly last: number }>
}

/** How often a key was used: requests by UTC day (`YYYY-MM-DD`), and the time of the last one in epoch milliseconds. */
export interface KeyUse {
  readonly days: Readonly<Record<string, number>>
  readonly last: number
}

/** Stores the records of API keys, and how often they were used. */
export class ApiKeyStore extends Context.Service<
  ApiKeyStore,
  {
    /** All records, revoked and expired ones included. */
    readonly all: Effect.Effect<ReadonlyArray<KeyRecord>, ApiKeyStoreError>
    /** The record with this hash. Always one read; a damaged record counts as absent. */
    readonly find: (hash: string) => Effect.Effect<Option.Option<KeyRecord>, ApiKeyStoreError>
    /** Changes whenever a record changes. Compare for equality only. */
    readonly version: Effect.Effect<string, ApiKeyStoreError>
    /** Creates or replaces one record atomically. */
    readonly put: (record: KeyRecord) => Effect.Effect<void, ApiKeyStoreError>
    readonly addUses: (batch: UseBatch) => Effect.Effect<void, ApiKeyStoreError>
    /** The use of each key on these days, by hash. Keys that were never used are left out. */
    readonly uses: (days: ReadonlyArray<string>) => Effect.Effect<ReadonlyMap<string, KeyUse>, ApiKeyStoreError>
  }
>()("crypto-data-api/access/ApiKeyStore") {}
