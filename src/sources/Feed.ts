// The cached ref of one data set of one source: what was last said, asked again when it is due, by one caller for all. A failed
// refresh keeps what is held, an older observation never replaces a newer one, and what is held outlives the process.
import { Cache, DateTime, Duration, Effect, Option, Stream, SubscriptionRef } from "effect"
import type { Snapshot } from "../domain/Snapshot.ts"
import * as FeedStatus from "./FeedStatus.ts"
import { Replicas } from "./Replicas.ts"
import * as SnapshotStore from "./SnapshotStore.ts"
import { SourceError, Unusable } from "./SourceError.ts"

/** What one source says about one question. */
export interface Feed<out A> {
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
  readonly status: Effect.Effect<FeedStatus.FeedStatus>
  /** Every answer from now on, also those that another process brought. */
  readonly changes: Stream.Stream<Snapshot<A>>
}

/** How much later than its interval a snapshot of another process may come, before that process counts as having none. */
const ANOTHERS_DELAY = Duration.seconds(10)

/** Makes a feed of `fetch`. Nothing is fetched before somebody asks; what was kept is held from the start. */
export const make = Effect.fnUntraced(function* <A>(options: {
  readonly source: string
  readonly every: Duration.Input
  readonly fetch: Effect.Effect<Snapshot<A>, SourceError>
  readonly keeping?: SnapshotStore.Keeping<A>
}) {
  const every = Duration.fromInputUnsafe(options.every)
  const kept = options.keeping === undefined ? undefined : yield* SnapshotStore.make(options.source, options.keeping)
  const replicas = yield* Replicas
  const last = yield* SubscriptionRef.make(kept === undefined ? Option.none<Snapshot<A>>() : yield* kept.restore)

  const keepNewer = (next: Snapshot<A>) =>
    SubscriptionRef.updateAndGet(last, (held) => {
      if (Option.isNone(held) || DateTime.isLessThanOrEqualTo(held.value.observedAt, next.observedAt)) {
        return Option.some(next)
      }
      // The source answered with an older observation than it gave before: it was asked now, but the newer one stands.
      return Option.some({ ...held.value, retrievedAt: next.retrievedAt })
    }).pipe(Effect.map((held) => Option.getOrElse(held, () => next)))

  const fetch = options.fetch.pipe(
    Effect.flatMap(keepNewer),
    Effect.tap((held) => kept?.save(held) ?? Effect.void)
  )

  // A cache of one entry that is never fresh: all it adds is that callers who come together share the flight.
  const flight = yield* Cache.makeWith<"refresh", Snapshot<A>, SourceError>(() => fetch, {
    capacity: 1,
    timeToLive: () => Duration.zero
  })
  const refresh = Cache.get(flight, "refresh")

  /** Takes over what another process saved, if it was retrieved later than what is held. */
  const adopt = Effect.gen(function* () {
    const held = yield* SubscriptionRef.get(last)
    const saved = kept === undefined ? Option.none() : yield* kept.restore
    if (Option.isNone(saved)) return held
    const isNews = Option.isNone(held) || DateTime.isGreaterThan(saved.value.retrievedAt, held.value.retrievedAt)
    return isNews ? Option.some(yield* keepNewer(saved.value)) : held
  })

  if (replicas !== undefined && options.keeping !== undefined) {
    yield* replicas.saved(options.keeping.name).pipe(
      Stream.runForEach(() => adopt),
      Effect.forkScoped
    )
  }

  const isYounger = (held: Snapshot<A>, now: DateTime.Utc, limit: Duration.Duration) =>
    Duration.isLessThan(DateTime.distance(held.retrievedAt, now), limit)

  const get = Effect.gen(function* () {
    const now = yield* DateTime.now
    const held = yield* SubscriptionRef.get(last)
    if (Option.isSome(held) && isYounger(held.value, now, every)) return held.value
    const turn =
      replicas === undefined || options.keeping === undefined ? "mine" : yield* replicas.turn(options.keeping.lease)
    if (turn === "mine") return yield* refresh
    if (turn === "alone") {
      // Every process is on its own now. Those whose turn it was not hold back, so that a source is not asked by all at once.
      const isPatient = Option.isSome(held) && isYounger(held.value, now, Duration.times(every, 3))
      return isPatient ? held.value : yield* refresh
    }
    const brought = yield* adopt
    return Option.isSome(brought) &&
      isYounger(brought.value, now, Duration.sum(Duration.times(every, 1.5), ANOTHERS_DELAY))
      ? brought.value
      : yield* new SourceError({
          source: options.source,
          reason: new Unusable({ detail: "nothing new to the process whose turn it is to ask" })
        })
  })

  const { noting, status } = FeedStatus.make(SubscriptionRef.get(last))

  return {
    source: options.source,
    every,
    get: noting(get),
    last: SubscriptionRef.get(last),
    status,
    changes: SubscriptionRef.changes(last).pipe(
      Stream.drop(1),
      Stream.filter(Option.isSome),
      Stream.map(({ value }) => value)
    )
  } satisfies Feed<A>
})
