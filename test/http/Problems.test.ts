import { assert } from "@effect/vitest"

import { type Explanation, explanations } from "../../src/api/Problems.ts"
import { endpoints } from "../api/endpoints.ts"
import { get, sharedFriday } from "../RunningService.ts"
import * as ScriptedRoutes from "./ScriptedRoutes.ts"
import { conversion, problemOf, refused } from "./support.ts"
import { rulesIn } from "../rulesOf.ts"

const byCode: Readonly<Record<string, Explanation>> = explanations

rulesIn(sharedFriday)("Errors: problems", (rule) => {
  const bad: ReadonlyArray<readonly [path: string, status: number, code: string]> = [
    ["/v1/coins?limit=0", 400, "invalid_parameter"],
    ["/v1/price/bitcoin/xyz", 400, "invalid_parameter"],
    ["/v1/coins/no-such-coin", 404, "unknown_coin"],
    ["/v1/price/no-such-coin/usd", 404, "unknown_coin"],
    [conversion("no-such-coin", "usd"), 404, "unknown_asset"],
    ["/v1/price/velas/usd", 404, "no_price"],
    ["/v1/no-such-path", 404, "not_found"],
    ["/problems/no-such-code", 404, "not_found"]
  ]

  rule("have the status of their code, the request's id, a type that answers, and are not cached", function* () {
    for (const [path, status, code] of bad) {
      const answer = yield* get(path)
      assert.strictEqual(answer.status, status)
      const problem = yield* problemOf(answer)
      assert.strictEqual(problem.code, code)
      assert.strictEqual(problem.instance, answer.headers["x-request-id"])
      assert.strictEqual(answer.headers["cache-control"], "no-store")
      assert.strictEqual(answer.headers["access-control-allow-origin"], "*")
      assert.strictEqual((yield* get(problem.type)).status, 200)
      assert.strictEqual("errors" in problem, ["invalid_parameter", "unknown_asset"].includes(code))
      assert.strictEqual("suggestions" in problem, code.startsWith("unknown"))
    }
  })

  rule("no two requests share an instance", function* () {
    const first = yield* refused("/nope", 404, "not_found")
    const second = yield* refused("/v1/naira//", 404, "not_found")
    assert.notStrictEqual(first.instance, second.instance)
  })

  rule("text of the caller is escaped inside JSON", function* () {
    const odd = `"},"x":"\\<b>`
    const answer = yield* get(`/v1/coins/${encodeURIComponent(`\u0000\u2028${odd}\u202e`)}`)
    const problem = yield* problemOf(answer)
    assert.include(problem.detail, `"${odd}"`)
    assert.strictEqual(answer.headers["x-content-type-options"], "nosniff")
  })

  rule("have pages that explain them and say what to do; the list leads there", function* () {
    for (const [code, { status }] of Object.entries(byCode)) {
      const page = yield* get(`/problems/${code}`)
      assert.strictEqual(page.status, 200)
      assert.match(page.headers["content-type"] ?? "", /^text\/html/)
      assert.include(page.text, `<code>${code}</code>`)
      assert.include(page.text, String(status))
      assert.include(page.text, "What to do")
      assert.include((yield* get("/problems")).text, `href="/problems/${code}"`)
    }
  })
})

rulesIn(ScriptedRoutes.layerOf({}))("Errors: a defect", (rule) => {
  // No service is asked for the methods, which are constants, nor for a statement of a day to come: it is 1970.
  const own = endpoints.filter(({ dialect, path }) => dialect.base === "" && !/^\/v1\/(methods|statement)/.test(path))
  rule("behind any endpoint is a 500 that tells nothing of its cause", function* () {
    for (const path of [...own.map(({ path }) => path), "/readyz"]) {
      const answer = yield* ScriptedRoutes.get(path)
      assert.strictEqual(answer.status, 500)
      const problem = yield* problemOf(answer)
      assert.strictEqual(problem.code, "internal")
      assert.strictEqual(problem.instance, answer.headers["x-request-id"])
      assert.strictEqual(answer.headers["cache-control"], "no-store")
      const everything = answer.text + JSON.stringify(answer.headers)
      for (const part of ["hunter2", "postgres", "Error", "SyntaxError", ".ts"]) assert.notInclude(everything, part)
    }
  })

  rule("leaves the service and the documents in place", function* () {
    for (const path of ["/openapi.json", "/problems/internal"]) {
      assert.strictEqual((yield* ScriptedRoutes.get(path)).status, 200)
    }
    assert.strictEqual((yield* ScriptedRoutes.get("/nope")).status, 404)
  })
})
