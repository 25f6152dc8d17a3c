// Which traces are exported, by `OTEL_TRACES_SAMPLER` and its argument. Effect has no samplers: a span of its says itself whether it
// is exported, so this one says it for each span that is begun.
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

/** How the variables are read, and what they must be. */
export const rules = [
  { name: "OTEL_TRACES_SAMPLER", read: sampler, must: `be one of ${SAMPLERS.join(", ")}` },
  { name: "OTEL_TRACES_SAMPLER_ARG", read: ratio, must: "be a number from 0 to 1" }
]

/** The last 48 bits of a trace id: a number holds them exactly. */
const DIGITS = 12

/** The same share of trace ids everywhere: whoever samples the same trace elsewhere by the same ratio decides the same. */
const isWithin = (traceId: string, share: number): boolean =>
  parseInt(traceId.slice(-DIGITS), 16) < share * 16 ** DIGITS

/** The tracer with what the variables say of its spans. One that exports nothing is left as it is. */
export const sampled = Effect.fnUntraced(function* (tracer: Tracer.Tracer) {
  if (tracer === Tracer.nativeTracer) return tracer
  const name = yield* sampler
  const isParentBased = name.startsWith("parentbased_")
  const share = name.endsWith("_off") ? 0 : name.endsWith("_on") ? 1 : yield* ratio
  return Tracer.make({
    ...tracer,
    span: (options) => {
      const parent = Option.getOrUndefined(options.parent)
      // A trace that began here is exported whole or not at all; Effect has asked the parent already.
      if (parent !== undefined && (isParentBased || parent._tag === "Span")) return tracer.span(options)
      const span = tracer.span({ ...options, sampled: true })
      // A span that is never ended is never exported.
      return isWithin(span.traceId, share) ? span : tracer.span({ ...options, sampled: false })
    }
  })
})
