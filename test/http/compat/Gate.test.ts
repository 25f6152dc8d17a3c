// The endpoints for programs made for CoinGecko are behind the same gate as all others; only errors have another shape. Most refusals are
// recorded in `endpoints/answers.txt`.
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { COINGECKO_BASE } from "../../../src/api/coingecko/CoinGeckoDialect.ts"
import { newKeyIn } from "../../cli/NewKey.ts"
import { RunningService, get, sharedFriday } from "../../RunningService.ts"
import { rulesIn } from "../../rulesOf.ts"

const at = (path: string) => `${COINGECKO_BASE}${path}`

const bitcoin = at("/simple/price?ids=bitcoin&vs_currencies=usd,ngn")

rulesIn(sharedFriday)("the gate before CoinGecko's endpoints", (rule) => {
  rule("takes a key in CoinGecko's headers, and counts by it", function* () {
    const key = yield* newKeyIn((yield* RunningService).dataDir)
    for (const [n, header] of ["x-cg-demo-api-key", "x-cg-pro-api-key", "x-api-key", "authorization"].entries()) {
      const sent = header === "authorization" ? `Bearer ${key}` : key
      const { headers } = yield* get(bitcoin, { headers: { [header]: sent } })
      const rates = [headers["x-ratelimit-limit"], headers["x-ratelimit-remaining"]]
      assert.deepStrictEqual(rates, ["600", String(599 - n)], header)
      assert.match(headers["cache-control"] ?? "", /^private/)
    }
  })

  rule("refuses an unknown key in CoinGecko's shape; under /v1 that header is ignored", function* () {
    for (const header of ["x-cg-demo-api-key", "x-cg-pro-api-key"]) {
      const { status, text } = yield* get(bitcoin, { headers: { [header]: "CG-abcdef" } })
      const { error_code, error_message } = JSON.parse(text).status
      assert.deepStrictEqual([status, error_code], [401, 401])
      assert.include(error_message, `The key in ${header} is not an API key`)
      assert.notInclude(text, "abcdef")
      assert.strictEqual((yield* get("/v1/fx", { headers: { [header]: "CG-abcdef" } })).status, 200)
    }
  })

  rule("refuses paths and methods in CoinGecko's shape", function* () {
    for (const [path, status, error, method = "GET"] of [
      ["/nothing", 404, /^Incorrect path/],
      ["", 404, /^Incorrect path.*coingecko/],
      ["/ping", 405, /not POST/, "POST"]
    ] as const) {
      const { headers, text, ...answer } = yield* get(at(path), { method })
      assert.deepStrictEqual([answer.status, headers["content-type"]], [status, "application/json"])
      assert.deepStrictEqual(Object.keys(JSON.parse(text)), ["error"], path)
      assert.match(JSON.parse(text).error, error, path)
    }
  })

  rule("allows browsers the same headers as all other paths", function* () {
    const paths = [bitcoin, "/v1/naira", "/mcp", "/compat/btcpay/rates", "/no-such-path", "/docs"]
    const allowed = yield* Effect.forEach(paths, (path) =>
      Effect.map(get(path, { method: "OPTIONS" }), ({ headers }) => headers["access-control-allow-headers"])
    )
    assert.strictEqual(new Set(allowed).size, 1)
    const sent = ["authorization", "content-type", "x-requested-with", "cache-control", "traceparent", "mcp-session-id"]
    const own = ["x-cg-demo-api-key", "x-cg-pro-api-key", "x-api-key", "if-none-match", "*"]
    assert.includeMembers(String(allowed[0]).split(", "), [...sent, ...own])
  })
})
