// The three headers on every kind of response, and what each kind costs.
import { NodeHttpServer } from "@effect/platform-node"
import { assert, it as test } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { HttpClient, HttpClientRequest, HttpRouter, HttpServerResponse } from "effect/http"
import { ApiKeys, type Authentication } from "../../src/access/ApiKeys.ts"
import { KeyCounter } from "../../src/access/KeyUsage.ts"
import { usual } from "../../src/access/Plan.ts"
import { RateLimiter } from "../../src/access/RateLimiter.ts"
import { Gate } from "../../src/http/gate/Gate.ts"
import { GateMiddleware } from "../../src/http/gate/GateMiddleware.ts"
import { headersOf } from "../../src/http/response/Headers.ts"
import { type Answer, friday, type Init, RunningService, withoutEvidence, get, pass, send } from "../RunningService.ts"
import { problemOf } from "./support.ts"
import { rulesIn } from "../rulesOf.ts"

/** Limit, remaining and reset, as they are written. */
const rates = ({ headers }: Pick<Answer, "headers">) => [
  headers["x-ratelimit-limit"],
  headers["x-ratelimit-remaining"],
  headers["x-ratelimit-reset"]
]

/** A minute after the first request, which is the one before. */
const RESET = String(Math.floor(friday / 1000) + 60)

const kinds: ReadonlyArray<readonly [what: string, status: number, cost: 0 | 1, path: string, init?: Init]> = [
  ["an answer", 200, 1, "/v1/price/bitcoin/usd"],
  ["HEAD", 200, 1, "/v1/price/bitcoin/usd", { method: "HEAD" }],
  ["a preflight", 204, 0, "/v1/price/bitcoin/usd", { method: "OPTIONS" }],
  ["a preflight of an unknown path", 204, 0, "/nope", { method: "OPTIONS" }],
  ["a malformed parameter", 400, 1, "/v1/coins?limit=0"],
  ["a key in the query", 400, 1, "/v1/fx?api_key=x"],
  ["a mistyped key", 401, 1, "/v1/fx", { headers: { "x-api-key": "cda_x" } }],
  ["an empty key", 401, 1, "/v1/fx", { headers: { "x-api-key": "" } }],
  ["a wrong key at a free path", 401, 1, "/healthz", { headers: { "x-api-key": "cda_x" } }],
  ["an unknown coin", 404, 1, "/v1/coins/no-such-coin"],
  ["an unknown path", 404, 1, "/nope"],
  ["an unknown path with a method of its own", 404, 1, "/nope", { method: "DELETE" }],
  ["a refused method", 405, 1, "/v1/fx", { method: "POST" }],
  ["a source that is not there", 503, 1, "/v1/naira"],
  ["the OpenAPI document", 200, 1, "/openapi.json"],
  ["the documentation", 200, 1, "/docs"],
  ["a problem's page", 200, 1, "/problems/not_found"],
  ["the health of the process", 200, 0, "/healthz"],
  ["HEAD of it", 200, 0, "/healthz", { method: "HEAD" }],
  ["the health of the service", 503, 0, "/readyz"]
]

/** What scripts of other origins may read (CONTRACT, Caching and Formats). */
const exposed =
  "X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, ETag, Link, Retry-After, X-Request-Id, X-Source, X-Updated"

const withoutNaira = { SOURCES_DISABLED: `BYBIT_P2P,BITGET_P2P,QUIDAX,LUNO,${withoutEvidence.SOURCES_DISABLED}` }

rulesIn(RunningService.layer({ at: friday, config: withoutNaira }))("Limits: the rate headers", (rule) => {
  rule("are on every kind of answer, of which all but preflights and health cost one", function* () {
    for (const [n, [what, status, cost, path, init]] of kinds.entries()) {
      const from = { "x-forwarded-for": `203.0.113.${n}` }
      const first = yield* get("/v1/fx", { headers: from })
      assert.strictEqual(first.headers["x-ratelimit-remaining"], "59")
      const answer = yield* get(path, { ...init, headers: { ...from, ...init?.headers } })
      assert.strictEqual(answer.status, status, what)
      const [limit, remaining, reset] = rates(answer)
      assert.deepStrictEqual([limit, remaining], ["60", String(59 - cost)], what)
      assert.isAtLeast(Number(reset), Number(RESET))
      assert.strictEqual(reset, first.headers["x-ratelimit-reset"])
      assert.strictEqual(answer.headers["access-control-expose-headers"], exposed)
      if (status === 401) assert.match(answer.headers["www-authenticate"] ?? "", /^ApiKey realm=/)
      if (status >= 400) assert.strictEqual(answer.headers["cache-control"]?.split(",")[0], "no-store")
    }
  })

  rule("are on a refusal (429), whatever was asked for; free paths and preflights are still answered", function* () {
    const headers = { "x-forwarded-for": "203.0.113.200" }
    for (let n = 59; n >= 0; n--) {
      const { headers: got } = yield* get("/problems/not_found", { headers })
      assert.strictEqual(got["x-ratelimit-remaining"], String(n))
    }
    for (const method of ["GET", "HEAD", "POST"]) {
      const answer = yield* get("/v1/coins?limit=0", { headers, method })
      const [limit, remaining, reset] = rates(answer)
      assert.deepStrictEqual([answer.status, limit, remaining], [429, "60", "0"])
      assert.isAtMost(Number(answer.headers["retry-after"]), 60)
      assert.isAtLeast(Number(reset), Number(RESET))
      if (method !== "HEAD") assert.strictEqual((yield* problemOf(answer)).code, "rate_limited")
    }
    const guess = yield* get("/v1/fx", { headers: { ...headers, "x-api-key": "cda_x" } })
    assert.strictEqual(guess.status, 429, "guessing at keys is counted against the address")
    const free = yield* get("/healthz", { headers })
    assert.deepStrictEqual([free.status, ...rates(free).slice(0, 2)], [200, "60", "0"])
    const preflight = yield* get("/v1/fx", { headers, method: "OPTIONS" })
    assert.deepStrictEqual([preflight.status, ...rates(preflight).slice(0, 2)], [204, "60", "0"])
  })

  rule("begin a new window 60 s after the first request of the old one, refusals or not", function* () {
    const headers = { "x-forwarded-for": "203.0.113.201" }
    const ask = get("/problems/not_found", { headers })
    for (let n = 0; n < 61; n++) yield* ask
    yield* pass("30 seconds")
    const refused = yield* ask
    assert.deepStrictEqual([refused.status, refused.headers["retry-after"]], [429, "30"])
    yield* pass("30 seconds")
    const fresh = yield* ask
    assert.deepStrictEqual([fresh.status, fresh.headers["x-ratelimit-remaining"]], [200, "59"])
  })

  rule("count repeated forwarding headers as one list, read from the right", function* () {
    const request = (last: string) =>
      `GET /v1/fx HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: 8.8.8.8\r\nX-Forwarded-For: ${last}\r\nConnection: close\r\n\r\n`
    yield* send(request("203.0.113.202"))
    const text = yield* send(request("[::ffff:203.0.113.202]:99"))
    assert.match(text, /x-ratelimit-remaining: 58\r\n/)
    const { headers } = yield* get("/v1/fx", { headers: { "x-forwarded-for": "8.8.8.8" } })
    assert.strictEqual(headers["x-ratelimit-remaining"], "59")
  })
})

/** The gate before routes that fail, and keys with every verdict. */
const verdicts: Readonly<Record<string, Authentication>> = {
  developer: { _tag: "Valid", plan: usual("developer"), quotaKey: "key:developer", usage: new KeyCounter() },
  business: { _tag: "Valid", plan: usual("business"), quotaKey: "key:business", usage: new KeyCounter() },
  unknown: { _tag: "Refused", reason: "unknown" },
  revoked: { _tag: "Refused", reason: "revoked" },
  expired: { _tag: "Refused", reason: "expired" },
  unavailable: { _tag: "Unavailable" }
}

const gated = HttpRouter.serve(
  Layer.mergeAll(
    HttpRouter.add("GET", "/llms.txt", Effect.die(new Error("hidden"))),
    HttpRouter.add("GET", "/openapi.json", () => {
      throw new Error("hidden")
    }),
    HttpRouter.add("GET", "/docs", HttpServerResponse.empty({ status: 304, headers: { etag: '"1"' } })),
    HttpRouter.add("GET", "/", HttpServerResponse.text("what keys are for"))
  ).pipe(Layer.provide(GateMiddleware)),
  { disableLogger: true, disableListenLog: true }
).pipe(
  Layer.provide(Gate.layer),
  Layer.provide(RateLimiter.layerMemory()),
  Layer.provide(
    ApiKeys.layerTest({
      authenticate: (key) => Effect.succeed(verdicts[key] ?? { _tag: "Refused", reason: "malformed" }),
      known: () => undefined
    })
  ),
  Layer.provideMerge(NodeHttpServer.layerTest)
)

rulesIn(gated)("Limits: behind the gate", (rule) => {
  const get = (path: string, headers: Record<string, string> = {}) =>
    HttpClient.execute(HttpClientRequest.get(path, { headers }))

  rule("a defect (500) has the rate headers and costs one", function* () {
    const before = yield* get("/")
    for (const [n, path] of ["/llms.txt", "/openapi.json"].entries()) {
      const { headers, status } = yield* get(path)
      assert.strictEqual(status, 500)
      assert.strictEqual(
        headers["x-ratelimit-remaining"],
        String(Number(before.headers["x-ratelimit-remaining"]) - n - 1)
      )
      assert.strictEqual(headers["x-ratelimit-reset"], before.headers["x-ratelimit-reset"])
    }
  })

  rule("a 304 has the rate headers, costs one, and has no problem document", function* () {
    const before = yield* get("/")
    const answer = yield* get("/docs")
    assert.deepStrictEqual([answer.status, yield* answer.text, answer.headers.etag], [304, "", '"1"'])
    const left = Number(before.headers["x-ratelimit-remaining"]) - 1
    assert.deepStrictEqual(rates(answer), ["60", String(left), before.headers["x-ratelimit-reset"]])
  })

  rule("each key has its own count, by its plan", function* () {
    for (const [key, limit] of [
      ["developer", 600],
      ["business", 3000]
    ] as const) {
      for (let n = 1; n <= 3; n++) {
        const { headers, status } = yield* get("/", { "x-api-key": key })
        assert.deepStrictEqual(
          [status, ...rates({ headers }).slice(0, 2), headers["cache-control"]?.split(",")[0]],
          [200, String(limit), String(limit - n), "private"]
        )
      }
    }
  })

  rule("a key that is not valid is refused, never served as free, and counted against the address", function* () {
    let { headers } = yield* get("/")
    for (const key of ["unknown", "revoked", "expired", "", "DEVELOPER", "unavailable"]) {
      const left = Number(headers["x-ratelimit-remaining"])
      const answer = yield* get("/", { "x-api-key": key })
      headers = answer.headers
      assert.strictEqual(answer.status, key === "unavailable" ? 503 : 401, key)
      assert.deepStrictEqual(rates({ headers }).slice(0, 2), ["60", String(left - 1)])
      const text = yield* answer.text
      assert.notInclude(text, "what keys are for")
      if (answer.status === 401) assert.isDefined(headers["www-authenticate"])
      else assert.strictEqual(headers["retry-after"], "5")
    }
  })
})

test("they are whole numbers, and never negative", () => {
  const quota = { limit: 60, remaining: -5, reset: 1_795_000_060, retryAfter: 7 }
  const headers = headersOf({ id: "1", quota, parsed: { base: "", vary: "" } }, {}, "no-store")
  assert.deepStrictEqual(rates({ headers }), ["60", "0", "1795000060"])
})
