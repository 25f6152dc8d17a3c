// The naira's mids of the last day and an hour, one in five minutes, so that it is known what the mid was a day ago: also after a
// restart, and by several processes alike. Each puts what it saw to what is saved; where two saw the same five minutes, what was
// saved first stands.
import { DateTime, Duration, Effect, Option, Schedule, Schema } from "effect"
import type { Snapshot } from "../domain/Snapshot.ts"
import * as SnapshotStore from "../sources/dataset/SnapshotStore.ts"
import { VersionedRef, read } from "./refresh/Dependencies.ts"
import type { Unavailable } from "./refresh/Unavailable.ts"

const DAY = Duration.hours(24)

/** By how much more than 24 hours old a mid may be to count as the mid of that time. */
const TOLERANCE = Duration.minutes(30)

const KEPT_FOR = Duration.hours(25)

/** One mid in so many milliseconds. */
const SLOT = 300_000

/** More than there are slots in what is kept. */
const MOST = 400

const Mid = Schema.Struct({
  at: Schema.DateTimeUtcFromString,
  mid: Schema.Finite.check(Schema.isGreaterThan(0))
})

type Mid = typeof Mid.Type

const Mids = Schema.Array(Mid).check(Schema.isMaxLength(MOST))

/** Starts remembering `mid`, made of what comes from `origin`. Gives its change over 24 hours in percent, where that is known. */
export const make = Effect.fnUntraced(function* (origin: string, mid: Effect.Effect<Snapshot<number>, Unavailable>) {
  const kept = yield* SnapshotStore.make("Naira mids", { lease: "NAIRA", name: "naira-mids", origin, schema: Mids })
  const bySlot = new Map<number, Mid>()
  const dayOld = new VersionedRef<Mid | undefined>(undefined)

  const takeSaved = Effect.map(kept.restore, (saved) => {
    if (typeof saved !== "string") for (const one of saved.value) bySlot.set(slotOf(one.at), one)
  })

  const remember = Effect.gen(function* () {
    const now = yield* mid
    const slot = slotOf(now.observedAt)
    if (!bySlot.has(slot)) {
      bySlot.set(slot, { at: now.observedAt, mid: now.value })
      yield* takeSaved
      for (const [old, { at }] of bySlot) if (isOlder(at, now.observedAt, KEPT_FOR)) bySlot.delete(old)
      yield* kept.save({ ...now, value: inOrder(bySlot).slice(-MOST) })
    }
    // The youngest that is a day old: later ones are not yet.
    dayOld.replace(inOrder(bySlot).findLast(({ at }) => isOlder(at, now.observedAt, DAY)))
  })

  yield* remember.pipe(
    Effect.ignore,
    Effect.repeat(Schedule.spaced("1 minute")),
    (remembering) => Effect.andThen(takeSaved, remembering),
    Effect.forkScoped({ startImmediately: true })
  )

  return Effect.gen(function* () {
    const now = yield* Effect.option(mid)
    const then = yield* read(dayOld)
    if (Option.isNone(now) || then === undefined) return Option.none()
    return isOlder(then.at, now.value.observedAt, Duration.sum(DAY, TOLERANCE))
      ? Option.none()
      : Option.some((now.value.value / then.mid - 1) * 100)
  })
})

const slotOf = (at: DateTime.Utc): number => Math.floor(at.epochMilliseconds / SLOT)

const inOrder = (bySlot: ReadonlyMap<number, Mid>): ReadonlyArray<Mid> =>
  [...bySlot.values()].toSorted((a, b) => DateTime.Order(a.at, b.at))

const isOlder = (time: DateTime.Utc, now: DateTime.Utc, age: Duration.Duration): boolean =>
  Duration.isGreaterThanOrEqualTo(DateTime.distance(time, now), age)
