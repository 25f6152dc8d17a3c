// Metrics of requests. Each series is looked up once by its attributes and then updated for every request.
import { Effect, Metric } from "effect"
import { planNames, type PlanName } from "../../access/Plan.ts"
import { rememberEach } from "../../domain/rememberEach.ts"
import { countersIn } from "../response/countersIn.ts"
import { endpointPatterns } from "../request/Routes.ts"

/** The gate's decision; `unverified`: the key could not be checked. */
export type Decision = (typeof decided)[number]

const decided = ["allowed", "refused", "invalid_key", "unverified"] as const

/** Statuses that alerts use. Prometheus sees no increase when a series first appears, so these counters start at 0. */
const watched = [200, 500, 503]

/** Bucket boundaries in seconds: most responses take a fraction of a millisecond, look-ups on demand up to seconds. */
const BOUNDARIES = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

/** Registers the metrics in the registry of the context. */
export const make = Effect.gen(function* () {
  const context = yield* Effect.context()
  const counters = countersIn(context)
  const requests = counters("cda_http_requests_total", "Requests answered, by the route's pattern and the status")
  const decisions = counters("cda_limiter_decisions_total", "Requests that the limiter allowed or refused, by plan")

  const routes = rememberEach(Infinity, (route: string) => ({
    statuses: rememberEach(Infinity, (status: number) => requests({ route, status: String(status) })),
    seconds: Metric.histogram("cda_http_request_duration_seconds", {
      description: "Seconds from the end of a request's head to its response, by the route's pattern",
      attributes: { route },
      boundaries: BOUNDARIES
    })
  }))
  const plans = rememberEach(Infinity, (plan: PlanName) =>
    rememberEach(Infinity, (decision: Decision) => decisions({ decision, plan }))
  )

  for (const route of endpointPatterns) for (const status of watched) routes(route).statuses(status)
  for (const plan of planNames) for (const decision of decided) plans(plan)(decision)

  return {
    /** Counts a response and records its duration. */
    responded: (route: string, status: number, seconds: number): void => {
      const series = routes(route)
      series.statuses(status).count++
      series.seconds.updateUnsafe(seconds, context)
    },
    decided: (decision: Decision, plan: PlanName): void => void plans(plan)(decision).count++
  }
})
