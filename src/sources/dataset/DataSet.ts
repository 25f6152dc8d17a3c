// One data set of one source: its last snapshot, and the polls that replace it. It polls when a poll is due and no
// other replica has the lease (`turn`). Concurrent callers share a fetch, a failed fetch keeps the last snapshot, an
// older observation never replaces a newer one, and snapshots are saved for restarts and replicas.
import { Cache, Clock, DateTime, Duration, Effect, Option, Random, Result } from "effect"
import * as Snapshot from "../../domain/Snapshot.ts"
import * as Age from "./Age.ts"
import { renewing, type Turn, waitFor } from "./Replicas.ts"
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
   * The last snapshot if it was retrieved less than `every` ago, else a new one. Concurrent callers share the fetch. If the
   * fetch fails, `get` fails and `last` is unchanged.
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
  judge(result: Result.Result<Snapshot.Snapshot<A>, SourceError>): Effect.Effect<Verdict<A>>
  /** Receives the time of the next poll, epoch milliseconds. */
  readonly plan: (due: number) => void
}

/** The poller's judgement of a poll. */
export interface Verdict<out A> {
  readonly failure?: SourceError | undefined
  /** Whether the question has an answer now from any source, which decides how soon a failed poll is retried. */
  readonly isServed: boolean
  /** Saved instead of the snapshot, so that a restart does not serve figures that are not confirmed yet. */
  readonly toSave?: Snapshot.Snapshot<A> | undefined
}

/** If another replica's snapshot is older than 1.5 intervals plus this, the source counts as failing. */
const OTHERS_DELAY = Duration.seconds(10)

/** While Redis is away, a process that did not fetch last polls once its snapshot is this many intervals old. */
const MISSED = 3

/** In intervals. If another replica's entry is due later than this, this process polls by itself. */
const LONGEST = 1.5

/** A new process waits this long for the snapshot of the replica that has the lease. */
const FIRST_WAIT = Duration.seconds(5)

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
  const startedAt = yield* DateTime.now
  const failureOf = (reason: SourceError["reason"]) => new SourceError({ source, reason })

  let snapshot: Snapshot.Snapshot<A> | undefined
  /** Whether the last poll failed; `undefined` before the first. */
  let isFailing: boolean | undefined
  let failed: DataSetStatus["failed"] = null
  /** Failed polls of this process since its last success. */
  let failures = 0
  /** Whether this process fetched last. If so, it keeps polling while Redis is away. */
  let isLeading = false
  /** Whether the shared snapshot is from another base URL or version. Then this process polls without a lease. */
  let isForeign = false
  /** The pause of this process, epoch milliseconds. It is ignored if `from` is in the future, because the clock was wrong. */
  let pause = { from: Infinity, until: -Infinity }
  let poller: Poller<A> = {
    question: key,
    judge: (result) => Effect.succeed({ failure: Option.getOrUndefined(Result.getFailure(result)), isServed: true }),
    plan: () => {}
  }

  const isRecent = (limit: Duration.Duration, now: DateTime.Utc) =>
    snapshot !== undefined && Age.isRecent(snapshot, limit, now)

  /** The milliseconds until this process may poll: until the next poll is due and the pause is over. */
  const restAt = (now: DateTime.Utc): number => {
    const millis = now.epochMilliseconds
    const due = snapshot !== undefined && isRecent(every, now) ? Age.recentUntil(snapshot, every) : millis
    return Math.max(due, pause.from <= millis ? pause.until : millis) - millis
  }

  // Otherwise a snapshot from before our clock was set back would count as the newest until that time comes.
  const keepNewer = (next: Snapshot.Snapshot<A>, now: DateTime.Utc) =>
    (snapshot = snapshot === undefined || Age.isAhead(snapshot, now) ? next : Snapshot.newerOf(snapshot, next))

  /** Adopts a newer shared snapshot, and shares this process's own if that is newer, so that replicas converge. */
  const look = Effect.fnUntraced(function* (wants: boolean, isRenewal = false) {
    const { dueIn, found, turn } = yield* entry.look(wants, isRenewal)
    const [before, now] = [snapshot, yield* DateTime.now]
    if (found === "unusable") isForeign = true
    if (typeof found !== "string") {
      isForeign = false
      isLeading = false
      failures = 0
      const newest = keepNewer(found, now)
      if (!Snapshot.hasTimesOf(newest, found)) yield* entry.save(newest)
    } else if (found === "nothing" && snapshot !== undefined && turn === "other") {
      yield* entry.settle(snapshot, Duration.millis(restAt(now)))
    }
    // The entry of a replica of another version may be due later than this process's interval allows. Then this process polls by
    // itself.
    const isLost = isForeign || (turn === "other" && Duration.isGreaterThan(dueIn, Duration.times(every, LONGEST)))
    return { dueIn, turn: turn === "other" && isLost ? "unknown" : turn, isNew: snapshot !== before } as const
  }, Effect.uninterruptible)
  const restored = yield* Effect.cached(look(false))

  /** Whether this process may poll when a poll is due. */
  const mayAsk = (turn: Turn, now: DateTime.Utc) =>
    turn === "mine" || (turn === "unknown" && (isLeading || !isRecent(Duration.times(every, MISSED), now)))

  const fetch = Effect.gen(function* () {
    const began = yield* DateTime.now
    const next = yield* renewing(look(true, true))(options.fetch)
    // If this process was frozen, another replica may have fetched a newer snapshot meanwhile.
    const { turn } = yield* look(true)
    if (turn === "other" && snapshot !== undefined && DateTime.isGreaterThan(snapshot.retrievedAt, began))
      return snapshot
    if (turn !== "unknown") isLeading = turn === "mine"
    return keepNewer(next, yield* DateTime.now)
  }).pipe(Effect.onInterrupt(() => entry.settle(undefined, Duration.zero)))

  /** Records a failure. One of our own budget does not replace an earlier failure that no success has ended. */
  const note = ({ message, reason: { _tag: reason } }: SourceError) =>
    Effect.map(DateTime.now, (at) => {
      const isOver =
        failed === null || (snapshot !== undefined && !DateTime.isLessThan(snapshot.retrievedAt, failed.at))
      if (reason !== "OverBudget" || isOver) failed = { at, reason, message }
    })

  const judged = Effect.fnUntraced(
    function* (asking: Fetched<A>) {
      const result = yield* Effect.result(Effect.tapError(asking, note))
      isFailing = Result.isFailure(result)
      return { result, verdict: yield* poller.judge(result) }
    },
    // A bug in one poll must not end all later ones.
    Effect.catchDefect((defect) => {
      isFailing = true
      const failure = failureOf(new Unusable({ detail: "an answer that our own code fails on" }))
      return Effect.as(
        Effect.logError(`${poller.question}: bug while polling ${source}, the last data stays`, defect),
        { result: Result.fail(failure), verdict: { failure, isServed: snapshot !== undefined, toSave: undefined } }
      )
    })
  )

  /** Calls the source and ends the lease. */
  const ask = Effect.gen(function* () {
    const { result, verdict } = yield* judged(fetch)
    const { failure } = verdict
    failures = failure === undefined ? 0 : failures + 1
    const jitter = yield* Random.nextBetween(1, 1.2)
    const rest = Duration.times(
      failure === undefined ? every : retryAfter(failure, failures, every, verdict.isServed),
      jitter
    )
    // If the connection failed, the lease passes to another process, which may have another network.
    const isPassedOn = failure !== undefined && failure.isCutOff
    yield* entry.settle(
      Result.isSuccess(result) ? (verdict.toSave ?? snapshot) : undefined,
      isPassedOn ? Duration.zero : rest
    )
    const from = yield* Clock.currentTimeMillis
    pause = { from, until: from + Duration.toMillis(rest) }
    poller.plan(pause.until)
    return result
  }).pipe((asking) =>
    Effect.suspend(() =>
      Effect.withSpan(asking, "Refresher.refresh", { attributes: { question: poller.question }, root: true })
    )
  )

  /** Whether the replica with the lease is so late that its source must be failing. */
  const isLate = (now: DateTime.Utc) =>
    !isRecent(Duration.sum(Duration.times(every, 1.5), OTHERS_DELAY), now) &&
    Duration.isGreaterThanOrEqualTo(DateTime.distance(startedAt, now), FIRST_WAIT)

  /** One round: the result of the poll, if there was one, and the wait until the next round. */
  const round = Effect.gen(function* () {
    yield* restored
    const rest = restAt(yield* DateTime.now)
    const { dueIn, isNew, turn } = yield* look(rest <= 0)
    const now = yield* DateTime.now
    if (rest <= 0 && mayAsk(turn, now)) return { result: yield* ask, wait: Duration.zero }
    let result: Result.Result<Snapshot.Snapshot<A>, SourceError> | undefined
    if (snapshot !== undefined && (isNew || (isFailing === undefined && isRecent(every, now)))) {
      result = (yield* judged(Effect.succeed(snapshot))).result
      poller.plan(now.epochMilliseconds + Duration.toMillis(every))
    } else if (isFailing !== true && isLate(now)) result = (yield* judged(failureOf(new NotShared()))).result
    return { result, wait: waitFor(dueIn, turn, restAt(yield* DateTime.now)) }
  })
  // A cache of one entry that is never fresh: concurrent callers share the round.
  const flight = yield* Cache.makeWith(() => round, { capacity: 1, timeToLive: () => Duration.zero })
  const next = Cache.get(flight, "round")

  const get = Effect.gen(function* () {
    yield* restored
    const now = yield* DateTime.now
    if (snapshot !== undefined && isRecent(every, now)) return snapshot
    // A caller does not wait for the end of a pause.
    pause = { from: Infinity, until: -Infinity }
    const { result } = yield* next
    return yield* result !== undefined
      ? Effect.fromResult(result)
      : snapshot === undefined || isLate(now)
        ? failureOf(new NotShared())
        : Effect.succeed(snapshot)
  })

  return {
    key,
    source,
    every,
    lag: Duration.fromInputUnsafe(options.lag ?? 0),
    isOff: options.isOff === true,
    get,
    last: Effect.map(restored, () => Option.fromUndefinedOr(snapshot)),
    state: () => ({ snapshot, isFailing: isFailing === true, isSettled: isFailing !== undefined }),
    status: Effect.map(restored, () => ({ snapshot: snapshot ?? null, failed })),
    poll: (by: Poller<A>) =>
      Effect.suspend(() => {
        poller = by
        return Effect.forever(Effect.flatMap(next, ({ wait }) => Effect.sleep(wait)))
      })
  } satisfies DataSet<A>
})

/**
 * The backoff after `failures` failed polls. If nothing is served: 1 s, doubled with each failure up to 10 s. Else: 15 s,
 * doubled up to the interval. If the budget is spent: the wait for a free call, if that is shorter.
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
    Duration.times(Duration.seconds(isServed ? 15 : 1), 2 ** Math.min(failures - 1, 12))
  )
  return reason._tag === "OverBudget" ? Duration.min(backoff, Duration.seconds(reason.retryAfter + 0.05)) : backoff
}
