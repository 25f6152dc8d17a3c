// `/metrics` in the text format of Prometheus.
import { Context, Effect } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import { PrometheusMetrics } from "effect/observability"
import * as Gauges from "../services/Gauges.ts"
import { NO_STORE } from "./response/Headers.ts"
import * as Paths from "./request/Paths.ts"

/** https://prometheus.io/docs/instrumenting/exposition_formats/#text-based-format */
const contentType = "text/plain; version=0.0.4; charset=utf-8"

/** Whether `/metrics` has its own port (the setting `METRICS_PORT`). Then the service's port does not serve it. */
export const HasOwnPort = Context.Reference<boolean>("crypto-data-api/http/MetricsRoute/HasOwnPort", {
  defaultValue: () => false
})

/** Measures the gauges and responds with all metrics. */
export const makeScrape = Effect.map(Gauges.make, (measure) =>
  Effect.map(Effect.andThen(measure, PrometheusMetrics.format()), (text) =>
    HttpServerResponse.text(text, { contentType, headers: { "cache-control": NO_STORE } })
  )
)

export const MetricsRoute = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    if (yield* HasOwnPort) return
    yield* router.add("GET", Paths.otherPaths.metrics, yield* makeScrape)
  })
)
