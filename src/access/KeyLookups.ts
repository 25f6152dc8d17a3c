// Looks up single keys that are not among the records in memory, so that a key works from the moment it is printed.
// Bounds what wrong keys cost at the store: per client address one look-up at a time and one look-up without a result
// per second. A look-up that finds a record costs nothing, so a burst of new keys is not delayed. The budget of one
// address does not affect another address.
import { Clock, Duration, Effect, Exit, Option, Semaphore } from "effect"
import type { KeyRecord } from "./ApiKey.ts"
import type { ApiKeyStore, ApiKeyStoreError } from "./ApiKeyStore.ts"

/** How long an address waits for its next look-up after one without a result. */
const MISS_EVERY = Duration.seconds(1)

/**
 * How long a missing key is not looked up again. A record is stored before its key is printed, so no new key is
 * affected. A client that repeats one wrong key leaves the budget of its address to others.
 */
const MISS_KEPT = Duration.seconds(10)

/** The largest number of addresses and of missing keys that are remembered. */
const MAX_REMEMBERED = 10_000

/**
 * Looks up the record of a key by its hash, for a client address. `None`: the store has no such record, or the budget
 * of the address is used up.
 */
export type KeyLookups = (hash: string, address: string) => Effect.Effect<Option.Option<KeyRecord>, ApiKeyStoreError>

/** Makes the look-ups in `store`, with budgets of their own. */
export const make = (store: ApiKeyStore["Service"]): KeyLookups => {
  const missingKeys = makeRecent(Duration.toMillis(MISS_KEPT))
  const waitingAddresses = makeRecent(Duration.toMillis(MISS_EVERY))
  const turns = new Map<string, { readonly semaphore: Semaphore.Semaphore; users: number }>()

  const isRefused = (hash: string, address: string, now: number) =>
    waitingAddresses.has(address, now) || missingKeys.has(hash, now)

  const find = Effect.fn("KeyLookups.find")(function* (hash: string, address: string) {
    const found = yield* Effect.exit(store.find(hash))
    const now = yield* Clock.currentTimeMillis
    if (Exit.isFailure(found) || Option.isNone(found.value)) waitingAddresses.add(address, now)
    if (Exit.isSuccess(found) && Option.isNone(found.value)) missingKeys.add(hash, now)
    return yield* found
  })

  const lookUp = (hash: string, address: string) =>
    Effect.clockWith((clock) =>
      isRefused(hash, address, clock.currentTimeMillisUnsafe()) ? Effect.succeedNone : find(hash, address)
    )

  return (hash, address) =>
    Effect.clockWith((clock) => {
      if (isRefused(hash, address, clock.currentTimeMillisUnsafe())) return Effect.succeedNone
      const turn = turns.get(address) ?? { semaphore: Semaphore.makeUnsafe(1), users: 0 }
      turns.set(address, turn)
      turn.users++
      const leave = Effect.sync(() => {
        if (--turn.users === 0) turns.delete(address)
      })
      return Effect.ensuring(turn.semaphore.withPermit(lookUp(hash, address)), leave)
    })
}

/** Remembers texts for `millis`, at most `MAX_REMEMBERED`; the oldest are dropped first. Times are epoch milliseconds. */
const makeRecent = (millis: number) => {
  const times = new Map<string, number>()
  // A time in the future was remembered before the clock was set back. It does not count.
  const isRecent = (time: number | undefined, now: number) => time !== undefined && time <= now && now - time < millis
  return {
    has: (text: string, now: number): boolean => isRecent(times.get(text), now),
    add: (text: string, now: number): void => {
      times.delete(text)
      times.set(text, now)
      for (const [oldest, time] of times) {
        if (isRecent(time, now) && times.size <= MAX_REMEMBERED) break
        times.delete(oldest)
      }
    }
  }
}
