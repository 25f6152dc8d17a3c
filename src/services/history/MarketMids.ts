// A P2P market's mids of the last 25 hours, one per five minutes, for the change over 24 hours. They are saved, so that a restart keeps
// them, and shared by replicas: each adds its own to the saved ones, and for the same five minutes the one saved first stays.
import { DateTime, Effect, Option, Schedule, Schema } from "effect"
import type { P2pMarket } from "../../domain/P2pMarket.ts"
import type { Snapshot } from "../../domain/Snapshot.ts"
import * as SeriesName from "../../history/store/SeriesName.ts"
import * as SnapshotStore from "../../sources/dataset/SnapshotStore.ts"
import { VersionedRef, read } from "../refresh/Dependencies.ts"
import type { Unavailable } from "../refresh/Unavailable.ts"

const MINUTE = 60_000
const DAY = 1440 * MINUTE

/** A mid counts as that of 24 hours ago when it is up to this much older, ms. */
const TOLERANCE = 30 * MINUTE

const KEPT_FOR = 1500 * MINUTE

/** One mid is kept in each slot of so many ms. */
const SLOT = 5 * MINUTE

const Mid = Schema.Struct({
  at: Schema.DateTimeUtcFromString,
  mid: Schema.Finite.check(Schema.isGreaterThan(0))
})

type Mid = typeof Mid.Type

const Mids = Schema.Array(Mid)

/**
 * Starts recording `mid` each minute; `origin` says which sources it comes from. Returns the change of a mid over 24 hours in
 * percent, where a mid of that time is recorded.
 */
export const make = Effect.fnUntraced(function* (
  { fiat, savedAs }: P2pMarket,
  origin: string,
  mid: Effect.Effect<Snapshot<number>, Unavailable>
) {
  const name = `${SeriesName.p2p(fiat).replace("/", "-").toLowerCase()}-mids`
  const kept = yield* SnapshotStore.make(savedAs?.mids ?? `${fiat} mids`, {
    name,
    origin,
    schema: Mids
  })
  const bySlot = new Map<number, Mid>()
  const dayOld = new VersionedRef<Mid | undefined>(undefined)
  const slotOf = (at: DateTime.Utc) => Math.floor(at.epochMilliseconds / SLOT)
  const ageOf = (at: DateTime.Utc, now: Snapshot<number>) => now.observedAt.epochMilliseconds - at.epochMilliseconds
  const inOrder = () => [...bySlot.values()].toSorted((a, b) => DateTime.Order(a.at, b.at))

  const takeSaved = Effect.map(kept.restore, (saved) => {
    if (typeof saved !== "string") for (const one of saved.value) bySlot.set(slotOf(one.at), one)
  })

  const remember = Effect.gen(function* () {
    const now = yield* mid
    const slot = slotOf(now.observedAt)
    if (!bySlot.has(slot)) {
      bySlot.set(slot, { at: now.observedAt, mid: now.value })
      yield* takeSaved
      for (const [old, { at }] of bySlot) if (ageOf(at, now) >= KEPT_FOR) bySlot.delete(old)
      yield* kept.save({ ...now, value: inOrder() })
    }
    // The youngest of those that are at least a day old.
    dayOld.replace(inOrder().findLast(({ at }) => ageOf(at, now) >= DAY))
  })

  yield* remember.pipe(
    Effect.ignore,
    Effect.repeat(Schedule.spaced("1 minute")),
    (remembering) => Effect.andThen(takeSaved, remembering),
    Effect.forkScoped({ startImmediately: true })
  )

  return (now: Snapshot<number>) =>
    Effect.map(read(dayOld), (then) =>
      then === undefined || ageOf(then.at, now) >= DAY + TOLERANCE
        ? Option.none()
        : Option.some((now.value / then.mid - 1) * 100)
    )
})
