// Says in one line that no source answers, soon after the start: a machine without a network fails at each source for a reason of its
// own, and forty warnings hide the one that matters.
import { DateTime, Effect, Schedule } from "effect"
import { SourceStatus } from "./SourceStatus.ts"

const CHECK = "check this machine's network, its DNS, and that firewalls let it make HTTPS requests"

/** What to check when no source can be reached. */
export const NO_SOURCE = `No source can be reached: ${CHECK}`

/** The time in which the first answers come. */
const WITHIN = "3 seconds"

/** With saved data nothing is missing yet. So often the states are read again, until sources fail. */
const LATER = Schedule.max([Schedule.spaced("1 second"), Schedule.recurs(30)])

/** Failures that a machine without a network has, by the words of `SourceError`. */
const withoutNetwork = /could not be reached|did not answer within/

/** Ends when a source has answered, or after the warning that none has. */
export const report: Effect.Effect<void, never, SourceStatus> = Effect.gen(function* () {
  const { current } = yield* SourceStatus
  const started = yield* DateTime.now
  const isSince = (at: DateTime.Utc | null) => at !== null && DateTime.isGreaterThanOrEqualTo(at, started)
  yield* Effect.sleep(WITHIN)
  const look = Effect.gen(function* () {
    const sources = (yield* current).sources.filter(({ enabled }) => enabled)
    const sets = sources.flatMap(({ data_sets }) => data_sets)
    if (sets.length === 0 || sets.some(({ last_success }) => isSince(last_success))) return true
    const failing = sources.filter(({ data_sets }) =>
      data_sets.some(({ last_error, last_error_at }) => isSince(last_error_at) && withoutNetwork.test(last_error ?? ""))
    )
    // One source alone may be down. With saved data no other may be due yet.
    const fails = sets.every(({ last_success }) => last_success === null) || failing.length > 1
    if (fails) {
      yield* Effect.logWarning(
        `No source has answered since the start: ${CHECK}. The service keeps trying; \`doctor\` shows the error of each source`
      )
    }
    return fails
  })
  yield* Effect.repeat(look, { until: (isSaid) => isSaid, schedule: LATER })
})
