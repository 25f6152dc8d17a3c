// Which of several processes over one record fills it, and which of them fetches a piece that callers of several ask for.
import { Clock, Effect } from "effect"
import type { HistoryService } from "../../history/store/History.ts"

/** The claim of the process that fills the record: how long it lasts, and how often it is prolonged; ms. */
const LEASE = { name: "lease/backfill", lasts: 90_000, renewedEvery: 30_000 }

/** How long a process that was killed keeps others from the piece that it fetched, and how often they look again; ms. */
const CLAIM = { prefix: "claim/", lasts: 60_000, lookedAtEvery: 250 }

/** The claims of this process. The lease is given back when the scope closes. */
export const make = Effect.fnUntraced(function* (history: HistoryService) {
  let heldUntil = 0
  let isTakenElsewhere = false

  const claimed = (name: string, until: number, claimedUntil?: number) =>
    history.ask(({ claim }) => claim(name, until, claimedUntil))
  const unclaimed = (name: string, until: number) => Effect.ignore(history.ask(({ unclaim }) => unclaim(name, until)))

  const takeLease = (onTaken: Effect.Effect<void>) =>
    Effect.gen(function* () {
      const until = (yield* Clock.currentTimeMillis) + LEASE.lasts
      const isTaken = yield* claimed(LEASE.name, until, heldUntil)
      if (isTaken && heldUntil === 0) yield* onTaken
      isTakenElsewhere = !isTaken
      heldUntil = isTaken ? until : 0
    }).pipe(Effect.ignore)
  yield* Effect.addFinalizer(() => (heldUntil === 0 ? Effect.void : unclaimed(LEASE.name, heldUntil)))

  return {
    /** Takes the lease to fill the record, and keeps it; runs `onTaken` when it is taken from another process, or at first. */
    keepLease: (onTaken: Effect.Effect<void>) =>
      takeLease(onTaken).pipe(Effect.andThen(Effect.sleep(LEASE.renewedEvery)), Effect.forever, Effect.forkScoped),
    hasLease: (now: number): boolean => heldUntil > now,
    isElsewhere: (now: number): boolean => isTakenElsewhere && heldUntil <= now,
    /** Runs `fetch` while no other process fetches the piece. Where one did so since a time, gives how it was fetched instead. */
    whileClaimed: Effect.fnUntraced(function* <A, E>(piece: string, since: number, fetch: Effect.Effect<A, E>) {
      const name = CLAIM.prefix + piece
      let until = (yield* Clock.currentTimeMillis) + CLAIM.lasts
      while (!(yield* claimed(name, until))) {
        yield* Effect.sleep(CLAIM.lookedAtEvery)
        until = (yield* Clock.currentTimeMillis) + CLAIM.lasts
      }
      // Read after the claim is taken: what another process recorded before it gave its claim back is seen.
      const unlessFetched = Effect.gen(function* () {
        const found = (yield* history.ask(({ pieces }) => pieces(piece))).get(piece)
        if (found !== undefined && found.fetchedAt > since) return found
        yield* fetch
        return undefined
      })
      return yield* Effect.ensuring(unlessFetched, unclaimed(name, until))
    })
  }
})
