// The cached ref of one data set of one source: what was last said, asked again when it is due, by one caller for all. A failed
// refresh keeps what is held, an older observation never replaces a newer one, and what is held outlives the process.
import { Cache, DateTime, Duration, Effect, Option, Ref } from "effect"
import type { Snapshot } from "../domain/Snapshot.ts"
import * as FeedStatus from "./FeedStatus.ts"
import * as SnapshotStore from "./SnapshotStore.ts"
import type { SourceError } from "./SourceError.ts"

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
}

/** Makes a feed of `fetch`. Nothing is fetched before somebody asks; what was kept is held from the start. */
export const make = Effect.fnUntraced(function* <A>(options: {
  readonly source: string
  readonly every: Duration.Input
  readonly fetch: Effect.Effect<Snapshot<A>, SourceError>
  readonly keeping?: SnapshotStore.Keeping<A>
}) {
  const every = Duration.fromInputUnsafe(options.every)
  const kept = options.keeping === undefined ? undefined : yield* SnapshotStore.make(options.source, options.keeping)
  const last = yield* Ref.make(kept === undefined ? Option.none<Snapshot<A>>() : yield* kept.restore)

  const keepNewer = (next: Snapshot<A>) =>
    Ref.updateAndGet(last, (held) => {
      if (Option.isNone(held) || DateTime.isLessThanOrEqualTo(held.value.observedAt, next.observedAt)) {
        return Option.some(next)
      }
      // The source answered with an older observation than it gave before: it was asked now, but the newer one stands.
      return Option.some({ ...held.value, retrievedAt: next.retrievedAt })
    }).pipe(
      Effect.map((held) => Option.getOrElse(held, () => next)),
      Effect.tap((held) => kept?.save(held) ?? Effect.void)
    )

  // A cache of one entry that is never fresh: all it adds is that callers who come together share the flight.
  const flight = yield* Cache.makeWith<"refresh", Snapshot<A>, SourceError>(
    () => Effect.flatMap(options.fetch, keepNewer),
    {
      capacity: 1,
      timeToLive: () => Duration.zero
    }
  )

  const get = Effect.gen(function* () {
    const held = yield* Ref.get(last)
    if (Option.isSome(held)) {
      const age = DateTime.distance(held.value.retrievedAt, yield* DateTime.now)
      if (Duration.isLessThan(age, every)) return held.value
    }
    return yield* Cache.get(flight, "refresh")
  })

  const { noting, status } = FeedStatus.make(Ref.get(last))

  return { source: options.source, every, get: noting(get), last: Ref.get(last), status } satisfies Feed<A>
})
