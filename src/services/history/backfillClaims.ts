// Which of several processes with one database runs the backfill, and which fetches a piece that callers of several need.
import { Clock, Effect } from "effect"
import { loop } from "../../domain/loop.ts"
import type { HistoryService } from "../../history/store/History.ts"

/** The lease of the process that runs the backfill: how long it lasts, and how often it is renewed; ms. */
const LEASE = { name: "lease/backfill", lasts: 90_000, renewedEvery: 30_000 }

/** How long the claim of a killed process blocks a piece, and how often others try again; ms. */
const CLAIM = { prefix: "claim/", lasts: 60_000, lookedAtEvery: 250 }

/** The claims of this process. The lease is released when the scope closes. */
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
    /** Takes the backfill lease and renews it; runs `onTaken` each time this process gets it. */
    keepLease: (onTaken: Effect.Effect<void>) =>
      Effect.forkScoped(loop("history: the lease to backfill", LEASE.renewedEvery, takeLease(onTaken))),
    hasLease: (now: number): boolean => heldUntil > now,
    isElsewhere: (now: number): boolean => isTakenElsewhere && heldUntil <= now,
    /** Runs `fetch` while no other process fetches the piece. If one has since `since` (epoch ms), returns that fetch instead. */
    whileClaimed: Effect.fnUntraced(function* <A, E>(piece: string, since: number, fetch: Effect.Effect<A, E>) {
      const name = CLAIM.prefix + piece
      let until = (yield* Clock.currentTimeMillis) + CLAIM.lasts
      while (!(yield* claimed(name, until))) {
        yield* Effect.sleep(CLAIM.lookedAtEvery)
        until = (yield* Clock.currentTimeMillis) + CLAIM.lasts
      }
      // Read after the claim is taken, to see what another process recorded before it released its claim.
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
