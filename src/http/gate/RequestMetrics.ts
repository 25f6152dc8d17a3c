// Metrics of requests. They are updated for every request, so each series is made once.
import { Clock, Effect, Metric } from "effect"
import type { PlanName } from "../../access/Plan.ts"
import { rememberEach } from "../../domain/rememberEach.ts"

/** The gate's decision; `unverified`: the key could not be checked. */
export type Decision = "allowed" | "refused" | "invalid_key" | "unverified"

/** Bucket boundaries in seconds: most responses take a fraction of a millisecond, look-ups on demand up to seconds. */
const BOUNDARIES = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

export interface RequestMetrics {
  /** The start of a request, monotonic nanoseconds. */
  readonly begin: () => bigint
  /** Counts a response and returns the seconds since `began`. */
  readonly answered: (route: string, status: number, began: bigint) => number
  readonly decided: (decision: Decision, plan: PlanName) => void
}

/** The metrics in the registry of the context. */
export const make: Effect.Effect<RequestMetrics> = Effect.gen(function* () {
  const context = yield* Effect.context()
  const clock = yield* Clock.Clock

  const routes = rememberEach(Infinity, (route: string) => ({
    statuses: rememberEach(Infinity, (status: number) =>
      counter("cda_http_requests_total", "Requests answered, by the route's pattern and the status", {
        route,
        status: String(status)
      })
    ),
    seconds: Metric.histogram("cda_http_request_duration_seconds", {
      description: "Seconds from the end of a request's head to its response, by the route's pattern",
      attributes: { route },
      boundaries: BOUNDARIES
    })
  }))
  const plans = rememberEach(Infinity, (plan: PlanName) =>
    rememberEach(Infinity, (decision: Decision) =>
      counter("cda_limiter_decisions_total", "Requests that the limiter allowed or refused, by plan", {
        decision,
        plan
      })
    )
  )

  return {
    begin: () => clock.monotonicTimeNanosUnsafe(),
    answered: (route, status, began) => {
      const seconds = Number(clock.monotonicTimeNanosUnsafe() - began) / 1e9
      const series = routes(route)
      series.statuses(status).updateUnsafe(1, context)
      series.seconds.updateUnsafe(seconds, context)
      return seconds
    },
    decided: (decision, plan) => plans(plan)(decision).updateUnsafe(1, context)
  }
})

const counter = (name: string, description: string, attributes: Readonly<Record<string, string>>) =>
  Metric.counter(name, { description, attributes, incremental: true })
