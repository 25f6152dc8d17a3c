// One walk over the sources of a question, in order of preference: the first one with fresh data serves. While something is
// held a walk asks one source after the other. While nothing is held it is hedged: the next source is asked as soon as the one
// before has been silent for a second, the first usable data is served, and a preferred source that answers later replaces it.
import { DateTime, Duration, Effect, Fiber, Option, Result } from "effect"
import type { Snapshot } from "../../domain/Snapshot.ts"
import { SourceError, Unusable } from "../../sources/client/SourceError.ts"
import * as Age from "../../sources/dataset/Age.ts"
import type { DataSet } from "../../sources/dataset/DataSet.ts"

/** How long a source may be silent before a hedged walk asks the next one as well. */
export const HEDGE_AFTER = Duration.seconds(1)

export interface WalkOptions<A> {
  /** Of the question, for log lines and metrics. */
  readonly name: string
  /** In order of preference. The first one's `every` is the interval of the refreshes. */
  readonly sources: readonly [DataSet<A>, ...ReadonlyArray<DataSet<A>>]
  /** Data observed longer ago is not served. */
  readonly maxAge: Duration.Input
  /** Data observed longer ago is served only when no source has fresher data. Default: `maxAge`. */
  readonly staleAfter?: Duration.Input
  /** A source that fails is still preferred to the next one while what it said was retrieved less than this ago. */
  readonly grace: Duration.Input
}

interface Candidate<A> {
  readonly rank: number
  readonly isFresh: boolean
  readonly snapshot: Snapshot<A>
}

/**
 * Makes the walk. Each snapshot that is to be served is passed to `serve`; a hedged walk may serve several in turn. A walk gives
 * the source that served, and in `retryAfter` when a budget that was spent has a call again.
 */
export const make = <A, R>(
  options: WalkOptions<A>,
  serve: (snapshot: Snapshot<A>) => Effect.Effect<void, never, R>
) => {
  const { name, sources } = options
  const maxAge = Duration.fromInputUnsafe(options.maxAge)
  const staleAfter = Duration.min(maxAge, Duration.fromInputUnsafe(options.staleAfter ?? maxAge))
  const grace = Duration.fromInputUnsafe(options.grace)
  const lastReasons = new Map<string, string>()

  // The first failure of a kind is a warning; its repetitions are for debugging. Of a source that another replica asks, that
  // replica tells.
  const report = (source: string, failure: SourceError) => {
    const { _tag } = failure.reason
    const isNew = lastReasons.get(source) !== _tag && _tag !== "Disabled" && _tag !== "NotShared"
    lastReasons.set(source, _tag)
    return Effect.logWithLevel(isNew ? "Warn" : "Debug")(`${name}: ${failure.message}`)
  }

  // A bug in one source must not keep the walk from asking the next one.
  const get = (source: DataSet<A>) =>
    source.get.pipe(
      Effect.catchDefect((defect) =>
        Effect.andThen(
          Effect.logError(`${name}: a bug in ${source.source}`, defect),
          Effect.fail(unusable(source, "an answer that our own code fails on"))
        )
      ),
      Effect.result
    )

  return Effect.fnUntraced(function* (isHedged: boolean) {
    let best: Candidate<A> | undefined
    let retryAfter = Duration.infinity

    const ask = Effect.fnUntraced(function* (source: DataSet<A>, rank: number) {
      const answer = yield* get(source)
      const now = yield* DateTime.now
      if (Result.isSuccess(answer) && Age.isServable(answer.success, staleAfter, now)) {
        lastReasons.delete(source.source)
        return { rank, isFresh: true, snapshot: answer.success }
      }
      const failure = Result.isFailure(answer) ? answer.failure : unusable(source, "data that is too old")
      if (failure.reason._tag === "OverBudget") {
        retryAfter = Duration.min(retryAfter, Duration.seconds(failure.reason.retryAfter))
      }
      yield* report(source.source, failure)
      const held = Option.getOrUndefined(yield* source.last)
      if (held !== undefined && Age.isServable(held, staleAfter, now) && Age.isRecent(held, grace, now)) {
        return { rank, isFresh: true, snapshot: held }
      }
      return Result.isSuccess(answer) && Age.isServable(answer.success, maxAge, now)
        ? { rank, isFresh: false, snapshot: answer.success }
        : undefined
    })

    /** Asks a source; true when no other needs to be asked. */
    const consider = Effect.fnUntraced(function* (source: DataSet<A>, rank: number) {
      const found = yield* ask(source, rank)
      if (found === undefined || !isBetter(found, best)) return found?.isFresh === true
      best = found
      // What is stale replaces nothing before all sources were asked.
      if (found.isFresh || isHedged) yield* serve(found.snapshot)
      return found.isFresh
    })

    const walk = (rank: number): Effect.Effect<void, never, R> => {
      const source = sources[rank]
      if (source === undefined) return Effect.void
      const next = walk(rank + 1)
      if (!isHedged) return Effect.flatMap(consider(source, rank), (isDone) => (isDone ? Effect.void : next))
      return Effect.gen(function* () {
        const asking = yield* Effect.forkChild(consider(source, rank), { startImmediately: true })
        const isDone = yield* Effect.timeoutOption(Fiber.join(asking), HEDGE_AFTER)
        if (Option.isSome(isDone) && isDone.value) return
        yield* next
        yield* Fiber.join(asking)
      })
    }

    yield* walk(0)
    if (best !== undefined && !best.isFresh && !isHedged) yield* serve(best.snapshot)
    const source = best === undefined ? undefined : sources[best.rank]
    return { served: source && { source, isFirst: best?.rank === 0 }, retryAfter }
  })
}

const isBetter = <A>(one: Candidate<A>, other: Candidate<A> | undefined): boolean => {
  if (other === undefined) return true
  if (one.isFresh !== other.isFresh) return one.isFresh
  return one.isFresh
    ? one.rank < other.rank
    : DateTime.isGreaterThan(one.snapshot.observedAt, other.snapshot.observedAt)
}

const unusable = (source: DataSet<unknown>, detail: string) =>
  new SourceError({ source: source.source, reason: new Unusable({ detail }) })
