// Checks the API keys that callers present. All records are kept in memory, and the store is polled for changes. A
// well-formed key without a record in memory is looked up in the store. This guarantees
// (`test/access/ApiKeys.test.ts`):
// - a new key works at once, a revoked one stops within seconds, both without a restart;
// - a request waits for the store only for such a look-up, or for the first read of all records;
// - wrong keys cost at most one look-up per second and client address (see `KeyLookups`); further keys of that address wait for
//   the store's version, which is read once for all that wait, so that a new key among them is still found;
// - while the store cannot be read, the records of the last read stay in force.
import { Clock, Context, Deferred, Effect, Latch, Layer, Option, Semaphore } from "effect"
import { loop } from "../domain/loop.ts"
import * as Warnings from "../domain/Warnings.ts"
import { hashOf, isWellFormed, type KeyRecord } from "./ApiKey.ts"
import { ApiKeyStore, ApiKeyStoreError, NO_RECORDS } from "./ApiKeyStore.ts"
import * as KeyLookups from "./KeyLookups.ts"
import * as KeyUsage from "./KeyUsage.ts"
import { type Plan, Plans } from "./Plan.ts"

/**
 * The result of checking a presented key. `Unavailable`: the key has no record in memory and the store cannot be read,
 * so nothing is known about it.
 */
export type Authentication =
  | ValidKey
  | { readonly _tag: "Refused"; readonly reason: "malformed" | "unknown" | "revoked" | "expired" }
  | { readonly _tag: "Unavailable" }

/** The plan of a valid key, and what its requests are counted under: for the limit, and for the operator. */
export interface ValidKey {
  readonly _tag: "Valid"
  readonly plan: Plan
  readonly quotaKey: string
  readonly usage: KeyUsage.KeyCounter
}

const refused = (reason: Extract<Authentication, { readonly _tag: "Refused" }>["reason"]): Authentication => ({
  _tag: "Refused",
  reason
})

const unavailable: Authentication = { _tag: "Unavailable" }

const POLL_EVERY = "3 seconds"

/** Of two readings of a record the later one, in any order of arrival: a revocation is never taken back. */
const latest = (record: KeyRecord, other: KeyRecord | undefined): KeyRecord =>
  other !== undefined && record.revoked === null ? other : record

export class ApiKeys extends Context.Service<
  ApiKeys,
  {
    /**
     * Checks the text of an `x-api-key` header. `addressOf` returns the client address whose budget a look-up in the
     * store uses; it is called only if one may be needed.
     */
    readonly authenticate: (presented: string, addressOf: () => string) => Effect.Effect<Authentication>
    /** The same for a valid key that was checked before, without a fiber; else `undefined`. `now` in epoch milliseconds. */
    readonly known: (presented: string, now: number) => ValidKey | undefined
  }
>()("crypto-data-api/access/ApiKeys") {
  static readonly layerNoDeps: Layer.Layer<ApiKeys, never, ApiKeyStore> = Layer.effect(
    ApiKeys,
    Effect.gen(function* () {
      const store = yield* ApiKeyStore
      const { limits } = yield* Plans
      const lookUp = yield* KeyLookups.make(store)
      const counterOf = yield* KeyUsage.make(store)
      let records: Map<string, KeyRecord> | undefined
      // Found by look-ups since the last read began; that read may have missed them.
      const found = new Map<string, KeyRecord>()
      // Valid keys as they were presented, so that not every request computes a hash. Bounded by the number of records.
      const known = new Map<string, { readonly valid: ValidKey; readonly until: number }>()
      let readVersion: string | undefined
      let failing = false

      const warn = Warnings.make()
      const noteFailure = ({ message }: ApiKeyStoreError) => {
        failing = true
        const consequence =
          records === undefined ? "requests with a key are refused" : "the keys of the last read stay valid"
        return warn("store", `${message}. Until it works, ${consequence}`)
      }

      const poll = Effect.gen(function* () {
        const version = yield* store.version
        // Records are revoked, never deleted: a store that had records and has none was emptied, moved or not mounted.
        if (version === NO_RECORDS && readVersion !== undefined && readVersion !== NO_RECORDS) {
          return yield* new ApiKeyStoreError({ detail: "all its records are gone. Was it emptied, or moved?" })
        }
        if (version !== readVersion) {
          found.clear()
          const all = yield* store.all
          const read = new Map(all.map((record) => [record.hash, record]))
          for (const [hash, record] of found) read.set(hash, latest(record, read.get(hash)))
          records = read
          known.clear()
          readVersion = version
        }
        if (yield* warn("store", undefined)) yield* Effect.logInfo("The store of API keys works again")
        failing = false
      }).pipe(Effect.catch(noteFailure))
      // At most one poll on demand runs, and one waits for its end: the next that begins after a request sees every key that was
      // printed before it.
      const turn = yield* Semaphore.make(1)
      const scope = yield* Effect.scope
      let next: Deferred.Deferred<void> | undefined
      const pollNow = Effect.suspend(() => {
        if (next !== undefined) return Deferred.await(next)
        const polled = Deferred.makeUnsafe<void>()
        next = polled
        const begin = Effect.sync(() => (next = undefined))
        return Effect.andThen(begin, poll).pipe(
          turn.withPermit,
          Effect.ensuring(Deferred.succeed(polled, undefined)),
          Effect.forkIn(scope),
          Effect.andThen(Deferred.await(polled))
        )
      })
      // The layer does not wait for the first read: thousands of records may take a while, and requests without a key
      // need none.
      const polledOnce = yield* Latch.make()
      yield* loop("the store of API keys", POLL_EVERY, Effect.ensuring(poll, polledOnce.open)).pipe(
        Effect.forkScoped({ startImmediately: true })
      )

      /** Keeps the result for the next request with the same key, until a record changes. */
      const authenticate = Effect.fnUntraced(function* (
        presented: string,
        addressOf: () => string
      ): Effect.fn.Return<Authentication> {
        const clock = yield* Clock.Clock
        if (records === undefined) yield* polledOnce.await
        if (records === undefined) return unavailable
        const hash = hashOf(presented)
        const record = records.get(hash) ?? (yield* findNew(hash, addressOf()))
        if (record === undefined) return failing ? unavailable : refused("unknown")
        if (record.revoked !== null) return refused("revoked")
        const until = record.expires?.epochMilliseconds ?? Infinity
        // In the same turn of the event loop, because a change of the record drops the cached entry.
        if (until <= clock.currentTimeMillisUnsafe()) return refused("expired")
        const valid: ValidKey = {
          _tag: "Valid",
          plan: { name: record.plan, limit: record.limit ?? limits[record.plan] },
          quotaKey: `key:${hash}`,
          usage: counterOf(hash)
        }
        known.set(presented, { valid, until })
        return valid
      })

      const findNew = Effect.fnUntraced(function* (hash: string, address: string) {
        const answer = yield* Effect.catch(lookUp(hash, address), (failure) =>
          Effect.as(noteFailure(failure), Option.none())
        )
        if (answer === "OverBudget") {
          yield* pollNow
          return records?.get(hash)
        }
        const looked = Option.getOrUndefined(answer)
        // All records may have been read while the look-up was under way.
        const record = looked === undefined ? records?.get(hash) : latest(looked, records?.get(hash))
        if (record === undefined) return undefined
        found.set(hash, record)
        records?.set(hash, record)
        return record
      })

      const knownAt = (presented: string, now: number): ValidKey | undefined => {
        const checked = known.get(presented)
        return checked !== undefined && now < checked.until ? checked.valid : undefined
      }

      return ApiKeys.of({
        authenticate: (presented, addressOf) =>
          Effect.clockWith((clock) => {
            const valid = knownAt(presented, clock.currentTimeMillisUnsafe())
            if (valid !== undefined) return Effect.succeed(valid)
            return isWellFormed(presented) ? authenticate(presented, addressOf) : Effect.succeed(refused("malformed"))
          }),
        known: knownAt
      })
    })
  )

  static readonly layerTest = (service: ApiKeys["Service"]) => Layer.succeed(ApiKeys, service)
}
