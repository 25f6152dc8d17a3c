// The metrics of calls to one source. A call is a request that was sent. Each failure is counted once: `call` counts those of requests,
// `answer` those of their content. Calls that were not made are not failures.
import { Effect, Metric } from "effect"
import type { SourceError } from "./SourceError.ts"

export const counter = (name: string, description: string) => (attributes: Readonly<Record<string, string>>) =>
  Metric.counter(name, { description, attributes, incremental: true })

const failuresOf = counter("cda_source_failures_total", "Requests to a source that brought nothing usable, by reason")

const openOf = (attributes: Readonly<Record<string, string>>) =>
  Metric.gauge("cda_source_circuit_open", {
    description: "1 while look-ups are withheld after repeated failures, as of the last attempt; else 0",
    attributes
  })

/** Failures of the content. All other failures of a call are counted with the request. */
const ofContent: ReadonlySet<string> = new Set(["Undecodable", "Rejected", "Unusable"])

/** The reasons why a call can fail. */
const failureReasons = ["Unreachable", "TimedOut", "RateLimited", "BadStatus", "TooLarge", ...ofContent]

/** The metrics of the source with this id. Its counters start at 0. */
export const make = (source: string) => {
  const calls = counter("cda_source_calls_total", "Requests sent to a source, retries included")({ source })
  const refusals = counter(
    "cda_source_budget_refusals_total",
    "Requests to a source that were not sent, because our budget of calls was spent"
  )({ source })

  const count = ({ reason: { _tag: reason } }: SourceError) => Metric.update(failuresOf({ source, reason }), 1)

  const metrics = {
    /** Wraps one request. */
    call: <A, R>(request: Effect.Effect<A, SourceError, R>) =>
      Effect.andThen(Metric.update(calls, 1), Effect.tapError(request, count)),
    /** Wraps the decoding and use of responses. */
    answer: <A, R>(use: Effect.Effect<A, SourceError, R>) =>
      Effect.tapError(use, (failure) => (ofContent.has(failure.reason._tag) ? count(failure) : Effect.void)),
    overBudget: Metric.update(refusals, 1),
    circuit: (circuit: string, isOpen: boolean) => Metric.update(openOf({ source, circuit }), isOpen ? 1 : 0)
  }
  const atZero = failureReasons.map((reason) => Metric.update(failuresOf({ source, reason }), 0))
  return Effect.as(Effect.all([Metric.update(calls, 0), Metric.update(refusals, 0), ...atZero]), metrics)
}
