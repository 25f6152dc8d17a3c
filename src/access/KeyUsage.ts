// Counts the requests of each API key by day, for the operator. A request adds one to a number in memory; every few seconds the
// numbers go to the store in one batch. A process that is killed loses what it counted since, one that ends loses nothing.
import { Clock, DateTime, Duration, Effect, Random, Semaphore } from "effect"
import { loop } from "../domain/loop.ts"
import * as Warnings from "../domain/Warnings.ts"
import type { ApiKeyStore, UseBatch } from "./ApiKeyStore.ts"

const EVERY = Duration.toMillis("10 seconds")

const DAY = Duration.toMillis("1 day")

/** The number of days, with today, whose requests are kept. */
export const KEPT_DAYS = 30

/** The UTC day of a time in epoch milliseconds, `YYYY-MM-DD`. */
export const dayOf = (millis: number): string => DateTime.formatIsoDateUtc(DateTime.makeUnsafe(millis))

/** The last {@link KEPT_DAYS} days at `now`, today first. */
export const daysAt = (now: number): ReadonlyArray<string> =>
  Array.from({ length: KEPT_DAYS }, (_, n) => dayOf(now - n * DAY))

/** The id of a key in listings and in `keys revoke`: the first 12 characters of its hash. */
export const idOf = (hash: string): string => hash.slice(0, 12)

/** The requests of one key since the last batch. */
export class KeyCounter {
  requests = 0
  last = 0

  /** Counts a request at `now` in epoch milliseconds. */
  count(now: number): void {
    this.requests++
    this.last = now
  }
}

/** Makes counters, and writes to the store what they count until the scope ends. */
export const make = Effect.fnUntraced(function* (store: ApiKeyStore["Service"]) {
  const writer = (yield* Random.nextIntBetween(0, Number.MAX_SAFE_INTEGER)).toString(36)
  const counters = new Map<string, KeyCounter>()
  const turn = yield* Semaphore.make(1)
  // Batches that the store has not taken: one, and one more for each midnight while it cannot be written, up to `KEPT_DAYS`.
  const waiting: Array<UseBatch> = []
  let number = 0
  let since = yield* Clock.currentTimeMillis
  const warn = Warnings.make()

  /** Moves the counts into a batch of their day. */
  const take = (now: number) => {
    const day = dayOf(since)
    if (waiting.length > 0 && day === dayOf(now)) return
    const used = [...counters].filter(([, { requests }]) => requests > 0)
    const uses = used.map(([hash, { last, requests }]) => ({ hash, requests, last }))
    for (const [, counter] of used) counter.requests = 0
    since = now
    if (uses.length > 0) waiting.push({ writer, number: number++, day, uses })
    // The store drops older days too.
    if (waiting.length > KEPT_DAYS) waiting.shift()
  }

  const write = Effect.gen(function* () {
    const now = yield* Clock.currentTimeMillis
    let isBehind = waiting.length > 0
    take(now)
    while (waiting[0] !== undefined) {
      yield* store.addUses(waiting[0])
      waiting.shift()
      yield* warn("store", undefined)
      // What was counted while the store could not be written.
      if (isBehind && waiting.length === 0) {
        isBehind = false
        take(now)
      }
    }
  })

  // Not interrupted, because a batch that is written must not stay in `waiting`.
  const flush = write.pipe(
    Effect.catch(({ message }) => warn("store", `${message}. Until it works, requests by key are counted in memory`)),
    turn.withPermit,
    Effect.uninterruptible
  )

  yield* Effect.addFinalizer(() => flush)
  const untilDue = Effect.flatMap(Clock.currentTimeMillis, (now) => Effect.sleep(Math.min(EVERY, DAY - (now % DAY))))
  yield* Effect.forkScoped(loop("the usage of API keys", 0, Effect.andThen(untilDue, flush)))

  return (hash: string): KeyCounter => {
    const existing = counters.get(hash)
    if (existing !== undefined) return existing
    const counter = new KeyCounter()
    counters.set(hash, counter)
    return counter
  }
})
