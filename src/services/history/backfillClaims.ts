// Which of several processes over one record fills it, and which of them fetches a piece that callers of several ask for.
import { Clock, Effect } from "effect"
import type { HistoryService } from "../../history/store/History.ts"

/** How long a process that was killed keeps others from going on, and how often one that lives prolongs its lease; ms. */
const LEASE = { lasts: 90_000, renewedEvery: 30_000 }

/** How long a process that was killed keeps others from the piece that it fetched, and how often they look again; ms. */
const CLAIM = { lasts: 60_000, lookedAtEvery: 250 }

/** The claims of this process. The lease is given back when the scope closes. */
export const make = Effect.fnUntraced(function* (history: HistoryService) {
  let heldUntil = 0
  let isTakenElsewhere = false

  const lease = (until: number) => history.ask(({ lease }) => lease(until, heldUntil))
  const takeLease = (onTaken: Effect.Effect<void>) =>
    Effect.gen(function* () {
      const until = (yield* Clock.currentTimeMillis) + LEASE.lasts
      const isTaken = yield* lease(until)
      if (isTaken && heldUntil === 0) yield* onTaken
      isTakenElsewhere = !isTaken
      heldUntil = isTaken ? until : 0
    }).pipe(Effect.ignore)
  yield* Effect.addFinalizer(() => (heldUntil === 0 ? Effect.void : Effect.ignore(lease(0))))

  /** Claims a piece until the time that it gives, or gives how another process fetched it meanwhile. */
  const claimed = Effect.fnUntraced(function* (name: string, since: number) {
    while (true) {
      const until = (yield* Clock.currentTimeMillis) + CLAIM.lasts
      const found = yield* history.ask(({ claim }) => claim(name, until, since))
      if (found === true) return until
      if (found !== false) return found
      yield* Effect.sleep(CLAIM.lookedAtEvery)
    }
  })

  return {
    /** Takes the lease to fill the record, and keeps it; runs `onTaken` when it is taken from another process, or at first. */
    keepLease: (onTaken: Effect.Effect<void>) =>
      takeLease(onTaken).pipe(Effect.andThen(Effect.sleep(LEASE.renewedEvery)), Effect.forever, Effect.forkScoped),
    hasLease: (now: number): boolean => heldUntil > now,
    isElsewhere: (now: number): boolean => isTakenElsewhere && heldUntil <= now,
    /** Runs `fetch` while no other process fetches the piece. Where one did so since a time, gives how it was fetched instead. */
    whileClaimed: <A, E>(name: string, since: number | undefined, fetch: Effect.Effect<A, E>) =>
      Effect.gen(function* () {
        const until = yield* claimed(name, since ?? -1)
        if (typeof until !== "number") return until
        yield* Effect.ensuring(fetch, Effect.ignore(history.ask(({ unclaim }) => unclaim(name, until))))
        return undefined
      })
  }
})
