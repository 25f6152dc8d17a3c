// Retries of calls to a source.
import { Effect, Random } from "effect"
import type { SourceError } from "./SourceError.ts"

/** Retries transient failures after 200 to 300 ms. If the budget allows no retry, it fails with the first failure. */
export const retried = <A>(once: Effect.Effect<A, SourceError>, times: number): Effect.Effect<A, SourceError> =>
  Effect.catch(once, (failure) => {
    if (!failure.isTransient || times === 0) return failure
    return Random.nextBetween(200, 300).pipe(
      Effect.flatMap(Effect.sleep),
      Effect.andThen(retried(once, times - 1)),
      Effect.mapError((later) => (later.reason._tag === "OverBudget" ? failure : later))
    )
  })
