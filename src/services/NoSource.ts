// Logs one warning if no source answers soon after the start. Without a network each source fails with a warning of its
// own, and forty of them hide the cause.
import { DateTime, Effect, Schedule } from "effect"
import { SourceStatus } from "./SourceStatus.ts"

const CHECK = "check this machine's network, its DNS, and that firewalls let it make HTTPS requests"

export const NO_SOURCE = `No source can be reached: ${CHECK}`

/** First answers arrive within this time. */
const WITHIN = "3 seconds"

/** With saved data maybe no source is due yet, so the states are read again every second, up to 30 times. */
const LATER = Schedule.max([Schedule.spaced("1 second"), Schedule.recurs(30)])

/** Messages of `SourceError` on a machine without a network. */
const withoutNetwork = /could not be reached|did not answer within/

/**
 * Completes when a source has answered, after the warning, or after the last check. `isSandbox`: the sources are in this process, so
 * the network is not the cause.
 */
export const report = Effect.fnUntraced(function* (isSandbox: boolean): Effect.fn.Return<void, never, SourceStatus> {
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
      const hint = isSandbox
        ? "this machine is overloaded. The service keeps trying"
        : `${CHECK}. The service keeps trying; \`doctor\` shows the error of each source`
      yield* Effect.logWarning(`No source has answered since the start: ${hint}`)
    }
    return fails
  })
  yield* Effect.repeat(look, { until: (isSaid) => isSaid, schedule: LATER })
})
