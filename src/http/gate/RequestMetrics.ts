// What is counted of requests. This is done to every one of them, so each series is a plain object that is found once and then
// only added to; the registry reads it when somebody looks.
import { Clock, Context, Effect, Metric } from "effect"
import { HttpRouter } from "effect/http"
import type { PlanName } from "../../access/Plan.ts"
import { PATTERN } from "../UnknownPath.ts"
import * as Paths from "../Paths.ts"

/** What the limiter may decide; `unverified`: a key that could not be checked. */
export type Decision = "allowed" | "refused" | "invalid_key" | "unverified"

/** In seconds. Most answers take a fraction of a millisecond, the slowest wait some seconds for a first answer of a source. */
const BOUNDARIES = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

/** Counts the requests of one server. */
export interface RequestMetrics {
  /** Now, for `answered`. */
  readonly begin: () => bigint
  /** A request was answered; returns the seconds it took. */
  readonly answered: (route: string, status: number, began: bigint) => number
  readonly decided: (decision: Decision, plan: PlanName) => void
}

/** The counters, in the registry of the context. */
export const make: Effect.Effect<RequestMetrics> = Effect.gen(function* () {
  const context = yield* Effect.context()
  const clock = yield* Clock.Clock

  const counters = countersIn(context)
  const requests = counters("cda_http_requests_total", "Requests answered, by the route's pattern and the status")
  const decisions = counters("cda_limiter_decisions_total", "Requests that the limiter allowed or refused, by plan")

  const routes = memoized((route: string) => ({
    statuses: memoized((status: number) => requests({ route, status: String(status) })),
    seconds: histogram(
      Metric.histogram("cda_http_request_duration_seconds", {
        description: "From a request's head being read to its answer being ready, by the route's pattern",
        attributes: { route },
        boundaries: BOUNDARIES
      }),
      context
    )
  }))
  const plans = memoized((plan: PlanName) => memoized((decision: Decision) => decisions({ decision, plan })))

  return {
    begin: () => clock.monotonicTimeNanosUnsafe(),
    answered: (route, status, began) => {
      const seconds = Number(clock.monotonicTimeNanosUnsafe() - began) / 1e9
      const series = routes(route)
      series.statuses(status).count++
      series.seconds(seconds)
      return seconds
    },
    decided: (decision, plan) => void plans(plan)(decision).count++
  }
})

/** Counters of the registry of a context: by name, then by attributes, an object of which `count` is added to. */
export const countersIn =
  (context: Context.Context<never>) =>
  (name: string, description: string) =>
  (attributes: Readonly<Record<string, string>>): { count: number } =>
    counter(Metric.counter(name, { description, attributes, incremental: true }), context)

/** The pattern of the route that answered, or would have. */
export const routeOf = (context: Context.Context<never>, url: string): string => {
  const path = Context.getOrUndefined(context, HttpRouter.RouteContext)?.route.path
  return path === undefined || path === PATTERN ? Paths.routeOf(url) : path
}

const memoized = <K, A>(make: (key: K) => A): ((key: K) => A) => {
  const made = new Map<K, A>()
  return (key) => {
    const known = made.get(key)
    if (known !== undefined) return known
    const next = make(key)
    made.set(key, next)
    return next
  }
}

/** The registry only reads: `update` and `modify` are never called on registered series. */
const readOnly = { update: () => {}, modify: () => {} }

const counter = (metric: Metric.Counter<number>, context: Context.Context<never>) => {
  const state = { count: 0 }
  Metric.registerUnsafe(metric, context, { ...readOnly, get: () => ({ count: state.count, incremental: true }) })
  return state
}

const histogram = (metric: Metric.Histogram<number>, context: Context.Context<never>) => {
  const counts = BOUNDARIES.map(() => 0)
  let count = 0
  let sum = 0
  let min = Infinity
  let max = 0

  const buckets = () => {
    let below = 0
    return BOUNDARIES.map((boundary, index): [number, number] => [boundary, (below += counts[index] ?? 0)])
  }
  Metric.registerUnsafe(metric, context, { ...readOnly, get: () => ({ buckets: buckets(), count, min, max, sum }) })

  return (value: number): void => {
    let index = 0
    while (index < BOUNDARIES.length && value > (BOUNDARIES[index] ?? 0)) index++
    if (index < counts.length) counts[index] = (counts[index] ?? 0) + 1
    count++
    sum += value
    if (value < min) min = value
    if (value > max) max = value
  }
}
