// Where the records of keys are kept. Files on one machine, Redis on many; both say cheaply whether anything has changed.
import { Context, type Effect, Schema } from "effect"
import type { KeyRecord } from "./ApiKey.ts"

/** The store cannot be read or written now. The detail holds no key and no hash. */
export class ApiKeyStoreError extends Schema.TaggedError<ApiKeyStoreError>()("ApiKeyStoreError", {
  detail: Schema.String
}) {
  override get message(): string {
    return `The store of API keys cannot be used: ${this.detail}`
  }
}

/** The version of a store that nothing was ever written to. */
export const NO_RECORDS = "none"

/** The records of keys. */
export class ApiKeyStore extends Context.Service<
  ApiKeyStore,
  {
    /** Every record there is. */
    readonly all: Effect.Effect<ReadonlyArray<KeyRecord>, ApiKeyStoreError>
    /** Something that is equal as long as no record has changed. */
    readonly version: Effect.Effect<string, ApiKeyStoreError>
    /** Writes one record, new or changed, whole or not at all. */
    readonly put: (record: KeyRecord) => Effect.Effect<void, ApiKeyStoreError>
  }
>()("crypto-data-api/access/ApiKeyStore") {}
