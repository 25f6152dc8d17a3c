// Keeps the answer to one question ready. Each of its sources is polled on a jittered schedule of its own, and what is served is
// chosen from what they hold, with its true time, until it is older than the question allows. A failed poll keeps what is held and
// never ends the later ones.
import { Clock, DateTime, Duration, Effect, Latch, Option, Random, Result, type Scope, Stream } from "effect"
import type { Snapshot } from "../../domain/Snapshot.ts"
import { SourceError, Unusable } from "../../sources/client/SourceError.ts"
import * as Age from "../../sources/dataset/Age.ts"
import type { DataSet } from "../../sources/dataset/DataSet.ts"
import type { RowsByKey } from "./choose.ts"
import { read, VersionedRef } from "./Dependencies.ts"
import * as Patience from "./Patience.ts"
import * as RefreshMetrics from "./RefreshMetrics.ts"
import { type Rows, whole } from "./Rows.ts"
import * as Served from "./Served.ts"
import { Unavailable } from "./Unavailable.ts"

export interface Refresher<out A, out R = A> {
  /** What is served. Waits only before the first choice, and then as long as {@link Patience.waitFor} allows. */
  readonly answer: Effect.Effect<Served.Served<A, R>, Unavailable>
  /** What is served. Never waits. */
  readonly current: Effect.Effect<Option.Option<Served.Served<A, R>>>
  /** What was served last or, before anything was, the first that is held; however old. */
  readonly last: Effect.Effect<Option.Option<Snapshot<A>>>
  /** The rows that each source holds, in order of preference, however old; none of one that has not answered. */
  readonly held: Effect.Effect<ReadonlyArray<RowsByKey<R>>>
  /** Completes with the first choice, when every source has failed, or when what is held was restored. */
  readonly decided: Effect.Effect<void>
}

export interface RefresherOptions<A, R> {
  /** Of the question, for log lines and metrics. */
  readonly name: string
  /** In order of preference. Those that are switched off take no part. */
  readonly sources: ReadonlyArray<DataSet<A>>
  readonly rows: Rows<A, R>
  /** Rows observed longer ago are not served. */
  readonly maxAge: Duration.Input
  /** A source whose newest observation is older gives way to the next one. Default: `maxAge`. */
  readonly staleAfter?: Duration.Input
  /** A source that fails is still preferred to the next one until so long after it was retrieved. Default: not at all. */
  readonly grace?: Duration.Input
  /** When the polls begin; default: at once. A request that has to wait begins them. */
  readonly startAfter?: Duration.Input
}

/** At a cold start a source that has answered serves after this long, though one before it has not. */
const BETTER_WITHIN = Duration.seconds(1)

/** After a start that restored a servable snapshot the first polls are this much later, so that requests go first. */
const SERVE_FIRST = Duration.seconds(1)

/** Starts the polls; they stop with the scope. */
export const make = <A, R>(options: RefresherOptions<A, R>): Effect.Effect<Refresher<A, R>, never, Scope.Scope> =>
  Effect.gen(function* () {
    const { name, rows, startAfter } = options
    const maxAge = Duration.fromInputUnsafe(options.maxAge)
    const staleAfter = Duration.fromInputUnsafe(options.staleAfter ?? maxAge)
    const grace = Duration.fromInputUnsafe(options.grace ?? 0)
    const { believed, decide, origin } = Served.make({ name, rows, maxAge, staleAfter, grace })
    const metrics = RefreshMetrics.ofQuestion(name)
    const sources = options.sources.filter(({ isOff }) => !isOff)
    const heldOf = new Map<DataSet<A>, Served.Held<A, R>>()
    const held = new VersionedRef<ReadonlyArray<Served.Held<A, R>>>([])
    const settled = new Set<DataSet<A>>()
    const dueOf = new Map<DataSet<A>, number>()
    const decided = yield* Latch.make(sources.length === 0)
    const wanted = yield* Latch.make(startAfter === undefined)
    const report = reporting(name)
    let isOverdue = false
    let isRestored = false
    let isFresh = false

    const keep = (set: DataSet<A>, snapshot: Snapshot<A>, isFailing: boolean) => {
      const before = heldOf.get(set)
      const split = before?.snapshot === snapshot ? before.rows : rows.split(snapshot)
      heldOf.set(set, { snapshot, rows: split, isFailing })
      held.replace(sources.flatMap((source) => heldOf.get(source) ?? []))
    }
    const decideNow = Effect.map(
      Effect.suspend(() => decide(held.value)),
      (isOfFresh) => void (isFresh = isOfFresh)
    )

    /** Lets requests have what is chosen, once no better source can be expected. */
    const settle = Effect.suspend(() => {
      const better = isFresh
        ? sources.slice(
            0,
            sources.findIndex(({ source }) => source === origin.value?.first)
          )
        : sources
      const isBest = better.every((set) => settled.has(set)) || (isOverdue && origin.value !== undefined)
      return isBest ? decided.open : Effect.void
    })

    /** One poll; gives its failure. */
    const poll = Effect.fnUntraced(function* (set: DataSet<A>) {
      const said = yield* Effect.result(set.get)
      const before = heldOf.get(set)
      if (Result.isSuccess(said)) keep(set, said.success, false)
      else if (before !== undefined) keep(set, before.snapshot, true)
      yield* decideNow
      if (Result.isFailure(said)) return said.failure
      const now = heldOf.get(set)
      const kept = now && believed(now)
      if (kept !== undefined && kept !== now?.snapshot) yield* set.save(kept)
      return Age.isServable(said.success, maxAge, yield* DateTime.now)
        ? undefined
        : unusable(set, "data that is too old")
    })

    /** A poll that never fails, and the pause until the next one. */
    const refresh = Effect.fnUntraced(
      function* (set: DataSet<A>, failures: number) {
        const failure = yield* Effect.catchDefect(poll(set), (defect) =>
          // A bug in one poll must not end all later ones.
          Effect.as(
            Effect.logError(`${name}: a bug in a poll of ${set.source}, what is held stays`, defect),
            unusable(set, "an answer that our own code fails on")
          )
        )
        yield* report(set.source, failure)
        settled.add(set)
        yield* settle
        const first = origin.value?.first
        const isServed = first !== undefined && (yield* Clock.currentTimeMillis) <= origin.goodUntil
        if (set === sources[0]) yield* isServed ? metrics.answered(first, first === set.source) : metrics.unanswered
        return failure === undefined
          ? { failures: 0, pause: set.every }
          : { failures: failures + 1, pause: retryAfter(failure, failures, set.every, isServed) }
      },
      Effect.withSpan("Refresher.refresh", { attributes: { question: name }, root: true })
    )

    const polling = Effect.fnUntraced(function* (set: DataSet<A>) {
      // What another process brought is taken over before the next poll is due.
      const changed = yield* Latch.make(false)
      yield* Effect.forkScoped(
        Stream.runForEach(set.changes, () => changed.open),
        { startImmediately: true }
      )
      let failures = 0
      const round = Effect.gen(function* () {
        const result = yield* refresh(set, failures)
        failures = result.failures
        yield* changed.close
        const pause = Duration.times(result.pause, yield* Random.nextBetween(1, 1.2))
        dueOf.set(set, (yield* Clock.currentTimeMillis) + Duration.toMillis(pause))
        const serving = sources.find(({ source }) => source === origin.value?.first)
        origin.due = dueOf.get(serving ?? set) ?? Infinity
        yield* Effect.raceFirst(Effect.sleep(pause), changed.await)
      })
      yield* Effect.raceFirst(wanted.await, Effect.sleep(startAfter ?? 0))
      yield* wanted.open
      yield* Effect.sleep(isRestored ? SERVE_FIRST : 0)
      yield* Effect.forever(round)
    })

    const restore = yield* Effect.cached(
      Effect.gen(function* () {
        for (const set of sources) {
          const kept = Option.getOrUndefined(yield* set.last)
          if (kept !== undefined) keep(set, kept, false)
        }
        yield* decideNow
        isRestored = origin.value !== undefined
        if (isRestored) yield* decided.open
      })
    )
    // Reading snapshots back takes time: a question that starts later restores them when it is first asked.
    if (startAfter === undefined) yield* restore
    yield* Effect.forEach(sources, (set) => Effect.forkScoped(polling(set), { startImmediately: true }))
    yield* wanted.await.pipe(
      Effect.andThen(Effect.sleep(BETTER_WITHIN)),
      Effect.andThen(Effect.sync(() => (isOverdue = true))),
      Effect.andThen(settle),
      Effect.forkScoped({ startImmediately: true })
    )

    let decidedAt = -Infinity
    /** Repeats the choice, once, when a served row has become too old. */
    const current = Effect.gen(function* () {
      yield* restore
      const now = yield* Clock.currentTimeMillis
      if (now > origin.goodUntil && decidedAt <= origin.goodUntil) {
        decidedAt = now
        yield* decideNow
      }
      const served = yield* read(origin)
      return now <= origin.goodUntil ? served : undefined
    })
    const unavailable = new Unavailable({
      question: name,
      retryAfter: Math.ceil(Math.min(60, Duration.toSeconds(sources[0]?.every ?? Duration.minutes(1))))
    })
    const orUnavailable = (served: Served.Served<A, R> | undefined) =>
      served === undefined ? Effect.fail(unavailable) : Effect.succeed(served)

    return {
      answer: Effect.gen(function* () {
        const served = decided.isOpen() ? yield* current : undefined
        if (served !== undefined || decided.isOpen()) return yield* orUnavailable(served)
        yield* wanted.open
        yield* Patience.waitFor(decided.await)
        return yield* orUnavailable(yield* current)
      }),
      current: Effect.map(current, Option.fromUndefinedOr),
      last: Effect.gen(function* () {
        yield* restore
        const served = yield* read(origin)
        return Option.fromUndefinedOr(served ?? (yield* read(held))[0]?.snapshot)
      }),
      held: Effect.map(read(held), () => sources.map((set) => heldOf.get(set)?.rows ?? new Map())),
      decided: decided.await
    }
  })

/** A question that one source answers; its figures are compared with nothing. */
export const single = <A>(
  options: Omit<RefresherOptions<A, A>, "sources" | "rows"> & { readonly source: DataSet<A> }
): Effect.Effect<Refresher<A>, never, Scope.Scope> => make({ ...options, sources: [options.source], rows: whole<A>() })

/**
 * The pause after a failure: 1 s while nothing is served, doubled with each further failure up to 10 s; 15 s while something is,
 * doubled up to the interval. A budget that is spent is waited for where that is sooner.
 */
const retryAfter = (
  { reason }: SourceError,
  failures: number,
  every: Duration.Duration,
  isServed: boolean
): Duration.Duration => {
  const longest = isServed ? every : Duration.min(every, Duration.seconds(10))
  const backoff = Duration.min(
    longest,
    Duration.times(Duration.seconds(isServed ? 15 : 1), 2 ** Math.min(failures, 12))
  )
  return reason._tag === "OverBudget" ? Duration.min(backoff, Duration.seconds(reason.retryAfter + 0.05)) : backoff
}

// The first failure of a kind is a warning; its repetitions are for debugging. Of a source that another replica asks, that replica
// tells.
const reporting = (name: string) => {
  const lastReasons = new Map<string, string>()
  return (source: string, failure: SourceError | undefined) => {
    if (failure === undefined) return Effect.sync(() => lastReasons.delete(source))
    const { _tag } = failure.reason
    const isNew = lastReasons.get(source) !== _tag && _tag !== "NotShared"
    lastReasons.set(source, _tag)
    return Effect.logWithLevel(isNew ? "Warn" : "Debug")(`${name}: ${failure.message}`)
  }
}

const unusable = (set: DataSet<unknown>, detail: string) =>
  new SourceError({ source: set.source, reason: new Unusable({ detail }) })
