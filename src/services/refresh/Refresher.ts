// A question users ask, answered ahead of them: on a jittered schedule its sources are walked in order and the first usable
// answer is kept. The last good answer stays, with its true time, until it is older than the question allows.
import {
  Clock,
  Context,
  DateTime,
  Duration,
  Effect,
  ExecutionPlan,
  Latch,
  Option,
  Random,
  type Scope,
  Stream
} from "effect"
import * as Jumps from "../../domain/JumpFilter.ts"
import type { Snapshot } from "../../domain/Snapshot.ts"
import type { DataSet } from "../../sources/dataset/DataSet.ts"
import { SourceError, Unusable } from "../../sources/client/SourceError.ts"
import * as RefreshMetrics from "./RefreshMetrics.ts"
import { VersionedRef, read } from "./Dependencies.ts"
import { Unavailable } from "./Unavailable.ts"

/** An answered question. */
export interface Refresher<out A> {
  readonly name: string
  /**
   * The answer, if its data is young enough. Never waits for a source, except for the very first attempt after the start,
   * and for that only some seconds.
   */
  readonly answer: Effect.Effect<Snapshot<A>, Unavailable>
  /** The last answer, whatever its age. */
  readonly last: Effect.Effect<Option.Option<Snapshot<A>>>
}

/** Judges a new answer against the one believed so far; what it holds back it returns as it was believed. */
export type JumpFilter<A> = (
  believed: Snapshot<A>,
  next: Snapshot<A>,
  doubts: Jumps.Pending
) => { readonly snapshot: Snapshot<A>; readonly heldBack: ReadonlySet<string>; readonly doubts: Jumps.Pending }

/** How long a request waits for the first attempt after the start. */
const FIRST_WAIT = Duration.seconds(8)

/** The first pause after a walk in which no source had anything; it doubles up to {@link LONGEST_RETRY}. */
const FIRST_RETRY = Duration.seconds(1)

const LONGEST_RETRY = Duration.seconds(10)

/** Where what outlived the last process is an answer, a start first gives it, and asks the sources this much later. */
const SERVE_FIRST = Duration.seconds(1)

/** Starts answering; stops with the scope. */
export const make = <A>(options: {
  readonly name: string
  /** In order of preference. The first one's `every` is the question's interval. */
  readonly sources: readonly [DataSet<A>, ...ReadonlyArray<DataSet<A>>]
  /** Data observed longer ago than this is no answer. */
  readonly maxAge: Duration.Input
  /** Data observed longer ago than this is only an answer when no source has any younger; default `maxAge`. */
  readonly staleAfter?: Duration.Input
  /** How long a source that stopped answering is still preferred to the next one, by what it last said. */
  readonly grace: Duration.Input
  readonly review?: JumpFilter<A>
  /** The first attempt waits this long; default: not at all. */
  readonly startAfter?: Duration.Input
  /** Whoever asks has another way: after a restart that found only what is too old, nobody waits for the first attempt. */
  readonly hasSubstitute?: boolean
}): Effect.Effect<Refresher<A>, never, Scope.Scope> =>
  Effect.gen(function* () {
    const maxAge = Duration.fromInputUnsafe(options.maxAge)
    const staleAfter = Duration.min(maxAge, Duration.fromInputUnsafe(options.staleAfter ?? maxAge))
    const grace = Duration.fromInputUnsafe(options.grace)
    const every = options.sources[0].every
    const metrics = RefreshMetrics.ofQuestion(options.name)
    const origin = new VersionedRef<Snapshot<A> | undefined>(undefined)
    const attempted = yield* Latch.make(false)
    let seen: Snapshot<A> | undefined
    let doubts = Jumps.nothingPending
    let failures = 0
    let budgetBackIn = Duration.infinity
    let bestStale: Snapshot<A> | undefined

    const lastReasons = new Map<string, string>()

    // The first failure of a kind is news; its repetition every minute is not.
    const report = (source: string, failure: SourceError) => {
      const news = lastReasons.get(source) !== failure.reason._tag && failure.reason._tag !== "Disabled"
      lastReasons.set(source, failure.reason._tag)
      if (failure.reason._tag === "OverBudget") {
        budgetBackIn = Duration.min(budgetBackIn, Duration.seconds(failure.reason.retryAfter))
      }
      return Effect.logWithLevel(news ? "Warn" : "Debug")(`${options.name}: ${failure.message}`)
    }

    const Step = Context.Service<DataSet<A>>("crypto-data-api/services/refresh/Step")
    const plan = ExecutionPlan.make(
      { provide: Context.make(Step, options.sources[0]) },
      ...options.sources.slice(1).map((feed) => ({ provide: Context.make(Step, feed) }))
    )

    const ask = Effect.gen(function* () {
      const feed = yield* Step
      const now = yield* DateTime.now
      const young = (snapshot: Snapshot<A>) => isYounger(snapshot.observedAt, now, staleAfter)
      const remember = (snapshot: Snapshot<A>) => {
        const isUsable = !young(snapshot) && isYounger(snapshot.observedAt, now, maxAge)
        const isBetter = bestStale === undefined || DateTime.isGreaterThan(snapshot.observedAt, bestStale.observedAt)
        if (isUsable && isBetter) bestStale = snapshot
      }
      return yield* feed.get.pipe(
        // A bug in one source is no reason not to ask the next one.
        Effect.catchDefect((defect) =>
          Effect.andThen(
            Effect.logError(`${options.name}: a bug in ${feed.source}`, defect),
            Effect.fail(bug(feed.source))
          )
        ),
        Effect.tap((snapshot) => Effect.sync(() => remember(snapshot))),
        Effect.filterOrFail(young, () => tooOld(feed.source)),
        Effect.tap(() => Effect.sync(() => lastReasons.delete(feed.source))),
        Effect.catch((failure) =>
          Effect.gen(function* () {
            yield* report(feed.source, failure)
            const held = yield* feed.last
            return Option.isSome(held) && young(held.value) && isYounger(held.value.retrievedAt, now, grace)
              ? held.value
              : yield* failure
          })
        ),
        Effect.tap(() => metrics.answered(feed.source, feed === options.sources[0]))
      )
    })

    const keep = (snapshot: Snapshot<A>) =>
      origin.replace(snapshot, DateTime.toEpochMillis(snapshot.observedAt) + Duration.toMillis(maxAge))

    const believe = Effect.fnUntraced(function* (next: Snapshot<A>) {
      if (next === seen) return
      seen = next
      const held = origin.value
      if (options.review === undefined || held === undefined) return keep(next)
      const verdict = options.review(held, next, doubts)
      doubts = verdict.doubts
      if (verdict.heldBack.size > 0) {
        const some = [...verdict.heldBack].slice(0, 5).join(", ")
        yield* Effect.logWarning(
          `${options.name}: ${next.source} changed ${verdict.heldBack.size} figures out of all proportion, held back until confirmed (${some})`
        )
      }
      keep(verdict.snapshot)
    })

    const walk = Effect.sync(() => (bestStale = undefined)).pipe(
      Effect.andThen(Effect.withExecutionPlan(ask, plan)),
      Effect.catch((failure) => (bestStale === undefined ? Effect.fail(failure) : Effect.succeed(bestStale))),
      Effect.flatMap(believe),
      Effect.matchCauseEffect({
        onSuccess: () => Effect.sync(() => (failures = 0)),
        // A defect in one refresh must not end all later ones; the failures themselves were logged source by source.
        onFailure: (cause) =>
          Effect.logError(`${options.name}: no source has a usable answer; what is held stays`, cause).pipe(
            Effect.when(Effect.succeed(cause.reasons.some((reason) => reason._tag === "Die"))),
            Effect.andThen(metrics.unanswered),
            Effect.andThen(Effect.sync(() => (failures += 1)))
          )
      }),
      Effect.ensuring(attempted.open)
    )

    // What outlived the last process is the answer until somebody has a newer one.
    const recall = Effect.gen(function* () {
      for (const feed of options.sources) {
        const kept = yield* feed.last
        if (Option.isSome(kept) && options.hasSubstitute === true) yield* attempted.open
        if (Option.isSome(kept) && isYounger(kept.value.observedAt, yield* DateTime.now, maxAge)) {
          yield* believe(kept.value)
          yield* attempted.open
          break
        }
      }
    })
    // Reading it back takes its time: where the first attempt can wait, that waits until somebody asks.
    const canWait = options.startAfter !== undefined
    const recalled = yield* Effect.cached(recall)
    if (!canWait) yield* recalled
    const current = canWait ? Effect.andThen(recalled, read(origin)) : read(origin)

    const pause = Effect.map(Random.nextBetween(1, 1.2), (jitter) => {
      const retry = Duration.min(LONGEST_RETRY, Duration.times(FIRST_RETRY, 2 ** Math.min(failures - 1, 5)))
      const due = failures === 0 ? every : Duration.min(every, retry)
      const pause = Duration.min(Duration.times(due, jitter), Duration.sum(budgetBackIn, Duration.millis(50)))
      budgetBackIn = Duration.infinity
      return pause
    })
    const sleepUntilDue = Effect.flatMap(pause, (duration) =>
      Effect.andThen(
        Effect.clockWith((clock) =>
          Effect.sync(() => (origin.due = clock.currentTimeMillisUnsafe() + Duration.toMillis(duration)))
        ),
        Effect.sleep(duration)
      )
    )

    // What another process brought is not waited for until the next round.
    const news = yield* Latch.make(false)
    yield* Effect.forEach(
      options.sources,
      (feed) =>
        Effect.forkScoped(
          Stream.runForEach(feed.changes, () => news.open),
          { startImmediately: true }
        ),
      { discard: true }
    )

    const rounds = walk.pipe(
      Effect.andThen(news.close),
      Effect.andThen(Effect.raceFirst(sleepUntilDue, news.await)),
      Effect.forever
    )
    yield* recalled.pipe(
      Effect.andThen(rounds),
      Effect.delay(options.startAfter ?? (seen === undefined ? 0 : SERVE_FIRST)),
      Effect.withSpan("Question.refresh", { attributes: { question: options.name } }),
      Effect.forkScoped({ startImmediately: true })
    )

    const unavailable = Effect.fail(
      new Unavailable({ question: options.name, retryAfter: Math.ceil(Math.min(60, Duration.toSeconds(every))) })
    )

    const usable = Effect.zipWith(current, Clock.currentTimeMillis, (held, now) =>
      now <= origin.goodUntil ? held : undefined
    )
    const answer = Effect.flatMap(usable, (held) => {
      if (held !== undefined) return Effect.succeed(held)
      return Effect.timeoutOption(attempted.await, FIRST_WAIT).pipe(
        Effect.andThen(usable),
        Effect.flatMap((held) => (held === undefined ? unavailable : Effect.succeed(held)))
      )
    })

    return { name: options.name, answer, last: Effect.map(current, Option.fromUndefinedOr) }
  })

const isYounger = (time: DateTime.Utc, now: DateTime.Utc, limit: Duration.Duration): boolean =>
  Duration.isLessThanOrEqualTo(DateTime.distance(time, now), limit)

const bug = (source: string) =>
  new SourceError({ source, reason: new Unusable({ detail: "an answer that our own code stumbles over" }) })

const tooOld = (source: string) => new SourceError({ source, reason: new Unusable({ detail: "data that is too old" }) })
