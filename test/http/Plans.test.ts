// The operator's settings of plans, and keys with limits of their own.
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { newKeyIn } from "../cli/NewKey.ts"
import { friday, RunningService, withoutEvidence, get } from "../RunningService.ts"
import { rulesIn } from "../rulesOf.ts"

const config = { ...withoutEvidence, PLAN_FREE: "3", PLAN_DEVELOPER: "7", ANONYMOUS: "off" }

rulesIn(RunningService.layer({ at: friday, config }))("plans", (rule) => {
  rule("have the limits of the settings, and a key its own", function* () {
    const { dataDir } = yield* RunningService
    const limitOf = Effect.fnUntraced(function* (key: string) {
      const { headers, status } = yield* get("/v1/naira", { headers: { "x-api-key": key } })
      return [status, headers["x-ratelimit-limit"]]
    })
    assert.deepStrictEqual(yield* limitOf(yield* newKeyIn(dataDir)), [200, "7"])
    assert.deepStrictEqual(yield* limitOf(yield* newKeyIn(dataDir, "business")), [200, "3000"])
    assert.deepStrictEqual(yield* limitOf(yield* newKeyIn(dataDir, "developer", { limit: 9 })), [200, "9"])
  })

  rule("without anonymous callers, data needs a key, documents and health none; the refused are counted", function* () {
    const headers = { "x-forwarded-for": "203.0.113.4" }
    const refused = yield* get("/v1/naira", { headers })
    yield* get("/v1/naira", { headers })
    yield* get("/v1/naira", { headers })
    assert.strictEqual((yield* get("/v1/naira", { headers })).status, 429)
    assert.deepStrictEqual([refused.status, refused.headers["x-ratelimit-limit"]], [401, "3"])
    assert.include(JSON.parse(refused.text).detail, "x-api-key")
    assert.include(refused.headers["www-authenticate"], "ApiKey")
    const paths = ["/compat/frankfurter/v1/latest", "/compat/coingecko/api/v3/ping", "/v1/coins/bitcoin?x=1"]
    for (const path of paths) assert.strictEqual((yield* get(path)).status, 401, path)
    for (const path of [
      "/badge/usdt-ngn.svg",
      "/preview/p2p/ngn.svg",
      "/page/weeks",
      "/page/answers?paths=v1%2Fp2p",
      "/metrics"
    ]) {
      assert.strictEqual((yield* get(path)).status, 401, path)
    }
    assert.strictEqual((yield* get("/mcp", { method: "POST", body: "{}" })).status, 401)
    for (const path of ["/", "/naira", "/docs", "/openapi.json", "/healthz", "/readyz"]) {
      assert.strictEqual((yield* get(path)).status, 200, path)
    }
  })

  rule("and the documents say that a key is needed", function* () {
    const llms = (yield* get("/llms.txt")).text
    for (const path of ["/openapi.json", "/compat/coingecko/openapi.json", "/compat/frankfurter/openapi.json"]) {
      const { text } = yield* get(path)
      assert.match(text, /"security":\[\{"apiKey":\[\]\}/, path)
      assert.notInclude(text, '"security":[{}', path)
      for (const said of [text, llms]) {
        assert.notMatch(said, /No API key is needed|[Ww]ithout (a key|one), requests|Optional: without/, path)
        assert.match(said, /Every request for data needs/, path)
      }
    }
  })
})
