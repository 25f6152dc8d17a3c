// Why no route escapes the limiter: the gate is around the whole router, so a caller without quota gets a 429 from each of its routes.
import { assert } from "@effect/vitest"
import { HttpClient } from "effect/http"
import { compatApis } from "../../../src/api/compat/compatApis.ts"
import { MCP, otherPaths } from "../../../src/http/request/Paths.ts"
import { endpointPatterns } from "../../../src/http/request/Routes.ts"
import { rulesIn } from "../../rulesOf.ts"
import { get, layerOf } from "../ScriptedRoutes.ts"

/** Endpoints, pages, documents, pictures, metrics and health: a path of each route. */
const paths = [
  ...endpointPatterns,
  ...Object.values(otherPaths),
  ...compatApis.map(({ dialect }) => dialect.document)
].map((pattern) => pattern.replaceAll(/:\w+/g, "1"))

const free: ReadonlySet<string> = new Set([otherPaths.alive, otherPaths.ready])

rulesIn(layerOf({}))("a caller without quota", (rule) => {
  rule("gets a 429 from every route, known or unknown, and from the tools, but not from health checks", function* () {
    for (let n = 0; n < 60; n++) yield* get("/v1/fx?limit=1")
    assert.isAbove(paths.length, 60)
    for (const path of [...paths, `${paths[0]}?limit=x`, "/compat/btcpay/nothing"]) {
      const { headers, status } = yield* get(path)
      assert.strictEqual(status === 429, !free.has(path), path)
      assert.strictEqual(headers["x-ratelimit-remaining"], "0", path)
    }
    const called = yield* HttpClient.post(MCP)
    assert.deepStrictEqual([called.status, called.headers["x-ratelimit-remaining"]], [429, "0"])
  })
})
