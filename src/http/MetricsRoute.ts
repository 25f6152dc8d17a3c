// `/metrics` in the text format of Prometheus.
import { Effect } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import { PrometheusMetrics } from "effect/observability"
import * as SourceGauges from "../services/SourceGauges.ts"
import { NO_STORE } from "./response/Headers.ts"
import * as Paths from "./target/Paths.ts"

/** https://prometheus.io/docs/instrumenting/exposition_formats/#text-based-format */
const contentType = "text/plain; version=0.0.4; charset=utf-8"

export const MetricsRoute = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const measure = yield* SourceGauges.make
    const scrape = Effect.map(Effect.andThen(measure, PrometheusMetrics.format()), (text) =>
      HttpServerResponse.text(text, { contentType, headers: { "cache-control": NO_STORE } })
    )
    yield* router.add("GET", Paths.documents.metrics, scrape)
  })
)
