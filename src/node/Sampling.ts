// The samplers of OpenTelemetry, by `OTEL_TRACES_SAMPLER` and `OTEL_TRACES_SAMPLER_ARG`. Effect has none: there each
// span says whether it is exported, so a wrapped tracer decides it when a span begins.
import { Config, Effect, Option, Schema, Tracer } from "effect"

const SAMPLERS = [
  "always_on",
  "always_off",
  "traceidratio",
  "parentbased_always_on",
  "parentbased_always_off",
  "parentbased_traceidratio"
] as const

const sampler = Config.Literals(SAMPLERS, "OTEL_TRACES_SAMPLER").pipe(Config.withDefault("parentbased_always_on"))

const ratio = Config.schema(
  Schema.FiniteFromString.check(Schema.isBetween({ minimum: 0, maximum: 1 })),
  "OTEL_TRACES_SAMPLER_ARG"
).pipe(Config.withDefault(1))

export const rules = [
  { name: "OTEL_TRACES_SAMPLER", read: sampler, must: `be one of ${SAMPLERS.join(", ")}` },
  { name: "OTEL_TRACES_SAMPLER_ARG", read: ratio, must: "be a number from 0 to 1" }
]

/** The last 12 hex digits (48 bits) of a trace id, which a number holds exactly. */
const DIGITS = 12

/**
 * Whether a trace id is within the ratio. Depends on nothing else, so that services with the same ratio sample the same
 * traces.
 */
const isWithin = (traceId: string, share: number): boolean =>
  parseInt(traceId.slice(-DIGITS), 16) < share * 16 ** DIGITS

/** Wraps a tracer with the sampler of the settings. Returns the native tracer, which exports nothing, unchanged. */
export const sampled = Effect.fnUntraced(function* (tracer: Tracer.Tracer) {
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
      // The id is known only now. The first span is dropped unended, which means it is never exported.
      return isWithin(span.traceId, share) ? span : tracer.span({ ...options, sampled: false })
    }
  })
})
