import { NodeHttpServer, NodeServices } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { Cause, ConfigProvider, Effect, Layer, Logger, Schema } from "effect"
import { HttpClient, HttpRouter } from "effect/http"
import { TestConsole } from "effect/testing"
import * as Logging from "../../src/node/Logging.ts"
import { Gate } from "../../src/http/gate/Gate.ts"
import { GateMiddleware } from "../../src/http/gate/GateMiddleware.ts"
import * as Server from "../../src/Server.ts"
import { Line } from "./LogLine.ts"
import { rule } from "../rulesOf.ts"

const decode = (line: string) => Schema.decodeUnknownSync(Line)(JSON.parse(line))

/** A layer that logs into an array. */
const capturing = (logger: Logger.Logger<unknown, string>) => {
  const lines: Array<string> = []
  const layer = Logger.layer([Logger.map(logger, (line) => void lines.push(line))])
  return { lines, layer }
}

/** The gate around a route that warns and then dies. */
const faulty = (logs: Layer.Layer<never>) =>
  HttpRouter.serve(
    HttpRouter.add("GET", "/docs", () =>
      Effect.andThen(Effect.logWarning("about to fail"), Effect.die(new Error("the disk of db-7 is full")))
    ).pipe(Layer.provide(GateMiddleware)),
    { disableLogger: true, disableListenLog: true }
  ).pipe(
    Layer.provide([Server.layerErrorReporter, Gate.layer]),
    Layer.provide(Server.layerAccessLocal({ dataDir: "/nonexistent/crypto-data-api", maxKeys: 100 })),
    Layer.provideMerge(NodeHttpServer.layerTest),
    Layer.provide(logs),
    Layer.provide(NodeServices.layer),
    Layer.fresh
  )

describe("the log", () => {
  it.effect("has the cause of a 500 under the request id, of which the response contains nothing", () => {
    const { layer, lines } = capturing(Logging.json)
    return Effect.gen(function* () {
      for (let n = 0; n < 3; n++) {
        lines.length = 0
        const response = yield* HttpClient.get("/docs")
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

  it.effect("on a terminal has readable lines, with the cause indented below", () => {
    const { layer, lines } = capturing(Logging.pretty(false))
    return Effect.gen(function* () {
      const id = (yield* HttpClient.get("/docs")).headers["x-request-id"]
      assert.match(lines[0] ?? "", new RegExp(`^\\S+Z WARN  about to fail request_id=${id}$`))
      const [first, ...below] = (lines[1] ?? "").split("\n")
      assert.match(first ?? "", new RegExp(`^\\S+Z ERROR a request failed with an internal error request_id=${id}$`))
      assert.isAbove(below.length, 1)
      for (const line of below) assert.match(line, /^ {2}/)
    }).pipe(Effect.provide(faulty(layer)))
  })

  rule("has colours only on a terminal", function* () {
    for (const isColoured of [true, false]) {
      const { layer, lines } = capturing(Logging.pretty(isColoured))
      yield* Effect.logError("red").pipe(Effect.provide(layer))
      assert.strictEqual(lines[0]?.includes("\u001b[31mERROR\u001b[0m"), isColoured)
    }
  })

  rule("redacts API keys and credentials in URLs, in messages, annotations and causes", function* () {
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
})

describe("the log of the process", () => {
  /**
   * What a request and a warning come to on standard output, with these settings; standard output is no terminal here.
   */
  const linesWith = (settings: Readonly<Record<string, string>>) => {
    const logs = Logging.layer.pipe(Layer.provide(ConfigProvider.layer(ConfigProvider.fromUnknown(settings))))
    return Effect.andThen(HttpClient.get("/docs"), TestConsole.logLines).pipe(
      Effect.map((lines) => lines.map(String)),
      Effect.provide(faulty(Layer.orDie(logs))),
      Effect.provide(TestConsole.layer)
    )
  }

  rule("has a line per request only when LOG_REQUESTS is true", function* () {
    const without = yield* linesWith({})
    assert.deepStrictEqual(
      without.map((line) => decode(line).message),
      ["about to fail", "a request failed with an internal error"]
    )
    const lines = yield* linesWith({ LOG_REQUESTS: "true" })
    assert.deepInclude(decode(lines.at(-1) ?? ""), { message: "GET /docs 500", route: "/docs", status: 500 })
  })

  rule("has lines from LOG_LEVEL up, in LOG_FORMAT, without colours where there is no terminal", function* () {
    const lines = yield* linesWith({ LOG_LEVEL: "error", LOG_FORMAT: "pretty" })
    assert.lengthOf(lines, 1)
    assert.match(lines[0] ?? "", /^\S+Z ERROR a request failed with an internal error request_id=/)
    assert.notInclude(lines[0], "\u001b[")
  })
})
