// The circuit breakers around the look-ups of one source. A circuit opens after three failures in a row, for 5 to 30 s, because
// callers cause look-ups and must not load a failing source.
import { Cause, Duration, Effect, Layer, Option, Schedule } from "effect"
import { CircuitBreaker } from "effect/persistence"
import { SourceError, Suspended } from "./SourceError.ts"

/**
 * Makes the circuits of the source with this id, in memory. `note` receives whether a circuit is open. While it is, look-ups
 * fail with `error` and send no request.
 */
export const make = Effect.fnUntraced(function* (
  id: string,
  note: (circuit: string, isOpen: boolean) => Effect.Effect<void>,
  error: (reason: Suspended) => SourceError
) {
  const breaker = yield* CircuitBreaker.make({
    tripPolicy: CircuitBreaker.consecutive(3),
    openDuration: Schedule.exponential("5 seconds").pipe(Schedule.upTo({ duration: "30 seconds" }))
  }).pipe(Effect.provide(Layer.fresh(CircuitBreaker.layerStoreMemory())))

  /** An HTML page with status 200 counts as a failure too. */
  return <A>(circuit: string, lookUp: Effect.Effect<A, SourceError>): Effect.Effect<A, SourceError> => {
    const key = `source:${id}:${circuit}`
    const noteState = Effect.flatMap(breaker.state(key), ({ _tag }) => note(circuit, _tag === "Open"))
    return lookUp.pipe(
      breaker.execute({
        key,
        classify: (exit) => {
          if (exit._tag === "Success") return CircuitBreaker.success
          const failure = Option.getOrUndefined(Cause.findErrorOption(exit.cause))
          return failure instanceof SourceError ? outcomeOf(failure) : CircuitBreaker.ignored
        }
      }),
      Effect.catchTag("CircuitBreakerError", ({ reason }) => {
        const retryAfter = reason._tag === "CircuitOpen" ? Math.max(1, Duration.toSeconds(reason.retryAfter)) : 1
        return error(new Suspended({ retryAfter }))
      }),
      Effect.ensuring(Effect.ignore(noteState))
    )
  }
})

/** Statuses by which a working source refuses one request, such as for an unknown coin or too many ids. */
const ofRequest: ReadonlySet<number> = new Set([400, 404, 413, 414, 422])

/** One caller's request must not suspend the look-ups of all others. Calls that were not made and 429s do not count. */
const outcomeOf = ({ reason, wasCalled }: SourceError): CircuitBreaker.Outcome => {
  if (reason._tag === "BadStatus" && ofRequest.has(reason.status)) return CircuitBreaker.success
  return wasCalled && reason._tag !== "RateLimited" ? CircuitBreaker.failure() : CircuitBreaker.ignored
}
