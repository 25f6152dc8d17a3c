import { assert, describe } from "@effect/vitest"
import { ConfigProvider, DateTime, Effect, Fiber, identity, Layer, Metric, Schema } from "effect"
import { KeyValueStore } from "effect/persistence"
import { TestClock } from "effect/testing"
import { once } from "node:events"
import { createServer } from "node:net"
import { inspect } from "node:util"
import type { Urgency } from "../../../src/sources/client/Budget.ts"
import * as SourceClient from "../../../src/sources/client/SourceClient.ts"
import { layerRequirements } from "../../../src/sources/client/SourceService.ts"
import { SourceError, Unreachable } from "../../../src/sources/client/SourceError.ts"
import { DEFAULT_USER_AGENT } from "../../../src/sources/client/SourceSettings.ts"
import { SourceLabel } from "../../../src/sources/catalog/SourceRecord.ts"
import {
  json,
  overHttp,
  type ScriptedAnswer,
  type ScriptedRequest,
  scriptedUpstream,
  source,
  whileTimePasses,
  reasonOf,
  tagOf
} from "../ScriptedUpstream.ts"
import { Bitstamp } from "../../../src/sources/exchange/Bitstamp.ts"
import { officialRate } from "../../../src/domain/PlausibleRates.ts"
import { capturedLog } from "../../resources.ts"
import { rule } from "../../rulesOf.ts"

const NOW = Date.UTC(2026, 8, 13, 17, 53, 30)

const Body = Schema.Struct({ price: Schema.Finite })

const good = json({ price: 1391.75 })

/** A client of `url`, with a breaker of its own that lasts as long as the test. */
const clientOf = Effect.fnUntraced(function* (
  url: string,
  calls: Partial<SourceClient.SourceCalls> = {},
  settings: Readonly<Record<string, string>> = {}
) {
  yield* TestClock.setTime(NOW)
  const services = yield* Layer.build(
    Layer.fresh(
      Layer.merge(
        layerRequirements,
        ConfigProvider.layer(ConfigProvider.fromUnknown({ TEST_SOURCE_BASE_URL: url, ...settings }))
      )
    )
  )
  const client = yield* Effect.provideContext(SourceClient.make({ source, ...calls }), services)
  const call = ({ circuit = "price", urgency }: { readonly circuit?: string; readonly urgency?: Urgency } = {}) =>
    client
      .lookUp(
        circuit,
        (value: typeof Body.Type) => ({ value, leftOut: new Map() }),
        Effect.map(
          client.get("/price", Body, { query: { id: "bitcoin" }, urgency }),
          ({ body: value, retrievedAt }) => ({ value, retrievedAt })
        )
      )
      .pipe(Effect.map(({ retrievedAt, value: body }) => ({ body, retrievedAt })))
  return { client, call, get: call() }
})

/** A client of an upstream that gives these answers in turn, the last one from then on. */
const script = Effect.fnUntraced(function* (
  answers: ReadonlyArray<ScriptedAnswer>,
  calls?: Partial<SourceClient.SourceCalls>,
  settings?: Readonly<Record<string, string>>
) {
  let n = 0
  const upstream = yield* scriptedUpstream(() => answers[Math.min(n++, answers.length - 1)] ?? "reset")
  return { ...(yield* clientOf(upstream.url, calls, settings)), ...upstream, count: () => upstream.requests().length }
})

const status = (code: number, headers: Readonly<Record<string, string>> = {}, body = ""): ScriptedAnswer => ({
  status: code,
  headers,
  body
})

/** An address at which nothing listens. */
const nowhere = Effect.scoped(
  Effect.map(
    scriptedUpstream(() => good),
    ({ url }) => url
  )
)

rule("warns once an hour of what does not fit or cannot be true, and fails where no row fits", function* () {
  const { layer, lines } = capturedLog()
  const { client } = yield* clientOf("http://127.0.0.1:9")
  const rows = client.usable("rows", { good: [1], bad: 2 })
  const rate = Effect.succeed({ value: { rate: 0, date: "2026-09-12" }, retrievedAt: yield* DateTime.now })
  const poll = Effect.andThen(rows, Effect.exit(client.lookUp("rates", officialRate, rate))).pipe(
    Effect.andThen(TestClock.adjust("20 minutes"))
  )
  yield* Effect.provide(Effect.repeat(poll, { times: 3 }), layer)
  const two = ["Warn Test Source: 2 of 3 rows ignored:", "Warn Test Source: implausible figures ignored"]
  assert.deepStrictEqual(
    lines.map((line) => two.find((start) => line.startsWith(start))),
    [...two, ...two]
  )
  assert.strictEqual(yield* tagOf(client.usable("rows", { good: [], bad: 2 })), "Undecodable")
})

rule("asks under its own name for JSON, and says when the answer was complete", function* () {
  const { get, requests } = yield* script([good], { headers: { "x-plan": "demo" } })
  const { body, retrievedAt } = yield* get
  assert.deepStrictEqual(body, { price: 1391.75 })
  assert.strictEqual(retrievedAt.epochMilliseconds, NOW)
  assert.strictEqual(requests().length, 1)
  for (const { headers, method, url } of requests()) {
    assert.strictEqual(`${method} ${url}`, "GET /price?id=bitcoin")
    assert.strictEqual(headers["user-agent"], DEFAULT_USER_AGENT)
    assert.strictEqual(headers.accept, "application/json")
    assert.strictEqual(headers["x-plan"], "demo")
    // Trace ids are not sent to sources.
    assert.isUndefined(headers.traceparent)
    assert.isUndefined(headers["b3"])
  }
})

rule("sends USER_AGENT instead of the default where it is set", function* () {
  const { get, requests } = yield* script([good], {}, { USER_AGENT: "Acme/2 (+https://acme.example)" })
  yield* get
  assert.deepStrictEqual(
    requests().map(({ headers }) => headers["user-agent"]),
    ["Acme/2 (+https://acme.example)"]
  )
})

describe("a source with an older address", () => {
  /** Both addresses as upstreams, and a client that has neither as a setting. */
  const both = Effect.fnUntraced(function* (newer: ScriptedAnswer, older: ScriptedAnswer) {
    const first = yield* scriptedUpstream(() => newer)
    const second = yield* scriptedUpstream(() => older)
    const twoAddresses = { ...source, baseUrl: first.url, olderBaseUrls: [second.url] }
    const { get } = yield* clientOf("", { source: twoAddresses, retries: 0, timeoutSeconds: 1 })
    return { get, first: () => first.requests().length, second: () => second.requests().length }
  })

  rule("is not asked there while the newer one answers", function* () {
    const { first, get, second } = yield* both(good, good)
    yield* get
    assert.deepStrictEqual([first(), second()], [1, 0])
  })

  rule("is asked there when the newer one is broken, silent, gone or sends a page", function* () {
    for (const newer of ["reset", "hang", status(503), status(404), status(200, {}, "<html>")] as const) {
      const { first, get, second } = yield* both(newer, good)
      assert.strictEqual((yield* whileTimePasses(get)).body.price, 1391.75)
      assert.deepStrictEqual([first(), second()], [1, 1])
    }
  })

  rule("is not asked there when the newer one asks for a pause", function* () {
    const { get, second } = yield* both(status(429), good)
    assert.strictEqual((yield* reasonOf(get))._tag, "RateLimited")
    assert.strictEqual(second(), 0)
  })

  rule("fails with the failure of the newer one when both fail", function* () {
    const { get } = yield* both(status(502), status(404))
    assert.deepInclude(yield* reasonOf(get), { _tag: "BadStatus", status: 502 })
  })

  rule("is asked at neither where <ID>_BASE_URL is set", function* () {
    const older = yield* scriptedUpstream(() => good)
    const { count, get } = yield* script([status(503)], {
      source: { ...source, olderBaseUrls: [older.url] },
      retries: 0
    })
    assert.deepInclude(yield* reasonOf(get), { _tag: "BadStatus", status: 503 })
    assert.deepStrictEqual([count(), older.requests().length], [1, 0])
  })
})

describe("retries", () => {
  rule("what may pass is tried again: 503, 503, 200 is an answer", function* () {
    const { count, get } = yield* script([status(503), status(503), good], { retries: 2 })
    assert.strictEqual((yield* whileTimePasses(get)).body.price, 1391.75)
    assert.strictEqual(count(), 3)
  })

  rule("once, unless told otherwise", function* () {
    const { count, get } = yield* script([status(503), status(503), good])
    assert.deepInclude(yield* whileTimePasses(reasonOf(get)), { _tag: "BadStatus", status: 503 })
    assert.strictEqual(count(), 2)
  })

  rule("a broken connection is tried again", function* () {
    const { count, get } = yield* script(["reset", good])
    assert.strictEqual((yield* whileTimePasses(get)).body.price, 1391.75)
    assert.strictEqual(count(), 2)
  })

  rule("what will not pass is not: 400, 401, 403, 404, 429, nonsense", function* () {
    for (const answer of [400, 401, 403, 404, 429].map((code) => status(code)).concat(status(200, {}, "no"))) {
      const { count, get } = yield* script([answer], { retries: 3 })
      yield* Effect.flip(get)
      assert.strictEqual(count(), 1, inspect(answer))
    }
  })

  rule("a timeout is not tried again", function* () {
    const { count, get } = yield* script(["hang"], { timeoutSeconds: 1, retries: 3 })
    assert.strictEqual(yield* whileTimePasses(tagOf(get)), "TimedOut")
    assert.strictEqual(count(), 1)
  })

  rule("a call that never connected costs the budget nothing", function* () {
    const { call } = yield* clientOf(yield* nowhere, {
      retries: 0,
      allowances: [{ calls: 1, per: "1 minute", onDemand: 1 }]
    })
    assert.strictEqual(yield* tagOf(call()), "Unreachable")
    assert.strictEqual(yield* tagOf(call({ urgency: "on_demand" })), "Unreachable")
    const { get } = yield* script(["reset"], { retries: 0, allowances: [{ calls: 1, per: "1 minute", onDemand: 1 }] })
    assert.strictEqual(yield* tagOf(get), "Unreachable")
    assert.strictEqual(yield* tagOf(get), "OverBudget")
  })

  rule(
    "a call that is still connecting when it times out costs the budget nothing, one that waits for an answer does",
    function* () {
      const allowances = [{ calls: 1, per: "1 minute", onDemand: 1 }] as const
      // It accepts connections and says nothing, so TLS never begins.
      const mute = yield* Effect.acquireRelease(
        Effect.promise(async () => {
          const server = createServer()
          await once(server.listen(0, "127.0.0.1"), "listening")
          return server
        }),
        (server) => Effect.sync(() => server.close())
      )
      const address = mute.address()
      const port = address !== null && typeof address === "object" ? address.port : 0
      const calls = { retries: 0, timeoutSeconds: 1, allowances }
      const { call } = yield* clientOf(`https://127.0.0.1:${port}`, calls)
      for (let n = 0; n < 2; n++) {
        const connected = Effect.promise(() => once(mute, "connection"))
        const asked = yield* Effect.forkChild(Effect.flip(call()))
        yield* connected
        yield* TestClock.adjust("1 second")
        const { message, reason } = yield* Fiber.join(asked)
        assert.strictEqual(reason._tag, "TimedOut")
        assert.match(message, /could not be reached within 1 s$/)
      }
      const { get } = yield* script(["hang"], calls)
      assert.strictEqual(yield* whileTimePasses(tagOf(get)), "TimedOut")
      assert.strictEqual(yield* tagOf(get), "OverBudget")
    }
  )

  rule("each attempt is a call of the budget", function* () {
    const { count, get } = yield* script([status(503)], {
      retries: 5,
      allowances: [{ calls: 2, per: "1 minute", onDemand: 2 }]
    })
    // What went wrong first is told, not that there was no budget to try once more.
    assert.strictEqual(yield* whileTimePasses(tagOf(get)), "BadStatus")
    assert.strictEqual(count(), 2)
  })
})

describe("429", () => {
  /** Asks once, gets a 429 with this header, and returns the pause that follows, in seconds. */
  const pauseAfter = Effect.fnUntraced(function* (header: string | undefined) {
    const headers: Readonly<Record<string, string>> = header === undefined ? {} : { "retry-after": header }
    const { call, count, get } = yield* script([status(429, headers), good])
    const refused = yield* reasonOf(get)
    const held = yield* reasonOf(call({ urgency: "on_demand" }))
    assert.strictEqual(count(), 1)
    assert.deepStrictEqual(
      [refused._tag, "retryAfter" in refused && "retryAfter" in held && refused.retryAfter === held.retryAfter],
      ["RateLimited", true]
    )
    const seconds = "retryAfter" in held ? held.retryAfter : Number.NaN
    yield* TestClock.adjust(seconds * 1000 - 1)
    assert.strictEqual(yield* tagOf(call({ urgency: "on_demand" })), "RateLimited")
    assert.strictEqual(count(), 1)
    yield* TestClock.adjust(1)
    yield* get
    assert.strictEqual(count(), 2)
    return seconds
  })

  rule("no call is made until Retry-After has passed, whether in seconds or as a date", function* () {
    assert.strictEqual(yield* pauseAfter("30"), 30)
    assert.strictEqual(yield* pauseAfter("Sun, 13 Sep 2026 17:54:15 GMT"), 45)
  })

  rule("without one, or with nonsense, a minute", function* () {
    for (const header of [undefined, "", "soon", "9".repeat(400), "-5", "1.5", "86401"]) {
      assert.strictEqual(yield* pauseAfter(header), 60, header)
    }
  })

  rule("a day is believed, the past is a second", function* () {
    assert.strictEqual(yield* pauseAfter("86400"), 86_400)
    assert.strictEqual(yield* pauseAfter("0"), 1)
    assert.strictEqual(yield* pauseAfter("Sun, 13 Sep 2020 17:54:15 GMT"), 1)
  })

  rule("the circuit stays closed: the pause is enough", function* () {
    const { get } = yield* script([...Array.from({ length: 4 }, () => status(429, { "retry-after": "1" })), good])
    for (let n = 0; n < 4; n++) {
      assert.strictEqual(yield* tagOf(get), "RateLimited")
      yield* TestClock.adjust("1 second")
    }
    assert.strictEqual((yield* get).body.price, 1391.75)
  })
})

describe("a ban", () => {
  /** A client of a source that bans this address, with this store. */
  const started = (url: string) =>
    Effect.gen(function* () {
      const services = yield* Layer.build(
        Layer.fresh(
          Layer.merge(
            layerRequirements,
            ConfigProvider.layer(ConfigProvider.fromUnknown({ TEST_SOURCE_BASE_URL: url }))
          )
        )
      )
      const client = yield* Effect.provideContext(SourceClient.make({ source }), services)
      return Effect.flip(client.get("/price", Body))
    })

  rule("holds over restarts, on disk, and its failure names it each time", function* () {
    yield* TestClock.setTime(NOW)
    const { requests, url } = yield* scriptedUpstream(() => status(418, { "retry-after": "7200" }))
    const texts: Array<string> = []
    yield* Effect.gen(function* () {
      for (let restart = 0; restart < 3; restart++) {
        const get = yield* started(url)
        texts.push((yield* get).message, (yield* get).message)
        yield* TestClock.adjust("30 minutes")
      }
      assert.strictEqual(requests().length, 1)
      yield* TestClock.adjust("30 minutes")
      yield* yield* started(url)
      assert.strictEqual(requests().length, 2)
    }).pipe(Effect.provide(KeyValueStore.layerMemory))
    const banned = (seconds: number) => `Test Source has banned this address for its calls; next try in ${seconds} s`
    assert.deepStrictEqual(texts, [7200, 7200, 5400, 5400, 3600, 3600].map(banned))
  })

  rule("is shared by all clients of a source, such as those of tickers and candles", function* () {
    yield* TestClock.setTime(NOW)
    const { requests, url } = yield* scriptedUpstream(() => status(429, { "retry-after": "60" }))
    const { candles, tickers } = yield* Effect.provide(
      Bitstamp.useSync(identity),
      overHttp(Bitstamp.layerNoDeps, { BITSTAMP_BASE_URL: url })
    )
    assert.strictEqual(yield* tagOf(tickers.get), "RateLimited")
    const asked = { market: "btcusd", interval: "day", first: 0, last: 0, urgency: "on_demand" } as const
    assert.strictEqual(yield* whileTimePasses(tagOf(candles(asked))), "RateLimited")
    assert.strictEqual(requests().length, 1)
  })

  rule("is a 503 with Retry-After too; without one it is a failure that is tried again", function* () {
    const closed = yield* script([status(503, { "retry-after": "90" }), good])
    assert.deepInclude(yield* reasonOf(closed.get), { _tag: "RateLimited", retryAfter: 90, status: 503 })
    assert.strictEqual(closed.count(), 1)
    const failing = yield* script([status(503), good])
    assert.strictEqual((yield* whileTimePasses(failing.get)).body.price, 1391.75)
  })
})

describe("bodies", () => {
  rule("that hold an error's code and type say it, and nothing else of theirs", function* () {
    const cases = [
      [
        200,
        { success: false, error: { code: 101, type: "missing_access_key", info: "ignore all" } },
        "101 missing_access_key"
      ],
      [400, { code: -71_012, msg: "ignore all" }, "-71012"],
      [200, { status: { error_code: 1020, error_message: "ignore all" } }, "1020"],
      [403, { error: "Forbidden" }, "Forbidden"],
      [404, { code: "ignore all" }, undefined],
      [404, { code: "ignore-all" }, undefined],
      [404, { code: "evil.example" }, undefined],
      [400, { code: "x".repeat(41) }, undefined],
      [400, { code: "0" }, undefined]
    ] as const
    for (const [code, body, expected] of cases) {
      const { get } = yield* script([status(code, { "content-type": "application/json" }, JSON.stringify(body))])
      const error = yield* Effect.flip(get)
      const { reason } = error
      assert.strictEqual("code" in reason ? reason.code : undefined, expected, JSON.stringify(body))
      assert.notInclude(inspect(error, { depth: 9 }), "ignore all")
      if (expected !== undefined) assert.include(error.message, expected)
    }
  })

  rule("HTML with status 200 is a failure", function* () {
    const { get } = yield* script([status(200, { "content-type": "text/html" }, "\n <!DOCTYPE html><p>Access Denied")])
    assert.strictEqual(
      (yield* Effect.flip(get)).message,
      "Test Source sent something that is not its documented format: an HTML or XML page instead of JSON"
    )
  })

  rule("so are broken JSON, nothing at all and another shape, and no word of theirs is repeated", function* () {
    for (const body of ['{"price": 1391.7', "", "Please limit requests", '{"price":"ignore all"}', '["ignore all"]']) {
      const { get } = yield* script([status(200, {}, body)])
      const error = yield* Effect.flip(get)
      assert.strictEqual(error.reason._tag, "Undecodable", body)
      assert.notMatch(inspect(error, { depth: 9 }), /1391|limit requests|ignore all/)
    }
  })

  rule("raw control characters inside strings are read over", function* () {
    const { get } = yield* script([status(200, {}, '{"remark":"a\u0000b\nc\u001b\u0085","price":1391.75}')])
    assert.strictEqual((yield* get).body.price, 1391.75)
  })

  rule("characters cut in two by the network are put together", function* () {
    const text = `{"remark":"${"₦".repeat(20_000)}","price":1391.75}`
    const upstream = yield* scriptedUpstream(() => status(200, {}, text))
    const { client } = yield* clientOf(upstream.url)
    const { body } = yield* client.get("/", Schema.Struct({ remark: Schema.String, price: Schema.Finite }))
    assert.strictEqual(body.remark, "₦".repeat(20_000))
  })

  rule("one that is too large is left where the limit is, not read to its end", function* () {
    const size = 64 * 1024 * 1024
    const { get, sent } = yield* script([status(200, {}, " ".repeat(size))], { maxBytes: 100_000 })
    assert.deepInclude(yield* reasonOf(get), { _tag: "TooLarge", limit: 100_000 })
    assert.isBelow(sent(), size / 4)
  })

  rule("one whose request was interrupted is not read further: the connection is closed", function* () {
    const { get, open } = yield* script([status(403, {}, " ".repeat(64 * 1024 * 1024))])
    assert.strictEqual(yield* tagOf(get), "BadStatus")
    for (let n = 0; n < 100 && open() > 0; n++) yield* TestClock.withLive(Effect.sleep("5 millis"))
    assert.strictEqual(open(), 0)
  })

  rule("one of exactly the limit is read", function* () {
    const { get } = yield* script([status(200, {}, '{"price":1}'.padEnd(1000))], { maxBytes: 1000 })
    assert.strictEqual((yield* get).body.price, 1)
  })
})

describe("connections", () => {
  rule("silence is given up after the time-out", function* () {
    const { get } = yield* script(["hang"], { timeoutSeconds: 3, retries: 0 })
    assert.deepInclude(yield* whileTimePasses(reasonOf(get)), { _tag: "TimedOut", seconds: 3 })
  })

  rule("so is a body that stops coming", function* () {
    const { get } = yield* script([status(200, { "content-length": "1000" }, '{"price":')], {
      timeoutSeconds: 3,
      retries: 0
    })
    assert.strictEqual(yield* whileTimePasses(tagOf(get)), "TimedOut")
  })

  rule("no listener, and a connection that breaks off, are unreachable, with the code and no address", function* () {
    const absent = yield* clientOf(yield* nowhere, { retries: 0 })
    // No circuit opens: the source was never asked.
    for (let n = 0; n < 4; n++)
      assert.match((yield* Effect.flip(absent.get)).message, /^Test Source could not be reached: .*\(ECONNREFUSED\)$/)
    // Nor is a certificate that is not accepted here, as behind a proxy that opens TLS, a call of the budget.
    for (const detail of ["CERT_HAS_EXPIRED", "DEPTH_ZERO_SELF_SIGNED_CERT", "ERR_TLS_CERT_ALTNAME_INVALID"])
      assert.isFalse(absent.client.error(new Unreachable({ detail })).wasCalled)
    const { get } = yield* script(["reset"], { retries: 0 })
    const error = yield* Effect.flip(get)
    assert.deepStrictEqual([error.reason._tag, error.wasCalled], ["Unreachable", true])
    assert.notInclude(inspect(error, { depth: 9 }), "127.0.0.1")
  })

  rule("a redirect is a failure, and is not followed", function* () {
    const elsewhere = yield* scriptedUpstream(() => good)
    for (const code of [301, 302, 307, 308]) {
      const { get } = yield* script([status(code, { location: elsewhere.url })])
      assert.deepInclude(yield* reasonOf(get), { _tag: "BadStatus", status: code })
    }
    assert.strictEqual(elsewhere.requests().length, 0)
  })
})

describe("the circuit", () => {
  rule("opens after three failures in a row; then nothing is asked until it tries again", function* () {
    const isOpen = Effect.map(Metric.snapshot, (all) =>
      all.flatMap((one) => (one.type === "Gauge" && one.attributes?.["circuit"] === "price" ? [one.state.value] : []))
    )
    const { count, get } = yield* script([status(403), status(403), status(403), good])
    for (let n = 0; n < 3; n++) assert.strictEqual(yield* tagOf(get), "BadStatus")
    assert.deepInclude(yield* reasonOf(get), { _tag: "Suspended", retryAfter: 5 })
    yield* TestClock.adjust(4999)
    assert.strictEqual(yield* tagOf(get), "Suspended")
    assert.strictEqual(count(), 3)
    assert.deepStrictEqual(yield* isOpen, [1])
    yield* TestClock.adjust(1)
    assert.strictEqual((yield* get).body.price, 1391.75)
    yield* get
    assert.strictEqual(count(), 5)
    assert.deepStrictEqual(yield* isOpen, [0])
  })

  rule("a failed try rests it for longer", function* () {
    const { count, get } = yield* script([status(403)])
    for (let n = 0; n < 3; n++) yield* Effect.flip(get)
    yield* TestClock.adjust("5 seconds")
    assert.strictEqual(yield* tagOf(get), "BadStatus")
    assert.deepInclude(yield* reasonOf(get), { _tag: "Suspended", retryAfter: 10 })
    assert.strictEqual(count(), 4)
  })

  rule("a success between failures keeps it closed", function* () {
    const { get } = yield* script([status(403), status(403), good, status(403), status(403), good])
    for (let n = 0; n < 6; n++) yield* Effect.exit(get)
    assert.strictEqual((yield* get).body.price, 1391.75)
  })

  rule("nonsense with status 200 opens it; a request that it refuses, such as 404 or 414, never does", function* () {
    const nonsense = yield* script([status(200, {}, "<html>")])
    for (let n = 0; n < 3; n++) yield* Effect.flip(nonsense.get)
    assert.strictEqual(yield* tagOf(nonsense.get), "Suspended")
    for (const refusal of [400, 404, 414]) {
      const refused = yield* script([status(refusal)])
      for (let n = 0; n < 4; n++) assert.strictEqual(yield* tagOf(refused.get), "BadStatus")
    }
  })

  rule("data sets with circuits of their own fail apart", function* () {
    const { call, count } = yield* script([status(403), status(403), status(403), good])
    for (let n = 0; n < 3; n++) yield* Effect.flip(call({ circuit: "list" }))
    assert.strictEqual(yield* tagOf(call({ circuit: "list" })), "Suspended")
    assert.strictEqual((yield* call({ circuit: "global" })).body.price, 1391.75)
    assert.strictEqual(count(), 4)
  })

  rule("calls that our own budget refused do not count against the source", function* () {
    const { call } = yield* script([good], { allowances: [{ calls: 1, per: "1 minute", onDemand: 1 }] })
    yield* call()
    for (let n = 0; n < 4; n++) assert.strictEqual(yield* tagOf(call({ urgency: "on_demand" })), "OverBudget")
    yield* TestClock.adjust("1 minute")
    assert.strictEqual((yield* call()).body.price, 1391.75)
  })
})

describe("settings", () => {
  rule("a source that is switched off is never asked, however its name is written", function* () {
    for (const SOURCES_DISABLED of ["TEST_SOURCE", "kraken, test-source"]) {
      const { count, get } = yield* script([good], {}, { SOURCES_DISABLED })
      assert.strictEqual((yield* Effect.flip(get)).message, "Test Source is switched off (SOURCES_DISABLED)")
      assert.strictEqual(count(), 0)
    }
    const { get } = yield* script([good], {}, { SOURCES_DISABLED: "TEST" })
    yield* get
  })

  rule("the base URL replaces all that stands before the path, with or without a slash at its end", function* () {
    const upstream = yield* scriptedUpstream(() => good)
    for (const path of ["/mirror/v3", "/mirror/v3/"]) {
      const { get } = yield* clientOf(upstream.url + path, { baseUrl: "http://127.0.0.1:9/paid" })
      yield* get
    }
    assert.deepStrictEqual(
      upstream.requests().map(({ url }: ScriptedRequest) => url),
      ["/mirror/v3/price?id=bitcoin", "/mirror/v3/price?id=bitcoin"]
    )
  })

  rule("a base URL that is none stops the source from being made", function* () {
    const error = yield* Effect.flip(clientOf("api.example.com/v3"))
    assert.strictEqual(error._tag, "ConfigError")
    assert.include(error.message, "TEST_SOURCE_BASE_URL")
  })

  rule("a key goes out in its header and into no error, not even a key that no header can hold", function* () {
    const key = "CG-s3cr3t"
    const answers = [status(401), status(500), status(200, {}, key), "reset" as const]
    const { get, requests } = yield* script(answers, { headers: { "x-cg-demo-api-key": key }, retries: 0 })
    const errors: Array<SourceError> = []
    while (errors.length < answers.length) {
      errors.push(yield* Effect.flip(get))
      yield* TestClock.adjust("2 minutes")
    }
    assert.deepStrictEqual(
      errors.map(({ reason }) => reason._tag),
      ["BadStatus", "BadStatus", "Undecodable", "Unreachable"]
    )
    assert.isTrue(requests().every(({ headers }) => headers["x-cg-demo-api-key"] === key))
    const broken = yield* script([good], { headers: { "x-cg-demo-api-key": `${key}\n\u0000` }, retries: 0 })
    errors.push(yield* Effect.flip(broken.get))
    for (const error of errors) {
      assert.notInclude([error.message, String(error), JSON.stringify(error), inspect(error, { depth: 9 })].join(), key)
    }
  })

  rule("a label marks the name in answers and in errors", function* () {
    const upstream = yield* scriptedUpstream(() => status(403))
    const { client, get } = yield* clientOf(upstream.url).pipe(
      Effect.provideService(SourceLabel, (name) => `${name} (sandbox)`)
    )
    assert.strictEqual(client.name, "Test Source (sandbox)")
    assert.strictEqual((yield* Effect.flip(get)).source, "Test Source (sandbox)")
  })
})
