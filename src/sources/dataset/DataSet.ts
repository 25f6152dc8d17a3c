// One data set of one source: the last good snapshot, fetched again when it is due. Concurrent callers share a fetch, a failed
// fetch keeps what is held, an older observation never replaces a newer one, and snapshots are saved for restarts and replicas.
import { Cache, DateTime, Duration, Effect, Latch, Option, Schedule } from "effect"
import type { Snapshot } from "../../domain/Snapshot.ts"
import * as Age from "./Age.ts"
import * as DataSetStatus from "./DataSetStatus.ts"
import { alone, Replicas, type LeaseState } from "./Replicas.ts"
import * as SnapshotStore from "./SnapshotStore.ts"
import { type Fetched, NotShared, SourceError } from "../client/SourceError.ts"

/** One data set of one source. */
export interface DataSet<out A> {
  /** Identifies the data set: of all, only this one has it. Two data sets of one bank share their `source`. */
  readonly key: string
  /** The source's name, as in stamps. */
  readonly source: string
  /** The interval at which the source is asked. */
  readonly every: Duration.Duration
  /** Switched off by the operator: it is not polled. */
  readonly isOff: boolean
  /**
   * The snapshot held, if it was retrieved less than `every` ago, else the one that a fetch brings. Concurrent callers share the
   * fetch. Fails when the fetch does; what was held stays held.
   */
  readonly get: Fetched<A>
  /** The last good snapshot, however old. */
  readonly last: Effect.Effect<Option.Option<Snapshot<A>>>
  /** Replaces what is saved, so that a restart does not begin with figures that are held back. */
  save(snapshot: Snapshot<A>): Effect.Effect<void>
  /** The times of what is held, and the last failure. */
  readonly status: Effect.Effect<DataSetStatus.DataSetStatus>
  /**
   * Completes when `get` is worth calling at once: another replica has saved a snapshot, or this process gets the lease of what is due.
   */
  readonly changed: Effect.Effect<void>
}

/** A snapshot of the replica with the lease may be this much later than 1.5 intervals before it counts as missing. */
const OTHERS_DELAY = Duration.seconds(10)

/** After so many intervals without a new snapshot a process asks for itself, whoever has the lease. */
const MISSED = 3

/** A process that holds nothing first waits this long for a snapshot of the replica with the lease. */
const FIRST_WAIT = Duration.seconds(5)

/** Makes a data set of `fetch`. Nothing is fetched, and no saved snapshot is read, before the first call. */
export const make = Effect.fnUntraced(function* <A>(options: {
  readonly key: string
  readonly source: string
  readonly every: Duration.Input
  readonly fetch: Fetched<A>
  readonly isOff?: boolean
  /** How it is saved and shared, under its key. */
  readonly keeping?: Omit<SnapshotStore.Keeping<A>, "name">
}) {
  const { keeping, key, source } = options
  const every = Duration.fromInputUnsafe(options.every)
  const kept = keeping === undefined ? SnapshotStore.none : yield* SnapshotStore.make(source, { ...keeping, name: key })
  const replicas = keeping === undefined ? alone : yield* Replicas
  const lease = replicas.leaseState(key)
  const missed = Duration.times(every, MISSED)
  const startedAt = yield* DateTime.now
  let known: Snapshot<A> | undefined
  const restored = yield* Effect.cached(
    Effect.map(kept.restore, (found) => {
      if (typeof found !== "string") known = found
    })
  )
  const held = Effect.map(restored, () => known)
  const changed = yield* Latch.make()

  // What was stamped before our clock was set back would otherwise pass for the newest until that time comes.
  const keepNewer = (next: Snapshot<A>) =>
    Effect.zipWith(restored, DateTime.now, (_, now) => {
      return (known = known === undefined || Age.isAhead(known, now) ? next : newerOf(known, next))
    })

  /** Takes over what the saved snapshot has that is later, and saves what is later here. Two replicas come to hold the same. */
  const exchange = Effect.gen(function* () {
    const saved = yield* kept.restore
    const before = yield* held
    if (saved === "unusable") return before
    const isSame = saved !== "nothing" && before !== undefined && hasTimesOf(before, saved)
    const newest = saved === "nothing" || isSame ? before : yield* keepNewer(saved)
    if (newest !== undefined && (saved === "nothing" || !hasTimesOf(newest, saved))) yield* kept.save(newest)
    return newest
  })

  const fetch = Effect.gen(function* () {
    const began = yield* DateTime.now
    const next = yield* options.fetch
    // After a freeze this snapshot may be older than what another replica has fetched meanwhile.
    if ((yield* lease) === "other") {
      const newest = yield* exchange
      if (newest !== undefined && DateTime.isGreaterThan(newest.retrievedAt, began)) return newest
    }
    const newest = yield* keepNewer(next)
    yield* kept.save(newest)
    return newest
  })

  // A cache of one entry that is never fresh: concurrent callers share the fetch.
  const flight = yield* Cache.makeWith<"refresh", Snapshot<A>, SourceError>(() => fetch, {
    capacity: 1,
    timeToLive: () => Duration.zero
  })
  const refresh = Cache.get(flight, "refresh")

  const unlessHeldFor = (limit: Duration.Duration, orElse: Fetched<A>) =>
    Effect.gen(function* () {
      const [before, now] = [yield* held, yield* DateTime.now]
      return before !== undefined && Age.isRecent(before, limit, now) ? before : yield* orElse
    })

  /** What was taken over of the replica with the lease, even if it is a little late. One that brings nothing may be cut off. */
  const ofOther = unlessHeldFor(
    Duration.sum(Duration.times(every, 1.5), OTHERS_DELAY),
    Effect.gen(function* () {
      const last = DateTime.max((yield* held)?.retrievedAt ?? startedAt, startedAt)
      const silent = DateTime.distance(last, yield* DateTime.now)
      return yield* Duration.isLessThan(silent, missed) ? new SourceError({ source, reason: new NotShared() }) : refresh
    })
  )

  const underLease: Readonly<Record<LeaseState, Fetched<A>>> = {
    mine: refresh,
    other: ofOther,
    // Every process asks for itself; the longer limit keeps those without the lease from asking all at once.
    unknown: unlessHeldFor(missed, refresh)
  }

  const firstOfOther = yield* Effect.flatMap(lease, (state) =>
    state === "other" ? Effect.map(exchange, (brought) => brought !== undefined) : Effect.succeed(true)
  ).pipe(
    Effect.repeat({ until: (isSettled) => isSettled, schedule: Schedule.spaced("200 millis") }),
    Effect.timeoutOption(FIRST_WAIT),
    Effect.cached
  )
  const due = Effect.andThen(
    firstOfOther,
    Effect.flatMap(lease, (state) => underLease[state])
  )

  const onChange = Effect.gen(function* () {
    const before = yield* held
    const after = yield* exchange
    const isDue = after === undefined || !Age.isRecent(after, every, yield* DateTime.now)
    if (before !== after || (isDue && (yield* lease) === "mine")) yield* changed.release
  })
  yield* replicas.onChange(key, onChange)

  const last = Effect.map(held, Option.fromUndefinedOr)
  const { noting, status } = DataSetStatus.make(last)

  return {
    key,
    source,
    every,
    isOff: options.isOff === true,
    get: noting(unlessHeldFor(every, due)),
    last,
    save: kept.save,
    status,
    changed: changed.await
  } satisfies DataSet<A>
})

/** The later observation with the later time of retrieval, so that an older observation never replaces a newer one. */
const newerOf = <A>(held: Snapshot<A>, next: Snapshot<A>): Snapshot<A> => {
  const newest = DateTime.isGreaterThan(held.observedAt, next.observedAt) ? held : next
  const retrievedAt = DateTime.max(held.retrievedAt, next.retrievedAt)
  return DateTime.Equivalence(newest.retrievedAt, retrievedAt) ? newest : { ...newest, retrievedAt }
}

const hasTimesOf = (one: Snapshot<unknown>, other: Snapshot<unknown>): boolean =>
  DateTime.Equivalence(one.observedAt, other.observedAt) && DateTime.Equivalence(one.retrievedAt, other.retrievedAt)
