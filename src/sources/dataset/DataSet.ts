// One data set of one source: its last snapshot, and the polls that replace it. `nextStep.ts` decides when it fetches. Concurrent
// callers share a fetch, a failed fetch keeps the last snapshot, an older observation never replaces a newer one, and snapshots are
// saved for restarts and replicas. The loop survives defects, those of its poller included.
import { Cache, Clock, DateTime, Duration, Effect, Option, Random, Result } from "effect"
import * as Snapshot from "../../domain/Snapshot.ts"
import * as Age from "./Age.ts"
import { backoff, isLate, MOST_JITTER, nextStep, type Polling, restOf, turnIn } from "./nextStep.ts"
import { renewing } from "./Replicas.ts"
import * as SnapshotStore from "./SnapshotStore.ts"
import { type Fetched, NotShared, SourceError, Unusable } from "../client/SourceError.ts"

/** One data set of one source. */
export interface DataSet<out A> {
  /** Unique among all data sets. The data sets of one source share their `source`. */
  readonly key: string
  /** The source's name, as in stamps. */
  readonly source: string
  /** The polling interval. */
  readonly every: Duration.Duration
  /** How old the source's figures may be when they are fetched, because it publishes in steps. */
  readonly lag: Duration.Duration
  /** Whether the operator switched it off. Then it is not polled. */
  readonly isOff: boolean
  /**
   * The last snapshot if it was retrieved less than `every` ago, else a new one. Concurrent callers share the fetch. If the fetch fails,
   * `get` fails and `last` is unchanged. Until the pause after a failure is over, `get` fails with it and fetches nothing.
   */
  readonly get: Fetched<A>
  /** The last good snapshot, however old. */
  readonly last: Effect.Effect<Option.Option<Snapshot.Snapshot<A>>>
  /** The last snapshot, without reading saved data, and the result of the last poll. */
  readonly state: () => State<A>
  /** The times of the last snapshot, and the last failure. */
  readonly status: Effect.Effect<DataSetStatus>
  /**
   * Polls the source at its interval, sooner after a failure, and adopts the snapshots of other replicas. Never ends.
   */
  poll(poller: Poller<A>): Effect.Effect<never>
}

/** The last snapshot, and the result of the last poll. */
export interface State<out A> {
  readonly snapshot: Snapshot.Snapshot<A> | undefined
  readonly isFailing: boolean
  /** Whether a poll has succeeded or failed since the start. */
  readonly isSettled: boolean
}

/** The state of a data set for `/v1/sources`. */
export interface DataSetStatus {
  /** The times of the last snapshot; the last successful fetch retrieved it. */
  readonly snapshot: Pick<Snapshot.Snapshot<unknown>, "observedAt" | "retrievedAt"> | null
  /** The last failure since the start, even if a success followed. Never contains text of the source. */
  readonly failed: {
    readonly at: DateTime.Utc
    readonly reason: SourceError["reason"]["_tag"]
    readonly message: string
  } | null
}

/** The owner of the polling of a data set. */
export interface Poller<A> {
  /** The name of the poller's question, for log lines and spans. */
  readonly question: string
  /** Runs after each poll, including those of another replica. */
  judge(result: Result.Result<Snapshot.Snapshot<A>, SourceError>): Effect.Effect<Verdict>
  /** Receives the time of the next poll, epoch milliseconds. */
  readonly plan: (due: number) => void
}

/** The poller's judgement of a poll. */
export interface Verdict {
  readonly failure?: SourceError | undefined
  /** Whether the question has an answer now from any source, which decides how soon a failed poll is retried. */
  readonly isServed: boolean
}

/** Makes a data set. It fetches nothing, and reads no saved snapshot, before the first call. */
export const make = Effect.fnUntraced(function* <A>(options: {
  readonly key: string
  readonly source: string
  readonly every: Duration.Input
  /** Default: 0. */
  readonly lag?: Duration.Input
  readonly fetch: Fetched<A>
  readonly isOff?: boolean
  /** How it is saved and shared, under its key. */
  readonly keeping?: Omit<SnapshotStore.Keeping<A>, "name">
}) {
  const { key, source } = options
  const every = Duration.fromInputUnsafe(options.every)
  const entry =
    options.keeping === undefined
      ? SnapshotStore.none
      : yield* SnapshotStore.make(source, { ...options.keeping, name: key })
  const failureOf = (reason: SourceError["reason"]) => new SourceError({ source, reason })

  let polling: Polling<A> = {
    every,
    startedAt: yield* Clock.currentTimeMillis,
    snapshot: undefined,
    polled: undefined,
    standing: "follows",
    failures: 0,
    pausedUntil: -Infinity
  }
  const isFailing = () => polling.polled !== undefined && Result.isFailure(polling.polled)
  const change = (changes: Partial<Polling<A>>) => void (polling = { ...polling, ...changes })
  let failed: DataSetStatus["failed"] = null
  let isRestored = false
  let poller: Poller<A> = {
    question: key,
    judge: (result) => Effect.succeed({ failure: Option.getOrUndefined(Result.getFailure(result)), isServed: true }),
    plan: () => {}
  }

  // Otherwise a snapshot from before our clock was set back would count as the newest until that time comes.
  const keepNewer = (next: Snapshot.Snapshot<A>, now: DateTime.Utc) => {
    const { snapshot } = polling
    const newest = snapshot === undefined || Age.isAhead(snapshot, now) ? next : Snapshot.newerOf(snapshot, next)
    change({ snapshot: newest })
    return newest
  }

  /** Adopts a newer shared snapshot, and shares this process's own if that is newer, so that replicas converge. */
  const look = Effect.fnUntraced(function* (wants: boolean, isRenewal = false) {
    const { dueIn, found, turn } = yield* entry.look(wants, isRenewal)
    const { snapshot: before } = polling
    const now = yield* DateTime.now
    if (found === "unusable") change({ standing: "apart" })
    if (typeof found !== "string") {
      change({ standing: "follows", failures: 0 })
      const newest = keepNewer(found, now)
      if (!Snapshot.hasTimesOf(newest, found)) yield* entry.save(newest)
    } else if (found === "nothing" && before !== undefined && turn === "other") {
      yield* entry.settle(before, Duration.millis(restOf(polling, now.epochMilliseconds)))
    }
    isRestored = true
    return { dueIn, turn, isNew: polling.snapshot !== before }
  }, Effect.uninterruptible)
  const restored = Effect.suspend(() => (isRestored ? Effect.void : look(false)))

  const bug = (defect: unknown) =>
    Effect.as(
      Effect.logError(`${poller.question}: bug while polling ${source}, the last data stays`, defect),
      failureOf(new Unusable({ detail: "an answer that our own code fails on" }))
    )

  const fetch = Effect.gen(function* () {
    const began = yield* DateTime.now
    const fetching = Effect.catchDefect(options.fetch, (defect) => Effect.flatMap(bug(defect), Effect.fail))
    const next = yield* renewing(look(true, true))(fetching)
    // If this process was frozen, another replica may have fetched a newer snapshot meanwhile.
    const turn = turnIn(polling, yield* look(true))
    const { snapshot } = polling
    if (turn === "other" && snapshot !== undefined && DateTime.isGreaterThan(snapshot.retrievedAt, began))
      return snapshot
    if (turn !== "unknown") change({ standing: turn === "mine" ? "leads" : "follows" })
    return keepNewer(next, yield* DateTime.now)
  }).pipe(Effect.onInterrupt(() => entry.settle(undefined, Duration.zero)))

  /** Records the result of a poll. A failure of our own budget does not replace an earlier failure that no success has ended. */
  const note = Effect.fnUntraced(function* (polled: Result.Result<Snapshot.Snapshot<A>, SourceError>) {
    change({ polled })
    if (Result.isSuccess(polled)) return
    const at = yield* DateTime.now
    const { message, reason } = polled.failure
    const { snapshot } = polling
    const isOver = failed === null || (snapshot !== undefined && !DateTime.isLessThan(snapshot.retrievedAt, failed.at))
    if (reason._tag !== "OverBudget" || isOver) failed = { at, reason: reason._tag, message }
  })

  const judged = (polled: Result.Result<Snapshot.Snapshot<A>, SourceError>) =>
    Effect.andThen(note(polled), poller.judge(polled))

  const pauseAfter = Effect.fnUntraced(function* (failure: SourceError | undefined, isServed: boolean) {
    change({ failures: failure === undefined ? 0 : polling.failures + 1 })
    const planned = failure === undefined ? every : backoff(failure, polling.failures, every, isServed)
    return Duration.times(planned, yield* Random.nextBetween(1, MOST_JITTER))
  })

  const pauseFor = (rest: Duration.Duration) =>
    Effect.map(Clock.currentTimeMillis, (now) => change({ pausedUntil: now + Duration.toMillis(rest) }))

  /** Calls the source and ends the lease. */
  const ask = Effect.gen(function* () {
    const result = yield* Effect.result(fetch)
    const { failure, isServed } = yield* judged(result)
    const rest = yield* pauseAfter(failure, isServed)
    // If the connection failed, the lease passes to another process, which may have another network.
    const isPassedOn = failure !== undefined && failure.isCutOff
    yield* entry.settle(Result.isSuccess(result) ? polling.snapshot : undefined, isPassedOn ? Duration.zero : rest)
    // The pause begins after the entry is written: otherwise this process would look just before the next fetch is due, and lose its head start.
    yield* pauseFor(rest)
    poller.plan(polling.pausedUntil)
  }).pipe((asking) =>
    Effect.suspend(() =>
      Effect.withSpan(asking, "Refresher.refresh", { attributes: { question: poller.question }, root: true })
    )
  )

  /** Does the next step; the milliseconds until the one after it. */
  const round = Effect.gen(function* () {
    yield* restored
    const seen = yield* look(restOf(polling, yield* Clock.currentTimeMillis) <= 0)
    const now = yield* Clock.currentTimeMillis
    const step = nextStep(polling, seen, now)
    if (step._tag === "Wait") return step.millis
    if (step._tag === "Fetch") yield* ask
    else if (step._tag === "Late") yield* judged(Result.fail(failureOf(new NotShared())))
    else {
      yield* judged(Result.succeed(step.snapshot))
      poller.plan(now + Duration.toMillis(every))
    }
    return 0
  }).pipe(
    Effect.catchDefect((defect) =>
      Effect.gen(function* () {
        const failure = yield* bug(defect)
        yield* note(Result.fail(failure))
        const rest = yield* pauseAfter(failure, polling.snapshot !== undefined)
        yield* pauseFor(rest)
        return Duration.toMillis(rest)
      })
    )
  )
  // A cache of one entry that is never fresh: concurrent callers share the round.
  const flight = yield* Cache.makeWith(() => round, { capacity: 1, timeToLive: () => Duration.zero })
  const next = Cache.get(flight, "round")

  const get = Effect.gen(function* () {
    yield* restored
    const now = yield* DateTime.now
    if (polling.snapshot !== undefined && Age.isRecent(polling.snapshot, every, now)) return polling.snapshot
    // Callers obey the pause after a failure. They do not wait for the jitter after a success.
    if (!isFailing()) change({ pausedUntil: -Infinity })
    if (restOf(polling, now.epochMilliseconds) <= 0) yield* next
    const { polled, snapshot } = polling
    if (polled !== undefined && Result.isFailure(polled)) return yield* polled.failure
    if (snapshot === undefined || isLate(polling, yield* Clock.currentTimeMillis)) {
      return yield* failureOf(new NotShared())
    }
    return snapshot
  })

  return {
    key,
    source,
    every,
    lag: Duration.fromInputUnsafe(options.lag ?? 0),
    isOff: options.isOff === true,
    get,
    last: Effect.map(restored, () => Option.fromUndefinedOr(polling.snapshot)),
    state: () => {
      const { polled, snapshot } = polling
      return { snapshot, isFailing: isFailing(), isSettled: polled !== undefined }
    },
    status: Effect.map(restored, () => ({ snapshot: polling.snapshot ?? null, failed })),
    poll: (by: Poller<A>) =>
      Effect.suspend(() => {
        poller = by
        return Effect.forever(Effect.flatMap(next, Effect.sleep))
      })
  } satisfies DataSet<A>
})
