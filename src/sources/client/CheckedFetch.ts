// Checks a source's figures against the bounds of `domain/Plausibility.ts` before they are stored, and again when a saved snapshot is
// read back. Figures out of bounds are dropped, logged and counted. If too few figures remain, the fetch fails, and the next source is
// used.
import { DateTime, Effect, Metric } from "effect"
import type { Check } from "../../domain/Plausibility.ts"
import { AHEAD } from "../../domain/Thresholds.ts"
import * as Snapshot from "../../domain/Snapshot.ts"
import { counter } from "./SourceMetrics.ts"
import { SourceError, Unusable } from "./SourceError.ts"

const leftOutOf = counter(
  "cda_source_implausible_total",
  "Figures of a source that were left out, because they cannot be true"
)

/**
 * Checks a snapshot, fetched or saved. `id`: the source's, for the metric. Fails if nothing plausible is left, or if the answer's time
 * is more than a minute ahead of our clock.
 */
export const checked = Effect.fnUntraced(function* <A>(
  fetched: Snapshot.Snapshot<A>,
  options: {
    readonly id: string
    readonly check: Check<A>
    readonly remark: (text: string) => Effect.Effect<void>
  }
) {
  const { retrievedAt, source } = fetched
  const unusable = (detail: string) => new SourceError({ source, reason: new Unusable({ detail }) })
  if (fetched.observedAt.epochMilliseconds > retrievedAt.epochMilliseconds + AHEAD) {
    yield* Metric.update(leftOutOf({ source: options.id, figure: "updated" }), 1)
    return yield* unusable("a time ahead of this machine's clock")
  }
  const { leftOut, newest, value } = options.check(fetched.value, { now: retrievedAt })
  for (const [figure, count] of leftOut) {
    yield* Metric.update(leftOutOf({ source: options.id, figure }), count)
  }
  if (leftOut.size > 0) {
    const counts = [...leftOut].map(([figure, count]) => `${figure}: ${count}`).join(", ")
    yield* options.remark(`implausible figures ignored (${counts})`)
  }
  if (value === null) return yield* unusable("too few plausible figures")
  return Snapshot.make({
    ...fetched,
    value,
    observedAt: DateTime.min(fetched.observedAt, newest ?? fetched.observedAt)
  })
})
