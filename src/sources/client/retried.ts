// The retries of one request to a source, after a pause of a quarter of a second.
import { Effect, Random } from "effect"
import type { SourceError } from "./SourceError.ts"

/** Retries transient failures. Where the budget has no call left for that, the first failure is reported. */
export const retried = <A>(once: Effect.Effect<A, SourceError>, times: number): Effect.Effect<A, SourceError> =>
  Effect.catch(once, (failure) => {
    if (!failure.isTransient || times === 0) return Effect.fail(failure)
    return Random.nextBetween(200, 300).pipe(
      Effect.flatMap(Effect.sleep),
      Effect.andThen(retried(once, times - 1)),
      Effect.mapError((later) => (later.reason._tag === "OverBudget" ? failure : later))
    )
  })
