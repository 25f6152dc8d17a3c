// Exports traces, metrics and logs to an OpenTelemetry collector, by the standard OTEL_* variables; off by default.
// Requests and calls to sources are spans. Secrets are never exported: spans carry no headers and no query parameters
// that may be keys, and all texts are redacted like the log.
import { Context, Effect, Layer, Logger, Predicate, Tracer } from "effect"
import { FetchHttpClient, HttpMiddleware, UrlParams } from "effect/http"
import { OtlpLogger, OtlpMetrics, OtlpSerialization, OtlpTracer } from "effect/observability"
import * as MetricsRoute from "../http/MetricsRoute.ts"
import * as Paths from "../http/Paths.ts"
import * as Logging from "./Logging.ts"
import * as Sampling from "./Sampling.ts"
import { exporters, SIGNALS, text } from "./TelemetrySettings.ts"

/** The default of `service.name`. */
const SERVICE_NAME = "crypto-data-api"

/** Names spans by route, such as `GET /v1/coins/:id`; Effect names them by method alone. */
const spanNames = Layer.succeed(
  HttpMiddleware.SpanNameGenerator,
  (request) => `${request.method} ${Paths.routeOf(request.url)}`
)

/** Health checks and metrics scrapes are not traced. */
const untraced = HttpMiddleware.layerTracerDisabledForUrls([
  Paths.documents.alive,
  Paths.documents.ready,
  Paths.documents.metrics
])

/** Redacts query parameters that may be keys: some callers send keys in the query, where they do not belong. */
const redactedNames = Layer.succeed(UrlParams.CurrentRedactedNames, [/key|token|secret|password|signature/i])

/** Redacts every text in a payload in place. Error messages and stacks may quote secrets. */
const redact = (data: object): void => {
  for (const [name, value] of Object.entries(data)) {
    if (typeof value === "string") Reflect.set(data, name, Logging.withoutSecrets(value))
    else if (Predicate.isObjectOrArray(value)) redact(value)
  }
}

/** The serialization that `OTEL_EXPORTER_OTLP_PROTOCOL` selects, over redacted payloads. */
const serialization = (protocol: string) =>
  Layer.effect(
    OtlpSerialization.OtlpSerialization,
    Effect.map(OtlpSerialization.OtlpSerialization, (inner) => {
      const after =
        <A extends object, B>(serialize: (data: A) => B) =>
        (data: A): B => {
          redact(data)
          return serialize(data)
        }
      return { traces: after(inner.traces), metrics: inner.metrics, logs: after(inner.logs) }
    })
  ).pipe(Layer.provide(protocol === "http/protobuf" ? OtlpSerialization.layerProtobuf : OtlpSerialization.layerJson))

/** Exports the log, with request ids, in addition to writing it. */
const layerLogs = (resource: { readonly serviceName: string }) =>
  Layer.unwrap(
    Effect.map(Layer.build(OtlpLogger.layerFromConfig({ resource, mergeWithExisting: false })), (built) => {
      const loggers = Context.getOrUndefined(built, Logger.CurrentLoggers) ?? new Set()
      return Logger.layer([...loggers].map(Logging.withRequestId), { mergeWithExisting: true })
    })
  )

const layerTraces = (resource: { readonly serviceName: string }) =>
  Layer.effect(Tracer.Tracer, Effect.flatMap(Tracer.Tracer, Sampling.sampled)).pipe(
    Layer.provide(OtlpTracer.layerFromConfig({ resource }))
  )

/** Exports the signals that the variables select; empty without them. */
export const layer = Layer.unwrap(
  Effect.gen(function* () {
    const exportersOf = yield* Effect.forEach(SIGNALS, exporters)
    const signals = SIGNALS.filter((_signal, n) => exportersOf[n]?.includes("otlp"))
    if (signals.length === 0) return Layer.empty
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
      // `fresh` because layers are shared by reference, and the sources configure theirs not to follow redirects.
      Layer.provide(Layer.fresh(FetchHttpClient.layer))
    )
    const measuring = Layer.succeed(MetricsRoute.MeasuresUnasked, signals.includes("METRICS"))
    return Layer.mergeAll(exported, spanNames, untraced, redactedNames, measuring)
  })
)
