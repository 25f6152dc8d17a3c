import { assert, describe, it } from "@effect/vitest"
import { Cause, ConfigProvider, Effect, Layer, Schedule, Tracer } from "effect"
import * as Telemetry from "../../src/node/Telemetry.ts"
import { receiving } from "./Collector.ts"
import { layerWorld, servingWith } from "../cli/ServingProcess.ts"

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
    it.live(`with ${words} nothing is traced, and tracing costs nothing`, () =>
      Effect.gen(function* () {
        assert.strictEqual(yield* Tracer.Tracer, Tracer.nativeTracer)
      }).pipe(Effect.provide(withSettings(settings)))
    )
  }

  it.live("a collector that wants protobuf gets it, under the name that the operator chose", () =>
    Effect.gen(function* () {
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
    }).pipe(Effect.scoped)
  )
})

describe("what is exported of the log and of failures", () => {
  const planted = { key: `cda_${"Planted0".repeat(4)}`, password: "hunter2planted" }
  const url = `redis://operator:${planted.password}@redis.example:6379`

  for (const protocol of ["http/json", "http/protobuf"]) {
    it.live(`has no secret that the log on standard output would not have, in ${protocol}`, () =>
      Effect.gen(function* () {
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
      }).pipe(Effect.scoped)
    )
  }
})

describe("which traces are exported", () => {
  /** How many of these traces arrive, of those begun here and of those whose parent was sampled elsewhere, and was not. */
  const arriving = Effect.fnUntraced(function* (settings: Readonly<Record<string, string>>) {
    const collector = yield* receiving
    const traces = Array.from({ length: 40 }, (_, n) => n)
    const child = (sampled: boolean) => (n: number) => {
      const traceId = (n * 6 + 3).toString(16).padStart(2, "0").repeat(16)
      return Effect.withSpan(Effect.void, sampled ? "of a sampled one" : "of one that is not", {
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
    return [count("root"), count("of a sampled one"), count("of one that is not")]
  }, Effect.scoped)

  for (const [sampler, expected] of [
    ["", [40, 40, 0]],
    ["always_on", [40, 40, 40]],
    ["always_off", [0, 0, 0]],
    ["parentbased_always_on", [40, 40, 0]],
    ["parentbased_always_off", [0, 40, 0]]
  ] as const) {
    it.live(`${sampler || "without a sampler"}: ${expected.join(", ")} of 40`, () =>
      Effect.gen(function* () {
        assert.deepStrictEqual(yield* arriving({ OTEL_TRACES_SAMPLER: sampler }), [...expected])
      })
    )
  }

  it.live(
    "a ratio takes that share of trace ids, always the same ones, of parents only where it is not based on them",
    () =>
      Effect.gen(function* () {
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
  )
})

const secrets = {
  source: "CG-0123456789SecretOfTheSource",
  header: "cda_0123456789SecretInAHeader00000000000000",
  query: "cda_0123456789SecretInAQuery000000000000000",
  collector: "SecretOfTheCollector"
}

describe("a running service and a collector", () => {
  it.live(
    "requests are spans with their route, status and id; calls name their source; metrics arrive; nothing secret does",
    () =>
      Effect.gen(function* () {
        const collector = yield* receiving
        const { child, ended, port } = yield* servingWith({
          COINGECKO_API_KEY: secrets.source,
          OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint,
          OTEL_EXPORTER_OTLP_HEADERS: `authorization=${secrets.collector}`,
          OTEL_TRACES_EXPORTER: "otlp",
          OTEL_METRICS_EXPORTER: "otlp",
          OTEL_LOGS_EXPORTER: "otlp",
          LOG_REQUESTS: "true",
          OTEL_BSP_SCHEDULE_DELAY: "300",
          OTEL_METRIC_EXPORT_INTERVAL: "500"
        })
        const ask = (path: string, init: RequestInit = {}) =>
          Effect.promise(async () => {
            const response = await fetch(`http://127.0.0.1:${port}${path}`, init)
            await response.text()
            return { status: response.status, id: response.headers.get("x-request-id") ?? "" }
          })
        const traceId = "4bf92f3577b34da6a3ce929d0e0e4736"
        const traceparent = `00-${traceId}-00f067aa0ba902b7-01`
        const asked = {
          price: yield* ask("/v1/price/bitcoin/usd", { headers: { traceparent } }),
          kept: yield* ask("/v1/price/bitcoin/usd"),
          unknown: yield* ask("/v1/coins/no-such-coin"),
          nowhere: yield* ask("/wp-login.php"),
          wrongMethod: yield* ask("/v1/fx", { method: "POST" }),
          key: yield* ask("/v1/fx", { headers: { "x-api-key": secrets.header } }),
          query: yield* ask(`/v1/fx?api_key=${secrets.query}`)
        }
        const spanOf = (id: string) => collector.spans().find(({ attributes }) => attributes["request.id"] === id)

        yield* Effect.sync(() => collector.metrics()).pipe(
          Effect.repeat({
            until: (metrics) => metrics.some(({ name }) => name === "cda_data_set_age_seconds"),
            schedule: Schedule.spaced("50 millis")
          }),
          Effect.timeout("10 seconds")
        )
        // Only now: data sets are measured also when nobody scrapes them.
        yield* ask("/metrics")
        child.kill("SIGTERM")
        assert.deepStrictEqual(yield* ended, { code: 0, signal: null })

        const expected = {
          price: ["GET /v1/price/:id/:fiat", "/v1/price/:id/:fiat", 200],
          kept: ["GET /v1/price/:id/:fiat", "/v1/price/:id/:fiat", 200],
          unknown: ["GET /v1/coins/:id", "/v1/coins/:id", 404],
          nowhere: ["GET other", "/*", 404],
          wrongMethod: ["POST /v1/fx", undefined, 405],
          key: ["GET /v1/fx", undefined, 401],
          query: ["GET /v1/fx", "/v1/fx", 400]
        } as const
        for (const name of ["price", "kept", "unknown", "nowhere", "wrongMethod", "key", "query"] as const) {
          const span = spanOf(asked[name].id)
          const { "http.response.status_code": status, "http.route": route } = span?.attributes ?? {}
          assert.deepStrictEqual([span?.name, route, Number(status)], [...expected[name]], name)
          assert.strictEqual(span?.kind, 2)
          assert.strictEqual(span?.resource["service.name"], "crypto-data-api")
        }
        assert.strictEqual(spanOf(asked.price.id)?.traceId, traceId)
        assert.isFalse(collector.spans().some(({ name }) => name.endsWith("/metrics") || name.endsWith("/healthz")))

        const lines = collector.logs().filter(({ attributes }) => attributes["request_id"] === asked.query.id)
        assert.deepStrictEqual(
          lines.map(({ level, message }) => [level, message]),
          [["Info", "GET /v1/fx 400"]]
        )

        const calls = collector.spans().filter(({ kind }) => kind === 3)
        const sources = new Set(calls.map(({ attributes }) => attributes["source"]))
        for (const source of ["COINGECKO", "FRANKFURTER", "BYBIT_P2P", "CBN"])
          assert.isTrue(sources.has(source), source)
        assert.isFalse(sources.has(undefined))

        const names = new Set(collector.metrics().map(({ name }) => name))
        for (const name of ["cda_http_requests_total", "cda_http_request_duration_seconds", "cda_source_calls_total"]) {
          assert.isTrue(names.has(name), name)
        }
        const routes = collector
          .metrics()
          .flatMap(({ name, points }) => (name === "cda_http_requests_total" ? points : []))
        assert.isTrue(routes.some(({ route, status }) => route === "/v1/price/:id/:fiat" && status === "200"))

        const everything = collector.posts.map(({ text }) => text).join("\n")
        for (const secret of Object.values(secrets)) assert.notInclude(everything, secret)
      }).pipe(Effect.scoped, Effect.provide(layerWorld)),
    { timeout: 60_000 }
  )
})
