// Looks up single keys that are not among the records in memory, so that a key works from the moment it is printed.
// Bounds what wrong keys cost at the store: per client address one look-up at a time and one look-up without a result
// per second. A look-up that finds a record costs nothing, so a burst of new keys is not delayed. The budget of one
// address does not affect another address.
import { Clock, Duration, Effect, Exit, Option, RcMap, Semaphore } from "effect"
import type { ApiKeyStore } from "./ApiKeyStore.ts"

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
 * Makes the look-ups in `store`, with budgets of their own: of the record of a key by its hash, for a client address. `None`: the
 * store has no such record, or had none within the last 10 seconds. `OverBudget`: the budget of the address is used up.
 */
export const make = Effect.fnUntraced(function* (store: ApiKeyStore["Service"]) {
  const missingKeys = makeRecent(Duration.toMillis(MISS_KEPT))
  const waitingAddresses = makeRecent(Duration.toMillis(MISS_EVERY))
  const turns = yield* RcMap.make({ lookup: (_address: string) => Semaphore.make(1) })

  const find = Effect.fn("KeyLookups.find")(function* (hash: string, address: string) {
    const found = yield* Effect.exit(store.find(hash))
    const now = yield* Clock.currentTimeMillis
    if (Exit.isFailure(found) || Option.isNone(found.value)) waitingAddresses.add(address, now)
    if (Exit.isSuccess(found) && Option.isNone(found.value)) missingKeys.add(hash, now)
    return yield* found
  })

  /** Looks up unless the key or the address was refused just now. */
  const unlessRefused = <A, E>(hash: string, address: string, effect: Effect.Effect<A, E>) =>
    Effect.clockWith((clock): Effect.Effect<A | Option.Option<never> | "OverBudget", E> => {
      const now = clock.currentTimeMillisUnsafe()
      if (missingKeys.has(hash, now)) return Effect.succeedNone
      return waitingAddresses.has(address, now) ? Effect.succeed("OverBudget") : effect
    })

  return (hash: string, address: string) => {
    const inTurn = Effect.flatMap(RcMap.get(turns, address), (turn) =>
      turn.withPermit(unlessRefused(hash, address, find(hash, address)))
    )
    return unlessRefused(hash, address, Effect.scoped(inTurn))
  }
})

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
