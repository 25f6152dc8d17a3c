// How services read the record: which of several points of a bucket is meant, and how long an answer from it holds.
import { Clock, Effect } from "effect"
import { choosePoints } from "../model/choosePoints.ts"
import { bucketOf, finalAt, type Interval, intervals, isFinal, lengthOf } from "../model/Interval.ts"
import type { ChosenPoint } from "../model/Point.ts"
import { History, type HistoryService } from "../store/History.ts"
import * as SeriesName from "../store/SeriesName.ts"
import { notCacheable, read } from "../../services/refresh/Dependencies.ts"
import * as Patience from "../../services/refresh/Patience.ts"
import { Unavailable } from "../../services/refresh/Unavailable.ts"

/** How long an answer about buckets that are final holds: a source may correct them, or fill a gap. */
const FINAL_FOR = 5 * 60_000

/** How long any other answer holds, unless something is recorded before. */
const RUNNING_FOR = 60_000

/** Lets other work go on after so many points, where they are many. */
export const betweenMany = (points: number): Effect.Effect<void> => (points > 500 ? Effect.yieldNow : Effect.void)

/** Reads, and reads again where one of the fetches of what was missing says that more may be recorded now. */
export const fetching = <A, E>(
  read: Effect.Effect<A, E>,
  missing: (found: A, now: number) => ReadonlyArray<Effect.Effect<boolean>>
): Effect.Effect<A, E> =>
  Effect.gen(function* () {
    const found = yield* read
    const fetches = missing(found, yield* Clock.currentTimeMillis)
    const fetched = yield* Effect.all(fetches, { concurrency: "unbounded" })
    return fetched.includes(true) ? yield* read : found
  })

/** The record as services use it. Fails while it cannot be read, or none is kept. */
export const make = Effect.gen(function* () {
  const history = yield* History

  const recorded = <A, E>(ask: (history: HistoryService) => Effect.Effect<A, E>): Effect.Effect<A, Unavailable> =>
    Effect.gen(function* () {
      if (history === undefined) {
        return yield* new Unavailable({ question: "history (HISTORY=off)", retryAfter: 3600, isOff: true })
      }
      return yield* Effect.timeout(ask(history), yield* Patience.remaining("lookup")).pipe(
        Effect.mapError(() => new Unavailable({ question: "the history", retryAfter: 10 }))
      )
      // Answers about several things are given without what could not be read, and then not cached.
    }).pipe(Effect.tapError(() => notCacheable))

  /**
   * Notes that an answer is made of what is recorded now, and of buckets up to `last`. Must come before what is recorded is read:
   * a commit that comes between the two then makes the answer outdated. Gives which buckets take no more observations, those that
   * wait to be written among them.
   */
  const noted = (interval: Interval, last: number) =>
    Effect.gen(function* () {
      const now = yield* Clock.currentTimeMillis
      const isOver = isFinal(interval, last, now)
      const turns = intervals.flatMap((one) => {
        const bucket = bucketOf(one, now)
        return [bucket + lengthOf(one), finalAt(one, bucket - lengthOf(one))]
      })
      const until = isOver ? now + FINAL_FOR : Math.min(now + RUNNING_FOR, ...turns.filter((turn) => turn > now))
      yield* read({
        value: undefined,
        get version() {
          return isOver ? history?.backfilled() : history?.version()
        },
        goodUntil: until,
        due: until
      })
      const pending = history?.pendingSince() ?? Infinity
      return (bucket: number) => isFinal(interval, bucket, now) && finalAt(interval, bucket) <= pending
    })

  /** The points of some series from one bucket to another, both included: one a bucket, oldest first. */
  const points = Effect.fnUntraced(function* (
    interval: Interval,
    names: ReadonlyArray<string>,
    from: number,
    to: number
  ) {
    const bySeries = new Map<string, ReadonlyArray<ChosenPoint>>()
    for (const [name, all] of yield* recorded((history) => history.points(interval, names, from, to))) {
      // Other work goes on between series, because each may be thousands of points.
      const points = choosePoints(interval, all, SeriesName.preferenceOf(name))
      bySeries.set(name, points)
      yield* betweenMany(points.length)
    }
    return (name: string) => bySeries.get(name) ?? []
  })

  const spans = (interval: Interval, names: ReadonlyArray<string>) =>
    recorded((history) => history.spans(interval, names))

  return { recorded, noted, points, spans }
})

export type Access = Effect.Success<typeof make>
