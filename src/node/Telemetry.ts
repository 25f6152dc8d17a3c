// Traces, metrics and logs for an OpenTelemetry collector, by the standard OTEL_* variables. Off unless they ask for it; then
// requests and calls to sources are spans. What is secret stays out: no headers are in spans, no keys of queries, and whatever is
// sent passes the same blanking as the log on standard output.
import { Context, Effect, Layer, Logger, Predicate, Tracer } from "effect"
import { FetchHttpClient, HttpMiddleware, UrlParams } from "effect/http"
import { OtlpLogger, OtlpMetrics, OtlpSerialization, OtlpTracer } from "effect/observability"
import * as MetricsRoute from "../http/MetricsRoute.ts"
import * as Paths from "../http/Paths.ts"
import * as Logging from "./Logging.ts"
import * as Sampling from "./Sampling.ts"
import { exporters, SIGNALS, text } from "./TelemetrySettings.ts"

/** Our name, where the operator gives none. */
const SERVICE_NAME = "crypto-data-api"

/** `GET /v1/coins/:id` and not `GET`: what is asked for is an attribute. */
const spanNames = Layer.succeed(
  HttpMiddleware.SpanNameGenerator,
  (request) => `${request.method} ${Paths.routeOf(request.url)}`
)

/** Those who watch over the service ask all the time, and nobody wants to see that. */
const unseen = HttpMiddleware.layerTracerDisabledForUrls([
  Paths.documents.alive,
  Paths.documents.ready,
  Paths.documents.metrics
])

/** Keys do not belong into an address, but that is where some put them. */
const hiddenNames = Layer.succeed(UrlParams.CurrentRedactedNames, [/key|token|secret|password|signature/i])

/** Makes secrets unreadable in every text of what is about to be sent, where it stands: causes and stacks quote what they met. */
const blank = (data: object): void => {
  for (const [name, value] of Object.entries(data)) {
    if (typeof value === "string") Reflect.set(data, name, Logging.withoutSecrets(value))
    else if (Predicate.isObjectOrArray(value)) blank(value)
  }
}

/** The way in which the operator's collector wants it, blanked before. */
const serialization = (protocol: string) =>
  Layer.effect(
    OtlpSerialization.OtlpSerialization,
    Effect.map(OtlpSerialization.OtlpSerialization, (inner) => {
      const after =
        <A extends object, B>(serialize: (data: A) => B) =>
        (data: A): B => {
          blank(data)
          return serialize(data)
        }
      return { traces: after(inner.traces), metrics: inner.metrics, logs: after(inner.logs) }
    })
  ).pipe(Layer.provide(protocol === "http/protobuf" ? OtlpSerialization.layerProtobuf : OtlpSerialization.layerJson))

/** The log as records for a collector, each with the id of its request, beside the log on standard output. */
const layerLogs = (resource: { readonly serviceName: string }) =>
  Layer.unwrap(
    Effect.map(Layer.build(OtlpLogger.layerFromConfig({ resource, mergeWithExisting: false })), (built) => {
      const loggers = Context.getOrUndefined(built, Logger.CurrentLoggers) ?? new Set()
      return Logger.layer([...loggers].map(Logging.withRequestId), { mergeWithExisting: true })
    })
  )

/** Spans, those that are sampled. */
const layerTraces = (resource: { readonly serviceName: string }) =>
  Layer.effect(Tracer.Tracer, Effect.flatMap(Tracer.Tracer, Sampling.sampled)).pipe(
    Layer.provide(OtlpTracer.layerFromConfig({ resource }))
  )

/** Exports what the variables ask for, and nothing without them. */
export const layer = Layer.unwrap(
  Effect.gen(function* () {
    const wanted = yield* Effect.forEach(SIGNALS, (signal) =>
      Effect.map(exporters(signal), (names) => names.includes("otlp"))
    )
    if (!wanted.includes(true)) return Layer.empty
    const attributes = yield* text("OTEL_RESOURCE_ATTRIBUTES")
    const serviceName =
      (yield* text("OTEL_SERVICE_NAME")) || (/(?:^|,)\s*service\.name=([^,]+)/.exec(attributes)?.[1] ?? SERVICE_NAME)
    const protocol = yield* text("OTEL_EXPORTER_OTLP_PROTOCOL")
    const resource = { serviceName }
    const exported = Layer.mergeAll(
      layerLogs(resource),
      layerTraces(resource),
      OtlpMetrics.layerFromConfig({ resource })
    ).pipe(
      Layer.provide(serialization(protocol)),
      // A client of its own: layers are shared by reference, and the one of the sources follows no redirects.
      Layer.provide(Layer.fresh(FetchHttpClient.layer))
    )
    const [, measures = false] = wanted
    const measuring = Layer.succeed(MetricsRoute.MeasuresUnasked, measures)
    return Layer.mergeAll(exported, spanNames, unseen, hiddenNames, measuring)
  })
)
