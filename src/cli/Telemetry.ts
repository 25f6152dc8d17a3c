// Traces, metrics and logs for an OpenTelemetry collector, by the standard OTEL_* variables. Off unless they ask for it; then
// requests and calls to sources are spans. What is secret stays out: no headers are in spans, and no keys of queries.
import { Config, Effect, Layer } from "effect"
import { FetchHttpClient, HttpMiddleware, UrlParams } from "effect/http"
import { Otlp, OtlpSerialization } from "effect/observability"
import * as Metrics from "../http/Metrics.ts"
import * as Paths from "../http/Paths.ts"

const SIGNALS = ["TRACES", "METRICS", "LOGS"] as const

/** Our name, where the operator gives none. */
const SERVICE_NAME = "crypto-data-api"

const text = (name: string) => Config.String(name).pipe(Config.withDefault(""))

const exporters = (signal: (typeof SIGNALS)[number]) =>
  text(`OTEL_${signal}_EXPORTER`).pipe(
    Config.map((names) => names.split(",").flatMap((name) => name.trim().toLowerCase() || []))
  )

/** The variables whose faults would otherwise be found while the service starts: how each is read, and what it must be. */
export const rules = [
  ...SIGNALS.map((signal) => ({
    name: `OTEL_${signal}_EXPORTER`,
    read: Effect.filterOrFail(exporters(signal), (names) => names.every((name) => name === "otlp" || name === "none")),
    must: "be otlp or none"
  })),
  ...["", ...SIGNALS.map((signal) => `${signal}_`)].map((signal) => ({
    name: `OTEL_EXPORTER_OTLP_${signal}ENDPOINT`,
    read: Effect.filterOrFail(
      Config.URL(`OTEL_EXPORTER_OTLP_${signal}ENDPOINT`).pipe(Config.withDefault(new URL("http://localhost"))),
      ({ protocol }) => protocol === "http:" || protocol === "https:"
    ),
    must: "be an address that begins with http:// or https://"
  })),
  {
    name: "OTEL_EXPORTER_OTLP_PROTOCOL",
    read: Config.Literals(["http/json", "http/protobuf"], "OTEL_EXPORTER_OTLP_PROTOCOL").pipe(Config.option),
    must: "be http/json or http/protobuf"
  },
  {
    name: "OTEL_SDK_DISABLED",
    read: Config.Boolean("OTEL_SDK_DISABLED").pipe(Config.option),
    must: "be true or false"
  },
  ...[
    "OTEL_EXPORTER_OTLP_TIMEOUT",
    "OTEL_BSP_SCHEDULE_DELAY",
    "OTEL_BSP_EXPORT_TIMEOUT",
    "OTEL_BSP_MAX_EXPORT_BATCH_SIZE",
    "OTEL_METRIC_EXPORT_INTERVAL",
    "OTEL_METRIC_EXPORT_TIMEOUT"
  ].map((name) => ({ name, read: Config.Int(name).pipe(Config.option), must: "be a whole number" }))
]

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
    const exported = Otlp.layerFromConfig({ resource: { serviceName } }).pipe(
      Layer.provide(protocol === "http/protobuf" ? OtlpSerialization.layerProtobuf : OtlpSerialization.layerJson),
      // A client of its own: layers are shared by reference, and the one of the sources follows no redirects.
      Layer.provide(Layer.fresh(FetchHttpClient.layer))
    )
    const [, measures = false] = wanted
    const measuring = Layer.succeed(Metrics.MeasuresUnasked, measures)
    return Layer.mergeAll(exported, spanNames, unseen, hiddenNames, measuring)
  })
)
