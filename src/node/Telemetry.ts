// Exports traces, metrics and logs to an OpenTelemetry collector, by the standard OTEL_* variables; off by default.
// Requests and calls to sources are spans. Secrets are never exported: spans carry no headers and no query parameters
// that may be keys, and all texts are redacted like the log.
import { Effect, Layer, Option, Predicate, Tracer } from "effect"
import { FetchHttpClient, UrlParams } from "effect/http"
import { OtlpLogger, OtlpMetrics, OtlpSerialization, OtlpTracer } from "effect/observability"
import { MeasuresUnasked } from "../services/Gauges.ts"
import * as Logging from "./Logging.ts"
import { exporters, ratio, sampler, SIGNALS, text } from "./Settings.ts"

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

/**
 * Wraps a tracer with the sampler of the settings. Effect has none: there each span says whether it is exported, so this decides
 * it when a span begins. Returns the native tracer, which exports nothing, unchanged.
 */
const sampled = Effect.fnUntraced(function* (tracer: Tracer.Tracer) {
  if (tracer === Tracer.nativeTracer) return tracer
  const name = yield* sampler
  const isParentBased = name.startsWith("parentbased_")
  const share = name.endsWith("_off") ? 0 : name.endsWith("_on") ? 1 : yield* ratio
  return Tracer.make({
    ...tracer,
    span: (options) => {
      const parent = Option.getOrUndefined(options.parent)
      // Effect inherits the decision of the parent: a trace that began in this process is exported whole or not at all.
      if (parent !== undefined && (isParentBased || parent._tag === "Span")) return tracer.span(options)
      const span = tracer.span({ ...options, sampled: true })
      // By the last 48 bits of the trace id, which a number holds exactly, and nothing else: services with the same ratio sample
      // the same traces. The id is known only now. A span that is dropped unended is never exported.
      const isWithin = parseInt(span.traceId.slice(-12), 16) < share * 16 ** 12
      return isWithin ? span : tracer.span({ ...options, sampled: false })
    }
  })
})

/** Exports the signals that the variables select; empty without them. */
export const layer = Layer.unwrap(
  Effect.gen(function* () {
    const exportersOf = yield* Effect.forEach(SIGNALS, exporters)
    const signals = SIGNALS.filter((_signal, n) => exportersOf[n]?.includes("otlp"))
    if (signals.length === 0) return Layer.empty
    const attributes = yield* text("OTEL_RESOURCE_ATTRIBUTES")
    const serviceName =
      (yield* text("OTEL_SERVICE_NAME")) ||
      (/(?:^|,)\s*service\.name=([^,]+)/.exec(attributes)?.[1] ?? "crypto-data-api")
    const resource = { serviceName }
    const exported = Layer.mergeAll(
      OtlpLogger.layerFromConfig({ resource, mergeWithExisting: true }),
      Layer.effect(Tracer.Tracer, Effect.flatMap(Tracer.Tracer, sampled)).pipe(
        Layer.provide(OtlpTracer.layerFromConfig({ resource }))
      ),
      OtlpMetrics.layerFromConfig({ resource })
    ).pipe(
      Layer.provide(serialization(yield* text("OTEL_EXPORTER_OTLP_PROTOCOL"))),
      // `fresh` because layers are shared by reference, and the sources configure theirs not to follow redirects.
      Layer.provide(Layer.fresh(FetchHttpClient.layer))
    )
    const measuring = Layer.succeed(MeasuresUnasked, signals.includes("METRICS"))
    return Layer.mergeAll(exported, redactedNames, measuring)
  })
)
