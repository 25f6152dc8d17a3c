// Says in one line that no source can be reached, soon after the start: a machine without a network fails at each source for a reason of
// its own, and forty warnings hide the one that matters.
import { DateTime, Effect, Schedule } from "effect"
import { SourceStatus } from "./SourceStatus.ts"

/** What to check where no source answers. */
export const NO_SOURCE =
  "No source can be reached: check this machine's network, its DNS, and that firewalls let it make HTTPS requests"

/** The time in which the first answers come. */
const WITHIN = "3 seconds"

/** With what was saved before, nothing is missing yet: so often it is looked again whether sources fail. */
const LATER = Schedule.max([Schedule.spaced("1 second"), Schedule.recurs(30)])

/** Ends when a source has answered, or when it was said that none does. */
export const report: Effect.Effect<void, never, SourceStatus> = Effect.gen(function* () {
  const { current } = yield* SourceStatus
  const started = yield* DateTime.now
  yield* Effect.sleep(WITHIN)
  const look = Effect.gen(function* () {
    const sets = (yield* current).sources.filter(({ enabled }) => enabled).flatMap(({ data_sets }) => data_sets)
    if (sets.length === 0) return true
    if (sets.some(({ last_success: at }) => at !== null && DateTime.isGreaterThanOrEqualTo(at, started))) return true
    const fails =
      sets.every(({ last_success }) => last_success === null) || sets.some(({ last_error }) => last_error !== null)
    if (fails) yield* Effect.logWarning(`${NO_SOURCE}. The service goes on trying; doctor says what each of them does`)
    return fails
  })
  yield* Effect.repeat(look, { until: (isSaid) => isSaid, schedule: LATER })
})
