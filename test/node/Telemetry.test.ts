import { assert, describe, it } from "@effect/vitest"
import { Cause, ConfigProvider, Effect, Layer, Tracer } from "effect"
import * as Telemetry from "../../src/node/Telemetry.ts"
import { receiving } from "./Collector.ts"
import { liveRule } from "../rulesOf.ts"

const withSettings = (settings: Readonly<Record<string, string>>) =>
  Telemetry.layer.pipe(Layer.provide(ConfigProvider.layer(ConfigProvider.fromUnknown(settings))), Layer.fresh)

describe("telemetry", () => {
  for (const [words, settings] of [
    ["no variables", {}],
    ["an endpoint alone", { OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:1" }],
    ["exporters switched off", { OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:1", OTEL_TRACES_EXPORTER: "none" }],
    [
      "metrics alone",
      {
        OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:1",
        OTEL_METRICS_EXPORTER: "otlp",
        OTEL_METRIC_EXPORT_TIMEOUT: "1"
      }
    ]
  ] as const) {
    it.live(`with ${words} the tracer is the native one, which exports nothing`, () =>
      Effect.gen(function* () {
        assert.strictEqual(yield* Tracer.Tracer, Tracer.nativeTracer)
      }).pipe(Effect.provide(withSettings(settings)))
    )
  }

  liveRule("OTEL_EXPORTER_OTLP_PROTOCOL selects protobuf and OTEL_SERVICE_NAME the service name", function* () {
    const { endpoint, posts } = yield* receiving
    const settings = {
      OTEL_EXPORTER_OTLP_ENDPOINT: endpoint,
      OTEL_TRACES_EXPORTER: "otlp",
      OTEL_EXPORTER_OTLP_PROTOCOL: "http/protobuf",
      OTEL_SERVICE_NAME: "our-very-own"
    }
    yield* Effect.void.pipe(Effect.withSpan("something to see"), Effect.provide(withSettings(settings)))
    assert.deepStrictEqual(
      posts.map(({ path, type }) => [path, type]),
      [["/v1/traces", "application/x-protobuf"]]
    )
    for (const part of ["something to see", "our-very-own"]) assert.include(posts[0]?.text, part)
  })
})

describe("the exported log and failures", () => {
  const planted = { key: `cda_${"Planted0".repeat(4)}`, password: "hunter2planted" }
  const url = `redis://operator:${planted.password}@redis.example:6379`

  for (const protocol of ["http/json", "http/protobuf"]) {
    liveRule(`are redacted like the log on standard output, in ${protocol}`, function* () {
      const { endpoint, posts } = yield* receiving
      const settings = {
        OTEL_EXPORTER_OTLP_ENDPOINT: endpoint,
        OTEL_TRACES_EXPORTER: "otlp",
        OTEL_LOGS_EXPORTER: "otlp",
        OTEL_EXPORTER_OTLP_PROTOCOL: protocol
      }
      const failure = new Error(`no answer from ${url}`, { cause: new Error(`sent ${planted.key}`) })
      yield* Effect.logError(`cannot reach ${url} with ${planted.key}`, Cause.die(failure)).pipe(
        Effect.annotateLogs({ url, key: planted.key }),
        Effect.andThen(Effect.fail(failure)),
        Effect.withSpan("something that fails", { attributes: { url } }),
        Effect.ignore,
        Effect.provide(withSettings(settings))
      )
      assert.deepStrictEqual(posts.map(({ path }) => path).toSorted(), ["/v1/logs", "/v1/traces"])
      for (const { text } of posts) {
        assert.include(text, "redis://<redacted>@redis.example")
        for (const secret of Object.values(planted)) assert.notInclude(text, secret)
      }
    })
  }
})

describe("the sampler", () => {
  /**
   * How many of 40 traces are exported: of those that begin here, with a sampled remote parent, and with one not
   * sampled.
   */
  const arriving = Effect.fnUntraced(function* (settings: Readonly<Record<string, string>>) {
    const collector = yield* receiving
    const traces = Array.from({ length: 40 }, (_, n) => n)
    const child = (sampled: boolean) => (n: number) => {
      const traceId = (n * 6 + 3).toString(16).padStart(2, "0").repeat(16)
      return Effect.withSpan(Effect.void, sampled ? "child of a sampled parent" : "child of a parent not sampled", {
        parent: Tracer.externalSpan({ traceId, spanId: "00f067aa0ba902b7", sampled })
      })
    }
    yield* Effect.forEach(traces, () => Effect.void.pipe(Effect.withSpan("inner"), Effect.withSpan("root"))).pipe(
      Effect.andThen(Effect.forEach(traces, child(true))),
      Effect.andThen(Effect.forEach(traces, child(false))),
      Effect.provide(
        withSettings({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint, OTEL_TRACES_EXPORTER: "otlp", ...settings })
      )
    )
    const spans = collector.spans()
    const count = (name: string) => spans.filter((span) => span.name === name).length
    const roots = new Set(spans.flatMap(({ name, traceId }) => (name === "root" ? [traceId] : [])))
    assert.isTrue(spans.every(({ name, traceId }) => name !== "inner" || roots.has(traceId)))
    assert.strictEqual(count("inner"), count("root"))
    return [count("root"), count("child of a sampled parent"), count("child of a parent not sampled")]
  }, Effect.scoped)

  for (const [sampler, expected] of [
    ["", [40, 40, 0]],
    ["always_on", [40, 40, 40]],
    ["always_off", [0, 0, 0]],
    ["parentbased_always_on", [40, 40, 0]],
    ["parentbased_always_off", [0, 40, 0]]
  ] as const) {
    liveRule(
      `${sampler || "by default"}: ${expected.join(", ")} of 40 traces without a parent, with a sampled one, with one not sampled`,
      function* () {
        assert.deepStrictEqual(yield* arriving({ OTEL_TRACES_SAMPLER: sampler }), [...expected])
      }
    )
  }

  liveRule("a ratio takes that share of trace ids, always the same, unless it is based on the parent", function* () {
    const [roots = 0, ...own] = yield* arriving({
      OTEL_TRACES_SAMPLER: "traceidratio",
      OTEL_TRACES_SAMPLER_ARG: "0.5"
    })
    assert.isAbove(roots, 5)
    assert.isBelow(roots, 35)
    // Ids that begin with 03, 09, … up to 7b are in the lower half: 21 of 40.
    assert.deepStrictEqual(own, [21, 21])
    const [based = 0, ...parents] = yield* arriving({
      OTEL_TRACES_SAMPLER: "parentbased_traceidratio",
      OTEL_TRACES_SAMPLER_ARG: "0"
    })
    assert.deepStrictEqual([based, ...parents], [0, 40, 0])
  })
})
