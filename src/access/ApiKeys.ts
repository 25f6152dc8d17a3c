// Whose key a key is. All records are held in memory and read again within seconds of a change, so that a request never waits
// for a disk or for Redis, a new or revoked key counts without a restart, and the keys known last go on when the store is away.
import { Context, DateTime, Effect, Layer, Schedule } from "effect"
import { hashOf, isWellFormed, type KeyRecord } from "./ApiKey.ts"
import { ApiKeyStore, ApiKeyStoreError, NO_RECORDS } from "./ApiKeyStore.ts"
import { keyed, type Plan } from "./Plan.ts"

/** What a text in `x-api-key` turns out to be. */
export type Verdict =
  | { readonly _tag: "Valid"; readonly plan: Plan; readonly quotaKey: string }
  | { readonly _tag: "Refused"; readonly reason: "malformed" | "unknown" | "revoked" | "expired" }
  | { readonly _tag: "Unavailable" }

/** How often the store is asked whether anything changed. */
const LOOK_EVERY = "3 seconds"

/** The keys. */
export class ApiKeys extends Context.Service<
  ApiKeys,
  {
    /** Judges what a caller presents. `Unavailable` only while the records have never been read. */
    readonly judge: (presented: string) => Effect.Effect<Verdict>
  }
>()("crypto-data-api/access/ApiKeys") {
  static readonly layerNoDeps: Layer.Layer<ApiKeys, never, ApiKeyStore> = Layer.effect(
    ApiKeys,
    Effect.gen(function* () {
      const store = yield* ApiKeyStore
      let records: ReadonlyMap<string, KeyRecord> | undefined
      let readVersion: string | undefined
      let failing = false

      const look = Effect.gen(function* () {
        const version = yield* store.version
        // Records are revoked, never deleted: a store without any that had some was emptied, moved or not mounted.
        if (version === NO_RECORDS && readVersion !== undefined && readVersion !== NO_RECORDS) {
          return yield* new ApiKeyStoreError({ detail: "its records are gone" })
        }
        if (version !== readVersion) {
          const all = yield* store.all
          records = new Map(all.map((record) => [record.hash, record]))
          readVersion = version
        }
        if (failing) yield* Effect.logInfo("The store of API keys can be used again")
        failing = false
      }).pipe(
        Effect.catch((failure) => {
          const isNews = !failing
          failing = true
          const consequence = records === undefined ? "requests with a key are refused" : "the keys known last go on"
          return isNews ? Effect.logWarning(`${failure.message}; until it can, ${consequence}`) : Effect.void
        })
      )
      yield* look
      yield* look.pipe(Effect.repeat(Schedule.spaced(LOOK_EVERY)), Effect.delay(LOOK_EVERY), Effect.forkScoped)

      const judge = (presented: string): Effect.Effect<Verdict> => {
        if (!isWellFormed(presented)) return Effect.succeed({ _tag: "Refused", reason: "malformed" })
        if (records === undefined) return Effect.succeed({ _tag: "Unavailable" })
        const record = records.get(hashOf(presented))
        if (record === undefined) return Effect.succeed({ _tag: "Refused", reason: "unknown" })
        return Effect.map(DateTime.now, (now): Verdict => {
          if (record.revoked !== null) return { _tag: "Refused", reason: "revoked" }
          if (record.expires !== null && DateTime.isLessThanOrEqualTo(record.expires, now)) {
            return { _tag: "Refused", reason: "expired" }
          }
          return { _tag: "Valid", plan: keyed[record.plan], quotaKey: `key:${record.hash}` }
        })
      }

      return ApiKeys.of({ judge: (presented) => Effect.suspend(() => judge(presented)) })
    })
  )

  static readonly layerTest = (service: ApiKeys["Service"]) => Layer.succeed(ApiKeys, service)
}
