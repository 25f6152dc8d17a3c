import { assert, describe, it } from "@effect/vitest"
import { ConfigProvider, Effect, Layer, Schedule, Tracer } from "effect"
import * as Telemetry from "../../src/cli/Telemetry.ts"
import { receiving } from "./Collector.ts"
import { layerWorld, servingWith } from "./ServingProcess.ts"

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
          unknown: ["GET /v1/coins/:id", "/v1/coins/:id", 404],
          nowhere: ["GET other", undefined, 404],
          wrongMethod: ["POST /v1/fx", undefined, 405],
          key: ["GET /v1/fx", undefined, 401],
          query: ["GET /v1/fx", "/v1/fx", 400]
        } as const
        for (const name of ["price", "unknown", "nowhere", "wrongMethod", "key", "query"] as const) {
          const span = spanOf(asked[name].id)
          const { "http.response.status_code": status, "http.route": route } = span?.attributes ?? {}
          assert.deepStrictEqual([span?.name, route, Number(status)], [...expected[name]], name)
          assert.strictEqual(span?.kind, 2)
          assert.strictEqual(span?.resource["service.name"], "crypto-data-api")
        }
        assert.strictEqual(spanOf(asked.price.id)?.traceId, traceId)
        assert.isFalse(collector.spans().some(({ name }) => name.endsWith("/metrics") || name.endsWith("/healthz")))

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
