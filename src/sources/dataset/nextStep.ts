// What a data set does next, decided from its state, its shared entry and the time. Pure: `DataSet` runs the steps.
import { DateTime, Duration, Result } from "effect"
import type { Snapshot } from "../../domain/Snapshot.ts"
import type { SourceError } from "../client/SourceError.ts"
import * as Age from "./Age.ts"
import { type Turn, waitFor } from "./Replicas.ts"

/**
 * The part of this process in the polling of a data set. `leads`: it fetched last, and keeps polling while Redis is away. `apart`: the
 * shared snapshot is from another base URL or version, so it polls without a lease.
 */
export type Standing = "leads" | "follows" | "apart"

/** The state of a data set in this process. Times are epoch milliseconds. */
export interface Polling<out A> {
  readonly every: Duration.Duration
  readonly startedAt: number
  readonly snapshot: Snapshot<A> | undefined
  /** The result of the last poll, of this process or of another replica; `undefined` before the first. */
  readonly polled: Result.Result<unknown, SourceError> | undefined
  readonly standing: Standing
  /** Failed polls of this process since its last success. */
  readonly failures: number
  /** This process does not fetch before. */
  readonly pausedUntil: number
}

/** The shared entry. `isNew`: it brought a newer snapshot. */
export interface Seen {
  readonly turn: Turn
  readonly dueIn: Duration.Duration
  readonly isNew: boolean
}

/** `Adopt`: judge the snapshot of another replica, or a saved one. `Late`: no replica has brought a snapshot in time. */
export type Step<A> =
  | { readonly _tag: "Fetch" }
  | { readonly _tag: "Adopt"; readonly snapshot: Snapshot<A> }
  | { readonly _tag: "Late" }
  | { readonly _tag: "Wait"; readonly millis: number }

/** If another replica's snapshot is older than 1.5 intervals plus this, the source counts as failing. */
const OTHERS_DELAY = Duration.seconds(10)

/** A new process waits this long for the snapshot of the replica that has the lease, in milliseconds. */
const FIRST_WAIT = 5_000

/** A process that did not fetch last polls without a lease once its snapshot is this many intervals old. */
const MISSED = 3

/** In intervals. An entry of a replica of another version may be due later than this. Then this process polls by itself. */
const LONGEST_DUE = 1.5

/** Pauses are up to this much longer than planned, so that sources are not called at the same time. */
export const MOST_JITTER = 1.1

/** The longest pause of a failing data set, so that one that is fetched once a day soon recovers. */
const LONGEST_BACKOFF = Duration.hours(2)

const isRecent = ({ snapshot }: Polling<unknown>, limit: Duration.Duration, now: number): boolean =>
  snapshot !== undefined && Age.isRecent(snapshot, limit, DateTime.makeUnsafe(now))

/** The milliseconds until this process may fetch: until the next poll is due and its pause is over. */
export const restOf = (polling: Polling<unknown>, now: number): number => {
  const { every, pausedUntil, snapshot } = polling
  const due = snapshot !== undefined && isRecent(polling, every, now) ? Age.recentUntil(snapshot, every) : now
  // No pause is made so long: this one dates from before our clock was set back.
  const isPaused = pausedUntil - now <= MOST_JITTER * Duration.toMillis(every)
  return Math.max(due, isPaused ? pausedUntil : now) - now
}

/** Whether the replica with the lease is so late that its source must be failing. */
export const isLate = (polling: Polling<unknown>, now: number): boolean =>
  !isRecent(polling, Duration.sum(Duration.times(polling.every, 1.5), OTHERS_DELAY), now) &&
  now - polling.startedAt >= FIRST_WAIT

/** Who has the lease, as far as it concerns this process: the lease of a replica of another address or version does not. */
export const turnIn = ({ every, standing }: Polling<unknown>, { dueIn, turn }: Pick<Seen, "dueIn" | "turn">): Turn => {
  const isForeign = standing === "apart" || Duration.isGreaterThan(dueIn, Duration.times(every, LONGEST_DUE))
  return turn === "other" && isForeign ? "unknown" : turn
}

/** Whether this process may fetch when a poll is due. */
const mayFetch = (polling: Polling<unknown>, seen: Seen, now: number): boolean => {
  const turn = turnIn(polling, seen)
  const isMissed = !isRecent(polling, Duration.times(polling.every, MISSED), now)
  return turn === "mine" || (turn === "unknown" && (polling.standing === "leads" || isMissed))
}

export const nextStep = <A>(polling: Polling<A>, seen: Seen, now: number): Step<A> => {
  const { every, polled, snapshot } = polling
  const rest = restOf(polling, now)
  if (rest <= 0 && mayFetch(polling, seen, now)) return { _tag: "Fetch" }
  const isRestored = polled === undefined && isRecent(polling, every, now)
  if (snapshot !== undefined && (seen.isNew || isRestored)) return { _tag: "Adopt", snapshot }
  const isFailing = polled !== undefined && Result.isFailure(polled)
  if (!isFailing && isLate(polling, now)) return { _tag: "Late" }
  return { _tag: "Wait", millis: Duration.toMillis(waitFor(seen.dueIn, seen.turn, rest)) }
}

/**
 * The pause after `failures` failed polls. If nothing is served: 1 s, doubled with each failure up to 10 s. Else: 15 s, doubled up to the
 * interval, or {@link LONGEST_BACKOFF}. If the budget is spent: the wait for a free call, if that is shorter.
 */
export const backoff = (
  { reason }: SourceError,
  failures: number,
  every: Duration.Duration,
  isServed: boolean
): Duration.Duration => {
  const longest = Duration.min(every, isServed ? LONGEST_BACKOFF : Duration.seconds(10))
  const doubled = Duration.times(Duration.seconds(isServed ? 15 : 1), 2 ** Math.min(failures - 1, 12))
  const pause = Duration.min(longest, doubled)
  return reason._tag === "OverBudget" ? Duration.min(pause, Duration.seconds(reason.retryAfter + 0.05)) : pause
}
