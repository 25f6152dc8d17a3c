import { NodeHttpServer, NodeServices } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { Cause, Effect, Layer, Logger, Schema } from "effect"
import { HttpClient, HttpRouter } from "effect/http"
import * as Logging from "../../src/node/Logging.ts"
import { Gate } from "../../src/http/gate/Gate.ts"
import * as Server from "../../src/Server.ts"
import { Sandbox } from "../../src/sandbox/SandboxUpstreams.ts"
import { folder, layerWorld, servingWith, started } from "../cli/ServingProcess.ts"

const Line = Schema.StructWithRest(
  Schema.Struct({
    timestamp: Schema.String.check(Schema.isPattern(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)),
    level: Schema.Literals(["TRACE", "DEBUG", "INFO", "WARN", "ERROR", "FATAL"]),
    message: Schema.Unknown,
    request_id: Schema.optionalKey(Schema.String),
    cause: Schema.optionalKey(Schema.String)
  }),
  [Schema.Record(Schema.String, Schema.Unknown)]
)

const decode = (line: string) => Schema.decodeUnknownSync(Line)(JSON.parse(line))

/** Where the log goes, instead of standard output. */
const capturing = (logger: Logger.Logger<unknown, string>) => {
  const lines: Array<string> = []
  const layer = Logger.layer([Logger.map(logger, (line) => void lines.push(line))])
  return { lines, layer }
}

/** Our gate around a route that has a bug. */
const faulty = (logs: Layer.Layer<never>) =>
  HttpRouter.serve(
    HttpRouter.add("GET", "/boom", () =>
      Effect.andThen(Effect.logWarning("about to fail"), Effect.die(new Error("the disk of db-7 is full")))
    ).pipe(Layer.provide(Gate)),
    { disableLogger: true, disableListenLog: true }
  ).pipe(
    Layer.provide(Server.layerErrorReporter),
    Layer.provide(Server.layerAccessLocal({ dataDir: "/nonexistent/crypto-data-api", maxKeys: 100 })),
    Layer.provideMerge(NodeHttpServer.layerTest),
    Layer.provide(logs),
    Layer.provide(NodeServices.layer),
    Layer.fresh
  )

describe("the log", () => {
  it.effect("has the cause of a 500 under the id that the caller got, and the caller got nothing of the cause", () => {
    const { layer, lines } = capturing(Logging.json)
    return Effect.gen(function* () {
      for (let n = 0; n < 3; n++) {
        lines.length = 0
        const response = yield* HttpClient.get("/boom")
        const text = yield* response.text
        const id = response.headers["x-request-id"]
        assert.strictEqual(response.status, 500)
        assert.strictEqual(JSON.parse(text).instance, id)
        assert.notInclude(text + JSON.stringify(response.headers), "db-7")

        const [warned, failed, ...more] = lines.map(decode)
        assert.deepStrictEqual(more, [])
        assert.deepStrictEqual([warned?.level, warned?.request_id, warned?.message], ["WARN", id, "about to fail"])
        assert.deepStrictEqual([failed?.level, failed?.request_id], ["ERROR", id])
        assert.include(failed?.cause, "the disk of db-7 is full")
        assert.include(failed?.cause, "Logging.test.ts")
      }
    }).pipe(Effect.provide(faulty(layer)))
  })

  it.effect("on a terminal is a line for people, with the cause below it", () => {
    const { layer, lines } = capturing(Logging.pretty(false))
    return Effect.gen(function* () {
      const id = (yield* HttpClient.get("/boom")).headers["x-request-id"]
      assert.match(lines[0] ?? "", new RegExp(`^\\S+Z WARN  about to fail request_id=${id}$`))
      const [first, ...below] = (lines[1] ?? "").split("\n")
      assert.match(first ?? "", new RegExp(`^\\S+Z ERROR a request failed with an internal error request_id=${id}$`))
      assert.isAbove(below.length, 1)
      for (const line of below) assert.match(line, /^ {2}/)
    }).pipe(Effect.provide(faulty(layer)))
  })

  it.effect("has colours for a terminal alone", () =>
    Effect.gen(function* () {
      for (const isColoured of [true, false]) {
        const { layer, lines } = capturing(Logging.pretty(isColoured))
        yield* Effect.logError("red").pipe(Effect.provide(layer))
        assert.strictEqual(lines[0]?.includes("\u001b[31mERROR\u001b[0m"), isColoured)
      }
    })
  )

  it.effect("makes unreadable what looks like a secret, wherever it stands", () =>
    Effect.gen(function* () {
      const key = "cda_0123456789abcdefghijABCDEFGHIJ01AbCdEf"
      const address = "rediss://operator:hunter2@redis.example:6380/0"
      for (const logger of [Logging.json, Logging.pretty(false)]) {
        const { layer, lines } = capturing(logger)
        yield* Effect.logError(`with ${key}`, { address }, Cause.fail(new Error(`at ${address} for ${key}`))).pipe(
          Effect.annotateLogs({ key, address }),
          Effect.provide(layer)
        )
        assert.lengthOf(lines, 1)
        for (const part of [key, "0123456789", "hunter2", "operator"]) assert.notInclude(lines[0], part)
        assert.include(lines[0], "rediss://<redacted>@redis.example:6380/0")
      }
    })
  )
})

const secrets = {
  source: "CG-0123456789SecretOfTheSource",
  password: "SecretOfTheRedis",
  header: "cda_0123456789SecretInAHeader00000000000000",
  query: "cda_0123456789SecretInAQuery000000000000000",
  path: "cda_0123456789SecretInAPath0000000000000000"
}

/** Requests of every kind, some with secrets where they do not belong, while sources fail. */
const busy = Effect.fnUntraced(function* (port: number, validKey: string) {
  const { setFault } = yield* Sandbox
  const ids: Array<string> = []
  const ask = (path: string, headers: Record<string, string> = {}) =>
    Effect.promise(async () => {
      const response = await fetch(`http://127.0.0.1:${port}${path}`, { headers })
      await response.text()
      ids.push(response.headers.get("x-request-id") ?? "none")
      return response.status
    })
  yield* setFault("COINGECKO", { fault: "server_error" })
  yield* setFault("FRANKFURTER", { fault: "html" })
  for (let n = 0; n < 10; n++) {
    yield* ask(`/v1/coins/unheard-of-${n}`)
    yield* ask("/v1/price/bitcoin/ngn", { "x-api-key": validKey })
    yield* ask("/v1/fx", { "x-api-key": secrets.header })
    yield* ask(`/v1/fx?api_key=${secrets.query}`)
    yield* ask(`/v1/coins/${secrets.path}`)
    yield* ask("/wp-login.php")
    yield* ask("/metrics")
  }
  return ids
})

const createdKey = (settings: Readonly<Record<string, string>>) =>
  Effect.gen(function* () {
    const { ended, written } = yield* started(["keys", "create", "--plan", "developer", "--label", "Acme"], settings)
    assert.deepStrictEqual(yield* ended, { code: 0, signal: null }, written.stderr)
    return written.stdout.trim()
  })

describe("all that a busy process writes", () => {
  it.live(
    "is one JSON object a line, a line for each request where that is wanted, and no secret",
    () =>
      Effect.gen(function* () {
        const DATA_DIR = yield* folder
        const key = yield* createdKey({ DATA_DIR })
        assert.match(key, /^cda_/)
        const more = { DATA_DIR, LOG_REQUESTS: "true", LOG_LEVEL: "All", COINGECKO_API_KEY: secrets.source }
        const { child, ended, port, written } = yield* servingWith(more)
        const ids = yield* busy(port, key)
        child.kill("SIGTERM")
        assert.deepStrictEqual(yield* ended, { code: 0, signal: null })

        assert.strictEqual(written.stderr, "")
        const lines = written.stdout.trimEnd().split("\n").map(decode)
        assert.isAbove(lines.length, ids.length)
        const requests = lines.filter(({ route }) => route !== undefined)
        for (const id of ids) {
          assert.lengthOf(
            requests.filter(({ request_id }) => request_id === id),
            1,
            "a line for each request"
          )
        }
        for (const request of requests) assert.notInclude(String(request["path"]), "?")
        const keyed = requests.find(({ plan }) => plan === "developer")
        assert.match(String(keyed?.["caller"]), /^key:[0-9a-f]{12}$/)
        for (const secret of [...Object.values(secrets), key]) assert.notInclude(written.stdout, secret)
      }).pipe(Effect.scoped, Effect.provide(layerWorld)),
    { timeout: 60_000 }
  )

  it.live(
    "has no line for requests that went well unless that is wanted, and no password of a Redis that cannot be reached",
    () =>
      Effect.gen(function* () {
        const { child, ended, port, written } = yield* servingWith({
          LOG_FORMAT: "pretty",
          REDIS_URL: `redis://operator:${secrets.password}@127.0.0.1:1/0`,
          COINGECKO_API_KEY: secrets.source
        })
        yield* busy(port, secrets.header)
        child.kill("SIGTERM")
        assert.deepStrictEqual(yield* ended, { code: 0, signal: null })

        const everything = written.stdout + written.stderr
        assert.include(everything, "Redis cannot be used")
        assert.notInclude(everything, "/wp-login.php")
        assert.notInclude(everything, "\u001b[", "no colours where there is no terminal")
        for (const secret of [...Object.values(secrets), "operator"]) assert.notInclude(everything, secret)
      }).pipe(Effect.scoped, Effect.provide(layerWorld)),
    { timeout: 60_000 }
  )
})
