// The cached ref of one data set of one source: what was last said, asked again when it is due, by one caller for all. A failed
// refresh keeps what is held, an older observation never replaces a newer one, and what is held outlives the process.
import { Cache, DateTime, Duration, Effect, Option, PubSub, Ref, Schedule, Stream } from "effect"
import type { Snapshot } from "../../domain/Snapshot.ts"
import * as DataSetStatus from "./DataSetStatus.ts"
import { Replicas, type LeaseState } from "./Replicas.ts"
import * as SnapshotStore from "./SnapshotStore.ts"
import { SourceError, Unusable } from "../client/SourceError.ts"

/** What one source says about one question. */
export interface DataSet<out A> {
  /** The source's name, as in stamps. */
  readonly source: string
  /** How long an answer is good before it is worth asking again. */
  readonly every: Duration.Duration
  /**
   * What is held if it was retrieved less than `every` ago, else what a refresh brings. Concurrent callers share one refresh.
   * Fails when the refresh does; what was held stays held.
   */
  readonly get: Effect.Effect<Snapshot<A>, SourceError>
  /** The last good answer, whatever its age. */
  readonly last: Effect.Effect<Option.Option<Snapshot<A>>>
  /** How its refreshes go. */
  readonly status: Effect.Effect<DataSetStatus.DataSetStatus>
  /**
   * Emits when it is worth asking again before it is due: another process brought an answer, or did not and it falls to this
   * one now.
   */
  readonly changes: Stream.Stream<void>
}

/** How much later than its interval a snapshot of another process may come, before that process counts as having none. */
const ANOTHERS_DELAY = Duration.seconds(10)

/** How long the first caller of a process that holds nothing waits for what another is about to bring. */
const FIRST_PATIENCE = Duration.seconds(5)

/** Makes a feed of `fetch`. Nothing is fetched, and nothing kept is read back, before somebody asks. */
export const make = Effect.fnUntraced(function* <A>(options: {
  readonly source: string
  readonly every: Duration.Input
  readonly fetch: Effect.Effect<Snapshot<A>, SourceError>
  readonly keeping?: SnapshotStore.Keeping<A>
}) {
  const { keeping, source } = options
  const every = Duration.fromInputUnsafe(options.every)
  const kept = keeping === undefined ? undefined : yield* SnapshotStore.make(source, keeping)
  const others = keeping === undefined ? undefined : yield* Replicas
  const turn = keeping === undefined || others === undefined ? undefined : others.leaseState(keeping.lease)
  const known = yield* Ref.make(Option.none<Snapshot<A>>())
  // What was kept is read when somebody first looks: a start has no use for what nobody asks about yet.
  const restored = yield* Effect.cached(
    Effect.flatMap(kept?.restore ?? Effect.succeed("nothing" as const), (found) =>
      typeof found === "string" ? Effect.void : Ref.set(known, Option.some(found))
    )
  )
  const last = Effect.andThen(restored, Ref.get(known))
  const news = yield* PubSub.sliding<void>(1)
  let isFirst = true
  let isOwed = false

  const keepNewer = (next: Snapshot<A>) =>
    Effect.andThen(
      restored,
      Ref.modify(known, (held): [Snapshot<A>, Option.Option<Snapshot<A>>] => {
        const isNewest = Option.isNone(held) || DateTime.isLessThanOrEqualTo(held.value.observedAt, next.observedAt)
        // An older observation than was given before: it was asked for now, but the newer one stands.
        const newest = isNewest ? next : { ...held.value, retrievedAt: next.retrievedAt }
        return [newest, Option.some(newest)]
      })
    )

  /** Takes over what another process saved later than what is held, and puts back what is held and not saved (any more). */
  const exchange = Effect.gen(function* () {
    const saved = yield* kept?.restore ?? Effect.succeed("nothing" as const)
    const held = yield* last
    if (saved === "unusable" || kept === undefined) return held
    if (saved !== "nothing" && (Option.isNone(held) || isLater(saved, held.value))) {
      return Option.some(yield* keepNewer(saved))
    }
    if (Option.isSome(held) && (saved === "nothing" || isLater(held.value, saved))) yield* kept.save(held.value)
    return held
  })

  const fetch = Effect.gen(function* () {
    const began = yield* DateTime.now
    const next = yield* options.fetch
    // Whoever was frozen in the middle brings what is long outdated by what another has asked meanwhile.
    if (turn !== undefined && (yield* turn) === "anothers") {
      const held = yield* exchange
      if (Option.isSome(held) && DateTime.isGreaterThan(held.value.retrievedAt, began)) return held.value
    }
    const newest = yield* keepNewer(next)
    isOwed = false
    yield* kept?.save(newest) ?? Effect.void
    return newest
  })

  // A cache of one entry that is never fresh: all it adds is that callers who come together share the flight.
  const flight = yield* Cache.makeWith<"refresh", Snapshot<A>, SourceError>(() => fetch, {
    capacity: 1,
    timeToLive: () => Duration.zero
  })
  const refresh = Cache.get(flight, "refresh")

  const isHeldFor = (limit: Duration.Duration) =>
    Effect.zipWith(last, DateTime.now, (held, now) =>
      Option.filter(held, ({ retrievedAt }) => isYounger(retrievedAt, now, limit))
    )

  const unlessHeldFor = (limit: Duration.Duration, orElse: Effect.Effect<Snapshot<A>, SourceError>) =>
    Effect.flatMap(isHeldFor(limit), Option.match({ onNone: () => orElse, onSome: Effect.succeed }))

  const nothingNew = new SourceError({
    source,
    reason: new Unusable({ detail: "nothing new to the process whose turn it is to ask" })
  })

  /** The answer while it is another's turn: what that one brought, even if it is a little late. */
  const anothers = Effect.gen(function* () {
    isOwed = true
    yield* exchange
    return yield* unlessHeldFor(Duration.sum(Duration.times(every, 1.5), ANOTHERS_DELAY), Effect.fail(nothingNew))
  })

  const inTurn = (turn: LeaseState) => {
    switch (turn) {
      case "mine":
        return refresh
      case "anothers":
        return anothers
      // Every process is on its own now. Those whose turn it was not hold back, so that a source is not asked by all at once.
      case "alone":
        return unlessHeldFor(Duration.times(every, 3), refresh)
    }
  }

  const due =
    turn === undefined
      ? refresh
      : Effect.gen(function* () {
          let whose = yield* turn
          if (isFirst && whose === "anothers" && Option.isNone(yield* exchange)) {
            const settled = Effect.zipWith(turn, last, (whose, held) => whose !== "anothers" || Option.isSome(held))
            yield* settled.pipe(
              Effect.repeat({ until: (isSettled) => isSettled, schedule: Schedule.spaced("200 millis") }),
              Effect.timeoutOption(FIRST_PATIENCE)
            )
            whose = yield* turn
          }
          isFirst = false
          return yield* inTurn(whose)
        })

  if (keeping !== undefined && others !== undefined && turn !== undefined) {
    const hear = Effect.gen(function* () {
      const before = yield* last
      const after = yield* exchange
      if (before !== after) isOwed = false
      const isMissed = isOwed && (yield* turn) === "mine"
      if (before !== after || isMissed) yield* PubSub.publish(news, undefined)
    })
    yield* others.changes(keeping.lease, keeping.name).pipe(
      Stream.runForEach(() => hear),
      Effect.forkScoped({ startImmediately: true })
    )
  }

  const { noting, status } = DataSetStatus.make(last)

  return {
    source,
    every,
    get: noting(unlessHeldFor(every, due)),
    last,
    status,
    changes: Stream.fromPubSub(news)
  } satisfies DataSet<A>
})

const isLater = (one: Snapshot<unknown>, other: Snapshot<unknown>): boolean =>
  DateTime.isGreaterThan(one.retrievedAt, other.retrievedAt)

/** A time to come is of a clock that was set back since: it says nothing about age. */
const isYounger = (time: DateTime.Utc, now: DateTime.Utc, limit: Duration.Duration): boolean => {
  const age = DateTime.distance(time, now)
  return Duration.isLessThan(age, limit) && Duration.isGreaterThan(age, CLOCK_SET_BACK)
}

const CLOCK_SET_BACK = Duration.minutes(-1)
