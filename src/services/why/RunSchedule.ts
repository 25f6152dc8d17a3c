// When this process explains again: every five minutes, sooner after a start and while something is missing, later if
// another process explains for all.
import { DateTime, Duration } from "effect"
import type { Turn } from "../../sources/dataset/Replicas.ts"
import { isComplete } from "../../why/RunFacts.ts"
import type { RunState } from "../../why/RunState.ts"

/** Between the starts of two runs. */
const RUN_EVERY = Duration.minutes(5)

/** After this long without a new run of the process that has the turn, the others explain for themselves. */
const LATE = Duration.times(RUN_EVERY, 3)

/** How long after a start feeds arrive, in milliseconds: until then runs are frequent. */
const STARTING = 20_000

/** The same for hourly prices, which may have to wait for a small budget. */
const SETTLING = 180_000

/** How long after a run began the next is due. `uptime`: milliseconds from the start of the process to that run. */
export const pauseAfter = (uptime: number, complete: boolean): Duration.Duration => {
  if (uptime < STARTING) return Duration.seconds(complete ? 5 : 1)
  if (complete) return RUN_EVERY
  return Duration.seconds(uptime < SETTLING ? 5 : 60)
}

/**
 * When this process runs next, epoch milliseconds. While another process has the turn, or Redis is down, it runs only
 * if the shown run is late. Without Redis it also runs if the shown run is incomplete.
 */
export const dueAt = ({ nextAt, shown }: RunState, turn: Turn): number =>
  turn === "mine" || shown === undefined || (turn === "unknown" && !isComplete(shown.facts))
    ? nextAt
    : Math.max(nextAt, DateTime.toEpochMillis(shown.run.retrievedAt) + Duration.toMillis(LATE))
