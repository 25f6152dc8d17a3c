import { assert, describe, it } from "@effect/vitest"
import { DateTime, Effect, Fiber, Option, Result } from "effect"
import { TestClock } from "effect/testing"
import { once } from "node:events"
import { createServer } from "node:net"
import { inspect } from "node:util"
import type * as SourceClient from "../../../src/sources/client/SourceClient.ts"
import { type SourceError, Unreachable } from "../../../src/sources/client/SourceError.ts"
import { DEFAULT_USER_AGENT } from "../../../src/sources/client/SourceSettings.ts"
import { officialRate } from "../../../src/domain/PlausibleRates.ts"
import {
  reasonOf,
  type ScriptedAnswer,
  type ScriptedRequest,
  scriptedUpstream,
  source,
  tagOf,
  whileTimePasses
} from "../ScriptedUpstream.ts"
import { capturedLog } from "../../resources.ts"
import { rule } from "../../rulesOf.ts"
import { clientOf, good, NOW, nowhere, oneCall, script, status } from "./scriptedClient.ts"

rule("warns once an hour of what does not fit or cannot be true, and fails where no row fits", function* () {
  const { layer, lines } = capturedLog()
  const { client } = yield* clientOf("http://127.0.0.1:9")
  const rows = client.usable("rows", { good: [1], bad: 2 })
  const now = yield* DateTime.now
  const rate = Effect.succeed({ value: { rate: 0, date: "2026-09-12" }, observedAt: now, retrievedAt: now })
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

rule("asks under its own name, or that of USER_AGENT, for JSON, and says when the answer was complete", function* () {
  const own = yield* script([good], {}, { USER_AGENT: "Acme/2 (+https://acme.example)" })
  yield* own.get
  assert.strictEqual(own.requests()[0]?.headers["user-agent"], "Acme/2 (+https://acme.example)")
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

rule("says when the source answered: a cached copy is as old as its Date or Age, whichever is more", function* () {
  const at = (seconds: number) => new Date(NOW - seconds * 1000).toUTCString()
  const ages: ReadonlyArray<readonly [headers: Readonly<Record<string, string>>, seconds: number]> = [
    [{}, 0],
    [{ date: at(3600) }, 3600],
    [{ date: at(0), age: "3600" }, 3600],
    [{ date: at(3600), age: "90" }, 3600],
    [{ date: at(-3600), age: "90" }, 90],
    // Nonsense, and a server without a clock.
    [{ date: "yesterday", age: "-1" }, 0],
    [{ date: "Thu, 01 Jan 1970 00:00:00 GMT", age: "soon" }, 0]
  ]
  for (const [headers, seconds] of ages) {
    const { get } = yield* script([status(200, headers, '{"price":1391.75}')])
    const { observedAt, retrievedAt } = yield* get
    const found = (retrievedAt.epochMilliseconds - observedAt.epochMilliseconds) / 1000
    assert.deepStrictEqual([retrievedAt.epochMilliseconds, found], [NOW, seconds], JSON.stringify(headers))
  }
})

rule("gives a copy from a cache the same time whenever it is fetched: it is no newer observation", function* () {
  const copy = status(200, { date: new Date(NOW - 60_000).toUTCString() }, '{"price":1391.75}')
  const { get } = yield* script([copy, copy])
  const { observedAt } = yield* get
  yield* TestClock.adjust("10700 millis")
  assert.deepStrictEqual((yield* get).observedAt, observedAt)
})

/** It fails for this reason, or has the good answer. */
const assertOutcome = Effect.fnUntraced(function* (
  call: Effect.Success<ReturnType<typeof script>>["get"],
  failure: object | undefined
) {
  const outcome = yield* whileTimePasses(Effect.result(call))
  if (failure === undefined) assert.strictEqual(Result.getOrThrow(outcome).body.price, 1391.75)
  else assert.deepInclude({ ...Option.getOrThrow(Result.getFailure(outcome)).reason }, failure)
})

/** What becomes of a call: the answers in turn, how it is made, what fails it (nothing: it has its answer), and the attempts. */
const outcomes: ReadonlyArray<
  readonly [
    what: string,
    answers: ReadonlyArray<ScriptedAnswer>,
    calls: Partial<SourceClient.SourceCalls>,
    failure: object | undefined,
    attempts: number
  ]
> = [
  ["what may pass is tried again, as often as told", [status(503), status(503), good], { retries: 2 }, undefined, 3],
  ["once, unless told", [status(503), status(503), good], {}, { _tag: "BadStatus", status: 503 }, 2],
  ["a broken connection is tried again", ["reset", good], {}, undefined, 2],
  ...[400, 401, 403, 404, 429].map(
    (code) => [`what will not pass is not: ${code}`, [status(code)], { retries: 3 }, { status: code }, 1] as const
  ),
  ["nor is nonsense", [status(200, {}, "no")], { retries: 3 }, { _tag: "Undecodable" }, 1],
  [
    "nor is silence, which is given up",
    ["hang"],
    { timeoutSeconds: 3, retries: 3 },
    { _tag: "TimedOut", seconds: 3 },
    1
  ],
  [
    "nor is a body that stops coming",
    [status(200, { "content-length": "1000" }, '{"price":')],
    { timeoutSeconds: 3 },
    { _tag: "TimedOut", seconds: 3 },
    1
  ],
  [
    // What went wrong first is told, not that there was no budget to try once more.
    "each attempt is a call of the budget",
    [status(503)],
    { retries: 5, allowances: [{ calls: 2, per: "1 minute", onDemand: 2 }] },
    { _tag: "BadStatus" },
    2
  ]
]

describe("a call", () => {
  it.effect.each(outcomes)("%s", ([, answers, calls, failure, attempts]) =>
    Effect.gen(function* () {
      const { count, get } = yield* script(answers, calls)
      yield* assertOutcome(get, failure)
      assert.strictEqual(count(), attempts)
    })
  )

  rule("a call that never connected costs the budget nothing", function* () {
    const { call } = yield* clientOf(yield* nowhere, { retries: 0, allowances: oneCall })
    assert.strictEqual(yield* tagOf(call()), "Unreachable")
    assert.strictEqual(yield* tagOf(call({ urgency: "on_demand" })), "Unreachable")
    const { get } = yield* script(["reset"], { retries: 0, allowances: oneCall })
    assert.strictEqual(yield* tagOf(get), "Unreachable")
    assert.strictEqual(yield* tagOf(get), "OverBudget")
  })

  rule(
    "a call that is still connecting when it times out costs the budget nothing, one that waits for an answer does",
    function* () {
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
      const calls = { retries: 0, timeoutSeconds: 1, allowances: oneCall }
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

  rule("is not followed elsewhere", function* () {
    const elsewhere = yield* scriptedUpstream(() => good)
    for (const code of [301, 302, 307, 308]) {
      const { get } = yield* script([status(code, { location: elsewhere.url })])
      assert.deepInclude(yield* reasonOf(get), { _tag: "BadStatus", status: code })
    }
    assert.strictEqual(elsewhere.requests().length, 0)
  })
})

describe("a source with an older address", () => {
  const html = status(200, {}, "<html>")
  /** What each address answers, what fails (nothing: there is an answer), and whether the older one is asked. */
  const cases: ReadonlyArray<
    readonly [what: string, newer: ScriptedAnswer, older: ScriptedAnswer, failure: object | undefined, asked: number]
  > = [
    ["is not asked there while the newer one answers", good, good, undefined, 0],
    ["is asked there when the newer one is broken", "reset", good, undefined, 1],
    ["is asked there when it is silent", "hang", good, undefined, 1],
    ["is asked there when it is down", status(503), good, undefined, 1],
    ["is asked there when it is gone", status(404), good, undefined, 1],
    ["is asked there when it sends a page", html, good, undefined, 1],
    ["is not asked there when the newer one asks for a pause", status(429), good, { _tag: "RateLimited" }, 0],
    ["fails as the newer one when both fail", status(502), status(404), { _tag: "BadStatus", status: 502 }, 1]
  ]

  it.effect.each(cases)("%s", ([, newer, older, failure, asked]) =>
    Effect.gen(function* () {
      const [first, second] = [yield* scriptedUpstream(() => newer), yield* scriptedUpstream(() => older)]
      const twoAddresses = { ...source, baseUrl: first.url, olderBaseUrls: [second.url] }
      const { get } = yield* clientOf("", { source: twoAddresses, retries: 0, timeoutSeconds: 1 })
      yield* assertOutcome(get, failure)
      assert.deepStrictEqual([first.requests().length, second.requests().length], [1, asked])
    })
  )

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
})
