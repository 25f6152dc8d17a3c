// Checks the API keys that callers present. All records are held in memory and the store is polled for changes, which
// guarantees:
// - a request waits for the store only if it presents a key before the first read has finished;
// - a new or revoked key takes effect within seconds, without a restart;
// - while the store cannot be read, the records of the last read stay in force.
import { Context, DateTime, Effect, Latch, Layer, Schedule } from "effect"
import { hashOf, isWellFormed, type KeyRecord } from "./ApiKey.ts"
import { ApiKeyStore, ApiKeyStoreError, NO_RECORDS } from "./ApiKeyStore.ts"
import { keyed, type Plan } from "./Plan.ts"

/**
 * The result of checking a presented key. `Unavailable`: no records could be read yet, so nothing is known about the
 * key.
 */
export type Authentication =
  | { readonly _tag: "Valid"; readonly plan: Plan; readonly quotaKey: string }
  | { readonly _tag: "Refused"; readonly reason: "malformed" | "unknown" | "revoked" | "expired" }
  | { readonly _tag: "Unavailable" }

const refused = (
  reason: Extract<Authentication, { readonly _tag: "Refused" }>["reason"]
): Effect.Effect<Authentication> => Effect.succeed({ _tag: "Refused", reason })

/** How often the store is polled for changes. */
const POLL_EVERY = "3 seconds"

/** Checks presented API keys against the stored records. */
export class ApiKeys extends Context.Service<
  ApiKeys,
  {
    /**
     * Checks the text of an `x-api-key` header. `Unavailable` only until the records have been read for the first time.
     */
    readonly authenticate: (presented: string) => Effect.Effect<Authentication>
  }
>()("crypto-data-api/access/ApiKeys") {
  static readonly layerNoDeps: Layer.Layer<ApiKeys, never, ApiKeyStore> = Layer.effect(
    ApiKeys,
    Effect.gen(function* () {
      const store = yield* ApiKeyStore
      let records: ReadonlyMap<string, KeyRecord> | undefined
      // Results by presented key, so that not every request computes a hash. Only keys with a record enter, so it is
      // bounded by the number of records.
      const known = new Map<string, Effect.Effect<Authentication>>()
      let readVersion: string | undefined
      let failing = false

      const poll = Effect.gen(function* () {
        const version = yield* store.version
        // Records are revoked, never deleted: a store that had records and has none was emptied, moved or not mounted.
        if (version === NO_RECORDS && readVersion !== undefined && readVersion !== NO_RECORDS) {
          return yield* new ApiKeyStoreError({ detail: "its records are gone" })
        }
        if (version !== readVersion) {
          const all = yield* store.all
          records = new Map(all.map((record) => [record.hash, record]))
          known.clear()
          readVersion = version
        }
        if (failing) yield* Effect.logInfo("The store of API keys can be used again")
        failing = false
      }).pipe(
        Effect.catch((failure) => {
          const isFirst = !failing
          failing = true
          const consequence =
            records === undefined ? "requests with a key are refused" : "the keys of the last read stay in force"
          return isFirst ? Effect.logWarning(`${failure.message}; until it can, ${consequence}`) : Effect.void
        })
      )
      // The layer does not wait for the first read: thousands of records may take a while, and requests without a key
      // need none.
      const polledOnce = yield* Latch.make()
      yield* poll.pipe(
        Effect.ensuring(polledOnce.open),
        Effect.repeat(Schedule.spaced(POLL_EVERY)),
        Effect.forkScoped({ startImmediately: true })
      )

      const authenticate = (presented: string): Effect.Effect<Authentication> => {
        const result = known.get(presented)
        if (result !== undefined) return result
        if (!isWellFormed(presented)) return refused("malformed")
        if (records !== undefined) return authenticateBy(records, presented)
        return Effect.flatMap(polledOnce.await, () =>
          records === undefined
            ? Effect.succeed<Authentication>({ _tag: "Unavailable" })
            : authenticateBy(records, presented)
        )
      }

      const authenticateBy = (
        records: ReadonlyMap<string, KeyRecord>,
        presented: string
      ): Effect.Effect<Authentication> => {
        const record = records.get(hashOf(presented))
        if (record === undefined) return refused("unknown")
        if (record.revoked !== null) return refused("revoked")
        const { expires } = record
        const valid = Effect.succeed<Authentication>({
          _tag: "Valid",
          plan: keyed[record.plan],
          quotaKey: `key:${record.hash}`
        })
        const result =
          expires === null
            ? valid
            : Effect.flatMap(DateTime.now, (now) =>
                DateTime.isLessThanOrEqualTo(expires, now) ? refused("expired") : valid
              )
        known.set(presented, result)
        return result
      }

      return ApiKeys.of({ authenticate: (presented) => Effect.suspend(() => authenticate(presented)) })
    })
  )

  static readonly layerTest = (service: ApiKeys["Service"]) => Layer.succeed(ApiKeys, service)
}
