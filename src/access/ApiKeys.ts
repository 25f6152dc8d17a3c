// Whose key a key is. All records are held in memory and read again within seconds of a change. So no request waits for a disk or
// for Redis but those with a key before the first reading has ended, a new or revoked key counts without a restart, and the keys
// known last go on when the store is away.
import { Context, DateTime, Effect, Latch, Layer, Schedule } from "effect"
import { hashOf, isWellFormed, type KeyRecord } from "./ApiKey.ts"
import { ApiKeyStore, ApiKeyStoreError, NO_RECORDS } from "./ApiKeyStore.ts"
import { keyed, type Plan } from "./Plan.ts"

/** What a text in `x-api-key` turns out to be. */
export type Verdict =
  | { readonly _tag: "Valid"; readonly plan: Plan; readonly quotaKey: string }
  | { readonly _tag: "Refused"; readonly reason: "malformed" | "unknown" | "revoked" | "expired" }
  | { readonly _tag: "Unavailable" }

const refused = (reason: Extract<Verdict, { readonly _tag: "Refused" }>["reason"]): Effect.Effect<Verdict> =>
  Effect.succeed({ _tag: "Refused", reason })

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
      // Keys that have been presented and are known, so that not each request is hashed. Never more than there are records.
      const live = new Map<string, Effect.Effect<Verdict>>()
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
          live.clear()
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
      // Nobody waits for thousands of records but who presents a key before they have been read.
      const looked = yield* Latch.make()
      yield* look.pipe(
        Effect.ensuring(looked.open),
        Effect.repeat(Schedule.spaced(LOOK_EVERY)),
        Effect.forkScoped({ startImmediately: true })
      )

      const judge = (presented: string): Effect.Effect<Verdict> => {
        const known = live.get(presented)
        if (known !== undefined) return known
        if (!isWellFormed(presented)) return refused("malformed")
        if (records !== undefined) return judgeBy(records, presented)
        return Effect.flatMap(looked.await, () =>
          records === undefined ? Effect.succeed<Verdict>({ _tag: "Unavailable" }) : judgeBy(records, presented)
        )
      }

      const judgeBy = (records: ReadonlyMap<string, KeyRecord>, presented: string): Effect.Effect<Verdict> => {
        const record = records.get(hashOf(presented))
        if (record === undefined) return refused("unknown")
        if (record.revoked !== null) return refused("revoked")
        const { expires } = record
        const valid = Effect.succeed<Verdict>({
          _tag: "Valid",
          plan: keyed[record.plan],
          quotaKey: `key:${record.hash}`
        })
        const verdict =
          expires === null
            ? valid
            : Effect.flatMap(DateTime.now, (now) =>
                DateTime.isLessThanOrEqualTo(expires, now) ? refused("expired") : valid
              )
        live.set(presented, verdict)
        return verdict
      }

      return ApiKeys.of({ judge: (presented) => Effect.suspend(() => judge(presented)) })
    })
  )

  static readonly layerTest = (service: ApiKeys["Service"]) => Layer.succeed(ApiKeys, service)
}
