// How failures of a source count for its circuit breaker.
import { Duration } from "effect"
import { CircuitBreaker } from "effect/persistence"
import { SourceError, Suspended } from "./SourceError.ts"

/** What a failure means for the circuit: calls that were not made and 429 do not count, 404 counts as a success. */
export const outcomeOf = (failure: unknown): CircuitBreaker.Outcome => {
  if (!(failure instanceof SourceError)) return CircuitBreaker.ignored
  switch (failure.reason._tag) {
    case "OverBudget":
    case "Disabled":
    case "NotShared":
    case "RateLimited":
      return CircuitBreaker.ignored
    case "BadStatus":
      return failure.reason.status === 404 ? CircuitBreaker.success : CircuitBreaker.failure()
    default:
      return CircuitBreaker.failure()
  }
}

/** The error while the circuit is open. */
export const rest = ({ reason }: CircuitBreaker.CircuitBreakerError) =>
  new Suspended({ retryAfter: reason._tag === "CircuitOpen" ? Math.max(1, Duration.toSeconds(reason.retryAfter)) : 1 })
