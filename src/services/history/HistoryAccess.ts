// How services read the history: which point of a bucket counts, and how long an answer may be cached.
import { Array as Arr, Clock, Effect } from "effect"
import { choosePoints } from "../../history/model/choosePoints.ts"
import type { HistoryRange } from "../../history/model/HistoryRange.ts"
import { finalAt, type Interval, isFinal } from "../../history/model/Interval.ts"
import type { ChosenPoint } from "../../history/model/Point.ts"
import { History, type Stored } from "../../history/store/History.ts"
import * as SeriesName from "../../history/store/SeriesName.ts"
import { newestOf } from "./newestEach.ts"
import { CurrentDependencies, Dependencies, notCacheable, validUntil } from "../refresh/Dependencies.ts"
import * as Patience from "../refresh/Patience.ts"
import { Unavailable } from "../refresh/Unavailable.ts"

/** How long an answer about final buckets may be cached, ms: a source may correct them, or fill a gap. */
const FINAL_FOR = 5 * 60_000

/** Other answers are cached until the end of the minute at most, and only until something is recorded; ms. */
const RUNNING_FOR = 60_000

/** Lets other work run after many points. */
export const betweenMany = (points: number): Effect.Effect<void> => (points > 500 ? Effect.yieldNow : Effect.void)

/** What was read, and why some of it may be missing. */
export interface Fetching<A> {
  readonly found: A
  /** The first failure of a fetch. The answer is then not cached. */
  readonly failure: Unavailable | undefined
}

/**
 * Reads and fetches what is missing. Reads again if a fetch may have recorded something, or failed, because parts of it
 * may have been recorded. The answer then depends on the second reading alone: what the fetch records does not make it outdated.
 */
export const fetching = <A, E>(
  read: Effect.Effect<A, E>,
  missing: (found: A, now: number) => ReadonlyArray<Effect.Effect<boolean, Unavailable>>
): Effect.Effect<Fetching<A>, E> =>
  Effect.gen(function* () {
    const outer = yield* CurrentDependencies
    const reads = new Dependencies()
    const count = Effect.sync(() => outer?.noteAll(reads))
    const found = yield* Effect.tapError(Effect.provideService(read, CurrentDependencies, reads), () => count)
    const fetches = missing(found, yield* Clock.currentTimeMillis)
    const fetched = yield* Effect.forEach(fetches, Effect.result, { concurrency: "unbounded" })
    const [failure] = Arr.getFailures(fetched)
    if (failure !== undefined) yield* notCacheable
    const isRead = failure === undefined && !Arr.getSuccesses(fetched).includes(true)
    if (!isRead) return { found: yield* read, failure }
    yield* count
    return { found, failure }
  })

/** The history as services use it. Fails while it cannot be read, or if none is recorded. */
export const make = Effect.gen(function* () {
  const history = yield* History

  const recorded = <A>(question: (stored: Stored) => Effect.Effect<A, unknown>): Effect.Effect<A, Unavailable> =>
    Effect.gen(function* () {
      if (history === undefined) {
        return yield* new Unavailable({ question: "history (HISTORY=off)", retryAfter: 3600, isOff: true })
      }
      return yield* Effect.mapError(
        history.ask(question, yield* Patience.remaining("lookup")),
        () => new Unavailable({ question: "the history", retryAfter: 10, isBusy: true })
      )
      // An answer about several things omits what could not be read, and is then not cached.
    }).pipe(Effect.tapError(() => notCacheable))

  /**
   * Records that the answer depends on the history, in buckets up to `last`. Must come before reading, so that a commit
   * in between makes the answer outdated. Returns which buckets are final, also considering observations that are not
   * committed yet.
   */
  const noted = (interval: Interval, last: number) =>
    Effect.gen(function* () {
      const now = yield* Clock.currentTimeMillis
      const isOver = isFinal(interval, last, now)
      // Buckets end, and become final, at full minutes.
      const until = isOver ? now + FINAL_FOR : now - (now % RUNNING_FOR) + RUNNING_FOR
      yield* validUntil(until, { due: until, version: () => (isOver ? history?.backfilled() : history?.version()) })
      const pending = history?.pendingSince() ?? Infinity
      return (bucket: number) => isFinal(interval, bucket, now) && finalAt(interval, bucket) <= pending
    })

  /** The points of some series in a range: one per bucket, oldest first. */
  const points = Effect.fnUntraced(function* (range: HistoryRange, names: ReadonlyArray<string>) {
    const bySeries = new Map<string, ReadonlyArray<ChosenPoint>>()
    for (const [name, all] of yield* recorded(({ points }) => points(range, names))) {
      // Other work runs between series, because each may have thousands of points.
      const points = choosePoints(range.interval, all, SeriesName.preferenceOf(name))
      bySeries.set(name, points)
      yield* betweenMany(points.length)
    }
    return (name: string) => bySeries.get(name) ?? []
  })

  const spans = (interval: Interval, names: ReadonlyArray<string>) => recorded(({ spans }) => spans(interval, names))

  return { recorded, noted, points, spans, newest: newestOf(recorded) }
})

export type Access = Effect.Success<typeof make>
