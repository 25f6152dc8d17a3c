// What operators see of a real process: its log on standard output, and what it exports to an OpenTelemetry collector.
// One process serves requests of every kind, some with secrets where they do not belong, while sources work and while
// they fail; each test checks one rule on what it left.
import { assert, layer } from "@effect/vitest"
import { Context, Effect, Layer, Schedule, Schema, Struct } from "effect"
import { Sandbox } from "../../src/sandbox/SandboxUpstreams.ts"
import { newKeyIn } from "../cli/NewKey.ts"
import { layerWorld, servingWith } from "../cli/ServingProcess.ts"
import { receiving } from "./Collector.ts"
import { Line } from "./LogLine.ts"
import { temporaryFolder } from "../resources.ts"
import { rulesOf } from "../rulesOf.ts"

const secrets = {
  source: "CG-0123456789SecretOfTheSource",
  collector: "SecretOfTheCollector",
  header: "cda_0123456789SecretInAHeader00000000000000",
  query: "cda_0123456789SecretInAQuery000000000000000",
  path: "cda_0123456789SecretInAPath0000000000000000"
}

const TRACE_ID = "4bf92f3577b34da6a3ce929d0e0e4736"

/** Requests, and the name, route and status that the span of each must have. */
const requests = {
  price: ["/v1/price/bitcoin/usd", "GET /v1/price/:id/:fiat", "/v1/price/:id/:fiat", 200],
  cached: ["/v1/price/bitcoin/usd", "GET /v1/price/:id/:fiat", "/v1/price/:id/:fiat", 200],
  unknown: ["/v1/coins/no-such-coin", "GET /v1/coins/:id", "/v1/coins/:id", 404],
  nowhere: ["/wp-login.php", "GET other", "/*", 404],
  wrongMethod: ["/v1/fx", "POST /v1/fx", "/v1/fx", 405],
  wrongKey: ["/v1/fx", "GET /v1/fx", "/v1/fx", 401],
  keyInQuery: [`/v1/fx?api_key=${secrets.query}`, "GET /v1/fx", "/v1/fx", 400],
  keyInPath: [`/v1/coins/${secrets.path}`, "GET /v1/coins/:id", "/v1/coins/:id", 404],
  withKey: ["/v1/price/bitcoin/ngn", "GET /v1/price/:id/:fiat", "/v1/price/:id/:fiat", 200]
} as const

const names = Struct.keys(requests)

const observe = Effect.gen(function* () {
  const { setFault } = yield* Sandbox
  const collector = yield* receiving
  const dataDir = yield* temporaryFolder
  const key = yield* newKeyIn(dataDir)
  const { child, ended, port, written } = yield* servingWith({
    DATA_DIR: dataDir,
    COINGECKO_API_KEY: secrets.source,
    LOG_REQUESTS: "true",
    LOG_LEVEL: "all",
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint,
    OTEL_EXPORTER_OTLP_HEADERS: `authorization=${secrets.collector}`,
    OTEL_TRACES_EXPORTER: "otlp",
    OTEL_METRICS_EXPORTER: "otlp",
    OTEL_LOGS_EXPORTER: "otlp",
    OTEL_BSP_SCHEDULE_DELAY: "300",
    OTEL_METRIC_EXPORT_INTERVAL: "500"
  })
  const ask = (path: string, init: RequestInit = {}) =>
    Effect.promise(async () => {
      const response = await fetch(`http://127.0.0.1:${port}${path}`, init)
      await response.text()
      return response.headers.get("x-request-id") ?? "none"
    })
  const inits: Readonly<Partial<Record<(typeof names)[number], RequestInit>>> = {
    price: { headers: { traceparent: `00-${TRACE_ID}-00f067aa0ba902b7-01` } },
    wrongMethod: { method: "POST" },
    wrongKey: { headers: { "x-api-key": secrets.header } },
    withKey: { headers: { "x-api-key": key } }
  }
  yield* Effect.promise(() => fetch(`http://127.0.0.1:${port}/readyz`)).pipe(
    Effect.repeat({ until: ({ status }) => status === 200, schedule: Schedule.spaced("50 millis") })
  )
  const ids = new Map<string, string>()
  for (const name of names) ids.set(name, yield* ask(requests[name][0], inits[name]))
  // Before anything scrapes /metrics: data sets are measured for the collector all the same.
  yield* Effect.sync(() => collector.metrics()).pipe(
    Effect.repeat({
      until: (metrics) => metrics.some(({ name }) => name === "cda_data_set_age_seconds"),
      schedule: Schedule.spaced("50 millis")
    })
  )
  yield* ask("/metrics")
  yield* setFault("COINGECKO", { fault: "server_error" })
  yield* setFault("FRANKFURTER", { fault: "html" })
  for (const name of names) yield* ask(requests[name][0], inits[name])
  yield* ask("/v1/coins/unheard-of")
  child.kill("SIGTERM")
  assert.deepStrictEqual(yield* ended, { code: 0, signal: null })
  return { collector, key, written, idOf: (name: (typeof names)[number]) => ids.get(name) }
})

class Observed extends Context.Service<Observed, Effect.Success<typeof observe>>()("test/Observed") {
  static readonly layer = Layer.effect(Observed, observe).pipe(Layer.provide(layerWorld))
}

layer(Observed.layer, { excludeTestServices: true })("a process", (it) => {
  const rule = rulesOf(it, Observed)

  rule("logs one JSON object per line, and one per request when LOG_REQUESTS is true", function* ({ idOf, written }) {
    assert.strictEqual(written.stderr, "")
    const lines = written.stdout
      .trimEnd()
      .split("\n")
      .map((line) => Schema.decodeUnknownSync(Line)(JSON.parse(line)))
    const logged = lines.filter(({ route }) => route !== undefined)
    for (const name of names) {
      const own = logged.filter(({ request_id }) => request_id === idOf(name))
      assert.deepStrictEqual(
        own.map(({ status }) => status),
        [requests[name][3]],
        name
      )
    }
    for (const line of logged) assert.notInclude(String(line["path"]), "?")
    const withKey = logged.find(({ plan }) => plan === "developer")
    assert.match(String(withKey?.["caller"]), /^key:[0-9a-f]{12}$/)
  })

  rule("exports a span per request with route and status, in the trace of the caller", function* ({ collector, idOf }) {
    const spans = collector.spans()
    for (const name of names) {
      const span = spans.find(({ attributes }) => attributes["request.id"] === idOf(name))
      const { "http.response.status_code": status, "http.route": route } = span?.attributes ?? {}
      assert.deepStrictEqual([span?.name, route, Number(status)], requests[name].slice(1), name)
      assert.strictEqual(span?.kind, 2)
      assert.strictEqual(span?.resource["service.name"], "crypto-data-api")
    }
    const price = spans.find(({ attributes }) => attributes["request.id"] === idOf("price"))
    assert.strictEqual(price?.traceId, TRACE_ID)
    assert.isFalse(spans.some(({ name }) => name.endsWith("/metrics") || name.endsWith("/healthz")))
  })

  rule("exports a span per call to a source, with the source", function* ({ collector }) {
    // Statements of the history are calls too, of its database.
    const calls = collector
      .spans()
      .filter(({ attributes, kind }) => kind === 3 && attributes["db.system.name"] === undefined)
    const sources = new Set(calls.map(({ attributes }) => attributes["source"]))
    for (const source of ["COINGECKO", "FRANKFURTER", "BYBIT_P2P", "CBN"]) assert.isTrue(sources.has(source), source)
    assert.isFalse(sources.has(undefined))
  })

  rule("exports its log with request ids", function* ({ collector, idOf }) {
    const lines = collector.logs().filter(({ attributes }) => attributes["request_id"] === idOf("keyInQuery"))
    assert.deepStrictEqual(
      lines.map(({ level, message }) => [level, message]),
      [["Info", "GET /v1/fx 400"]]
    )
  })

  rule("exports the metrics of requests and sources", function* ({ collector }) {
    const metrics = collector.metrics()
    const exported = new Set(metrics.map(({ name }) => name))
    for (const name of ["cda_http_requests_total", "cda_http_request_duration_seconds", "cda_source_calls_total"]) {
      assert.isTrue(exported.has(name), name)
    }
    const routes = metrics.flatMap(({ name, points }) => (name === "cda_http_requests_total" ? points : []))
    assert.isTrue(routes.some(({ route, status }) => route === "/v1/price/:id/:fiat" && status === "200"))
  })

  rule("logs and exports no secret", function* ({ collector, key, written }) {
    const everything = [written.stdout, written.stderr, ...collector.posts.map(({ text }) => text)].join("\n")
    for (const secret of [...Object.values(secrets), key]) assert.notInclude(everything, secret)
  })
})
