// The standard OTEL_* variables: how they are read and what values are valid. `Telemetry.ts` applies them.
import { Config, Effect, Schema } from "effect"

export const SIGNALS = ["TRACES", "METRICS", "LOGS"] as const

/** The text of a variable; empty when it is not set. */
export const text = (name: string) => Config.String(name).pipe(Config.withDefault(""))

/** The names of the exporters of a signal, in lower case. */
export const exporters = (signal: (typeof SIGNALS)[number]) =>
  text(`OTEL_${signal}_EXPORTER`).pipe(
    Config.map((names) => names.split(",").flatMap((name) => name.trim().toLowerCase() || []))
  )

const SAMPLERS = [
  "always_on",
  "always_off",
  "traceidratio",
  "parentbased_always_on",
  "parentbased_always_off",
  "parentbased_traceidratio"
] as const

export const sampler = Config.Literals(SAMPLERS, "OTEL_TRACES_SAMPLER").pipe(
  Config.withDefault("parentbased_always_on")
)

/** The share of traces that is exported, by the samplers that have one. */
export const ratio = Config.schema(
  Schema.FiniteFromString.check(Schema.isBetween({ minimum: 0, maximum: 1 })),
  "OTEL_TRACES_SAMPLER_ARG"
).pipe(Config.withDefault(1))

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
  ].map((name) => ({ name, read: Config.Int(name).pipe(Config.option), must: "be a whole number" })),
  { name: "OTEL_TRACES_SAMPLER", read: sampler, must: `be one of ${SAMPLERS.join(", ")}` },
  { name: "OTEL_TRACES_SAMPLER_ARG", read: ratio, must: "be a number from 0 to 1" }
]
