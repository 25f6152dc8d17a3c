// Keeps one answer ready, such as the fiat rates. Its data sets poll their sources. After each poll a judge decides which of their rows
// are served, with the original time, until that is older than `maxAge`.
import { Clock, DateTime, Duration, Effect, Latch, Option, Result, type Scope, Semaphore } from "effect"
import { rememberOf } from "../../domain/rememberEach.ts"
import type { Snapshot } from "../../domain/Snapshot.ts"
import { SourceError, Unusable } from "../../sources/client/SourceError.ts"
import * as Age from "../../sources/dataset/Age.ts"
import type { DataSet } from "../../sources/dataset/DataSet.ts"
import * as Warnings from "../../domain/Warnings.ts"
import * as Judge from "../judge/Judge.ts"
import { figureless } from "../judge/Rules.ts"
import { read, VersionedRef } from "./Dependencies.ts"
import { FirstAnswer, isSilence } from "./FirstAnswer.ts"
import { Timeouts } from "./Timeouts.ts"
import * as Patience from "./Patience.ts"
import * as RefreshMetrics from "./RefreshMetrics.ts"
import type { Rows } from "./Rows.ts"
import * as Served from "./Served.ts"
import { Unavailable } from "./Unavailable.ts"

export interface Refresher<out A, out R = A> {
  /** The served answer. Waits only before the first choice, and then as long as {@link Patience.waitFor} allows. */
  readonly answer: Effect.Effect<Served.Served<A, R>, Unavailable>
  /** The served answer. Never waits. */
  readonly current: Effect.Effect<Option.Option<Served.Served<A, R>>>
  /** The last served answer or, before that, the snapshot of the first source that has one; of any age. */
  readonly last: Effect.Effect<Option.Option<Snapshot<A>>>
  /** The rows of each source, in order of preference, of any age; empty for one that has not answered. */
  readonly rowsBySource: Effect.Effect<ReadonlyArray<Judge.RowsByKey<R>>>
  /** The same of those that have answered, with the time until when each is fresh. */
  readonly states: Effect.Effect<ReadonlyArray<Served.SourceState<A, R>>>
  /** Runs `react` after each poll. It must not fail. */
  readonly listen: (react: Effect.Effect<void>) => Effect.Effect<void>
  /** Completes with the first choice, when every source has failed, or when the saved snapshots can be served. */
  readonly decided: Effect.Effect<void>
}

export interface RefresherOptions<A, R> {
  /** For log lines and metrics. */
  readonly name: string
  /** In order of preference. Those that are switched off are ignored. */
  readonly sources: ReadonlyArray<DataSet<A>>
  readonly rows: Rows<A, R>
  /** Absent for answers without figures. */
  readonly rules?: Judge.Rules<R>
  /** Rows observed longer ago are not served. */
  readonly maxAge: Duration.Input
  /** A source whose newest observation is older gives way to the next one. Default: `maxAge`. */
  readonly staleAfter?: Duration.Input
  /** When the polls begin; default: at once. A request that has to wait begins them. */
  readonly startAfter?: Duration.Input
}

/** At a cold start a source that has answered serves after this long, even if a preferred one has not. */
const BETTER_WITHIN = Duration.seconds(1)

/** After a start that restored a servable snapshot the first polls are this much later, so that requests go first. */
const SERVE_FIRST = Duration.seconds(1)

/** Starts the polls; they stop with the scope. */
export const make = <A, R>(options: RefresherOptions<A, R>): Effect.Effect<Refresher<A, R>, never, Scope.Scope> =>
  Effect.gen(function* () {
    const { name, rows, rules = figureless, startAfter } = options
    const maxAge = Duration.fromInputUnsafe(options.maxAge)
    const staleAfter = Duration.fromInputUnsafe(options.staleAfter ?? maxAge)
    const { decide, origin } = yield* Served.make({ name, rows, rules, maxAge })
    const metrics = RefreshMetrics.ofQuestion(name)
    const sources = options.sources
      .filter(({ isOff }) => !isOff)
      .map((set) => ({ set, rowsOf: rememberOf((snapshot: Snapshot<A>) => rows.split({ ...snapshot, key: set.key })) }))
    yield* metrics.begin(sources.map(({ set }) => set.source))
    type Source = (typeof sources)[number]
    const states = new VersionedRef<ReadonlyArray<Served.SourceState<A, R>>>([])
    const decided = yield* Latch.make(sources.length === 0)
    const wanted = yield* Latch.make(startAfter === undefined)
    const warnOfLate = yield* Timeouts
    const report = Warnings.make((text, kind) => (kind === "TimedOut" ? warnOfLate(text) : Effect.logWarning(text)))
    const answers = yield* FirstAnswer
    const began = yield* Clock.currentTimeMillis
    const listeners: Array<Effect.Effect<void>> = []
    let isOverdue = false
    let isFresh = false

    const stateOf = ({ rowsOf, set }: Source, now: DateTime.Utc): Served.SourceState<A, R> | undefined => {
      const { isFailing, snapshot } = set.state()
      // Since our clock was set back it would count as fresh until that time comes again.
      if (snapshot === undefined || Age.isAhead(snapshot, now)) return undefined
      const fresh = Judge.freshUntil(snapshot, isFailing, Duration.toMillis(set.every))
      const freshUntil = Math.min(Age.servableUntil(snapshot, staleAfter), fresh)
      return { key: set.key, snapshot, rows: rowsOf(snapshot), freshUntil, isFailing }
    }
    const decideNow = Effect.flatMap(DateTime.now, (now) => {
      states.replace(sources.flatMap((one) => stateOf(one, now) ?? []))
      return Effect.map(decide(states.value), (isOfFresh) => void (isFresh = isOfFresh))
    })

    /** Whether it is the source that serves. */
    const isFirst = ({ set }: Source) => set.key === origin.value?.first

    /** Lets waiting requests go on, once no better source can be expected. */
    const settle = Effect.suspend(() => {
      const better = isFresh ? sources.slice(0, sources.findIndex(isFirst)) : sources
      const isBest = better.every(({ set }) => set.state().isSettled) || (isOverdue && origin.value !== undefined)
      return isBest ? decided.open : Effect.void
    })

    /** Chooses again after a poll, and logs and counts its result. */
    const judge = Effect.fnUntraced(
      function* (one: Source, result: Result.Result<Snapshot<A>, SourceError>) {
        yield* decideNow
        yield* Effect.all(listeners, { discard: true })
        const isYoung = Result.isSuccess(result) && Age.isServable(result.success, maxAge, yield* DateTime.now)
        const failure = Result.isFailure(result) ? result.failure : isYoung ? undefined : tooOld(one.set)
        const text = failure && `${name}: ${failure.message}`
        const kind = failure?.reason._tag
        if (Result.isSuccess(result) && result.success.retrievedAt.epochMilliseconds >= began) answers.hasCome = true
        const isSaidForAll = failure !== undefined && isSilence(failure) && !answers.hasCome
        // If another replica polls the source, that replica logs the warning. A book that is held back has logged its failure before.
        yield* kind === "NotShared" || kind === "Suspended" || isSaidForAll
          ? Effect.logDebug(text)
          : report(one.set.key, text, kind)
        const first = sources.find(isFirst)
        const isServed = first !== undefined && (yield* Clock.currentTimeMillis) <= origin.goodUntil
        if (one === sources[0]) yield* isServed ? metrics.answered(first.set.source, isFirst(one)) : metrics.unanswered
        return { failure, isServed }
      },
      (judging) => Effect.ensuring(judging, settle)
    )

    const polling = Effect.fnUntraced(function* (one: Source) {
      yield* Effect.raceFirst(wanted.await, Effect.sleep(startAfter ?? 0))
      yield* wanted.open
      yield* Effect.sleep((yield* restore) ? SERVE_FIRST : 0)
      yield* one.set.poll({
        question: name,
        judge: (result) => judge(one, result),
        plan: (due) => {
          if (isFirst(one) || !sources.some(isFirst)) origin.due = due
        }
      })
    })

    /** Reads the saved snapshots; true if they can be served. */
    const restore = yield* Effect.cached(
      Effect.gen(function* () {
        for (const { set } of sources) yield* set.last
        yield* decideNow
        if (origin.value !== undefined) yield* decided.open
        return origin.value !== undefined
      })
    )
    // Reading snapshots takes time: a refresher that starts later reads them at its first use.
    if (startAfter === undefined) yield* restore
    yield* Effect.forEach(sources, (one) => Effect.forkScoped(polling(one), { startImmediately: true }))
    yield* wanted.await.pipe(
      Effect.andThen(Effect.sleep(BETTER_WITHIN)),
      Effect.andThen(Effect.sync(() => (isOverdue = true))),
      Effect.andThen(settle),
      Effect.forkScoped({ startImmediately: true })
    )

    let decidedAt = -Infinity
    const inTurn = Semaphore.makeUnsafe(1).withPermits(1)
    const isOutdated = (now: number) => now > origin.goodUntil && decidedAt <= origin.goodUntil
    /** Repeats the choice, once, when a served row has become too old. Callers that come together wait for one choice. */
    const renew = Effect.gen(function* () {
      const now = yield* Clock.currentTimeMillis
      if (!isOutdated(now)) return
      yield* decideNow
      decidedAt = now
    }).pipe(inTurn)
    const current = Effect.gen(function* () {
      yield* restore
      const now = yield* Clock.currentTimeMillis
      if (isOutdated(now)) yield* renew
      const served = yield* read(origin)
      return now <= origin.goodUntil ? served : undefined
    })
    const unavailable = new Unavailable({
      question: name,
      retryAfter: Math.ceil(Math.min(60, Duration.toSeconds(sources[0]?.set.every ?? Duration.minutes(1))))
    })

    return {
      answer: Effect.gen(function* () {
        if (!decided.isOpen()) {
          yield* wanted.open
          yield* Patience.waitFor(decided.await)
        }
        return (yield* current) ?? (yield* decided.isOpen() ? unavailable : Unavailable.starting(name))
      }),
      current: Effect.map(current, Option.fromUndefinedOr),
      last: Effect.gen(function* () {
        yield* restore
        const served = yield* read(origin)
        return Option.fromUndefinedOr(served ?? (yield* read(states))[0]?.snapshot)
      }),
      listen: (react) =>
        Effect.andThen(
          Effect.sync(() => void listeners.push(react)),
          react
        ),
      rowsBySource: Effect.map(read(states), (all) =>
        sources.map(({ set }) => all.find(({ key }) => key === set.key)?.rows ?? new Map())
      ),
      states: read(states),
      decided: decided.await
    }
  })

const tooOld = ({ source }: DataSet<unknown>) =>
  new SourceError({ source, reason: new Unusable({ detail: "data that is too old" }) })
