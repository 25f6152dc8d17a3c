import { assert, describe } from "@effect/vitest"
import { Effect } from "effect"
import type { It } from "../../api/endpoints.ts"
import { get, send } from "../../RunningService.ts"
import { problemOf, refused } from "../support.ts"
import cases from "../cases.json" with { type: "json" }
import { rulesOf } from "../../rulesOf.ts"
import { isHead, isMethodRefused, isPreflight } from "./each.ts"

/** Documents, and what tells whether the service is well. */
const documents = ["/openapi.json", "/docs", "/llms.txt", "/problems", "/problems/not_found", "/healthz", "/readyz"]

const failing = ["/v1/coins?limit=0", "/v1/coins/no-such-coin", "/v1/price/bitcoin/xyz", "/nope", "/problems/nope"]

/** CONTRACT, Requests: methods and addresses. What every endpoint does is in `each.ts`. */
export const methods = (it: It) => {
  const rule = rulesOf(it, Effect.void)

  describe("Requests: methods", () => {
    it.effect.each([...documents, ...failing, "/v1/coins?limit=2&page=2"])("%s: HEAD is GET without a body", isHead)

    it.effect.each([...documents, "/nope", "/v1/coins?limit=0"])("%s: OPTIONS is a preflight", isPreflight)

    const others = ["PUT", "PATCH", "DELETE", "TRACE", "PROPFIND", "MKCOL", "LINK", "M-SEARCH", "QUERY"]

    it.effect.each(["POST", ...others])("%s is refused on paths that exist, and no other is found", (method) =>
      Effect.gen(function* () {
        const paths = ["/v1/coins/", "/docs", "/v1/coins/no-such-coin", "/v1/fx?api_key=x"]
        for (const path of method === "POST" ? [...paths, ...documents] : paths) yield* isMethodRefused(path, method)
        yield* refused("/v1/nope", 404, "not_found", { method })
      })
    )

    rule("/mcp takes POST of agents, and nothing else", function* () {
      const asked = { origin: "https://example.com", "access-control-request-method": "POST" }
      const preflight = yield* get("/mcp", { method: "OPTIONS", headers: asked })
      assert.deepStrictEqual(
        [preflight.status, preflight.headers["access-control-allow-methods"]],
        [204, "POST, OPTIONS"]
      )
      for (const header of ["x-api-key", "content-type", "accept", "mcp-protocol-version", "mcp-session-id"]) {
        assert.include(preflight.headers["access-control-allow-headers"], header)
      }
      for (const method of ["GET", "HEAD", "PUT", "DELETE"]) {
        for (const path of ["/mcp", "/mcp/", "/mcp?x=1"]) {
          const answer = yield* get(path, { method })
          assert.deepStrictEqual([answer.status, answer.headers["allow"]], [405, "POST, OPTIONS"], `${method} ${path}`)
        }
      }
      assert.strictEqual((yield* get("/mcpx", { method: "POST" })).status, 404)
    })

    rule("no body is read: neither of a method that is refused nor of GET", function* () {
      const headers = { "content-type": "application/json" }
      for (const body of ["", "{", "x".repeat(200_000)]) {
        assert.strictEqual((yield* get("/v1/coins", { method: "POST", body, headers })).status, 405)
      }
      const [plain, odd] = [yield* get("/v1/fx"), yield* get("/v1/fx", { body: "{broken", headers })]
      assert.deepStrictEqual([odd.status, odd.text], [200, plain.text])
    })
  })

  describe("Requests: odd addresses", () => {
    it.effect.each(cases.unknownPaths)("%s is a 404 without a redirect", (path) =>
      Effect.gen(function* () {
        const answer = yield* get(path)
        assert.deepStrictEqual([answer.status, answer.headers["location"]], [404, undefined])
        assert.strictEqual((yield* problemOf(answer)).code, "not_found")
      })
    )

    rule("a semicolon begins the query as a question mark does, with the same rules", function* () {
      yield* refused("/v1/coins;limit=0", 400, "invalid_parameter")
      yield* refused("/v1/fx;api_key=cda_x", 400, "invalid_parameter")
    })

    const ids = [...[300, 600, 8000].map((length) => "x".repeat(length)), ...cases.oddIds]

    rule("an id is answered or unknown, however odd it is", function* () {
      for (const id of ids) {
        const spelled = id.includes("%") ? id : encodeURIComponent(id)
        for (const path of [
          `/v1/coins/${spelled}`,
          `/v1/price/${spelled}/usd`,
          `/v1/price/bitcoin/${spelled}`,
          `/v1/convert?from=${spelled}&to=usd`,
          `/v1/convert?from=usd&to=${spelled}&amount=${spelled}`,
          `/v1/coins?limit=${spelled}`,
          `/v1/coins?${spelled}=1`,
          `/v1/${spelled}`,
          `/problems/${spelled}`,
          `/${spelled}`
        ]) {
          const answer = yield* get(path)
          assert.isBelow(answer.status, 500, `${path}: ${answer.text}`)
          assert.isUndefined(answer.headers["x-injected"])
          if (answer.status >= 400) yield* problemOf(answer)
        }
      }
    })

    const bytes = (line: string) => `${line}\r\nHost: x\r\nConnection: close\r\n\r\n`

    rule("a target that is no path of this service, or holds odd characters, is no fault of the service", function* () {
      for (const target of ["/v1/coins/a\0b", "/v1/coins/bücher", "*", "?limit=1", "/v1/fx#x", "/v1/fx?%00"]) {
        const [line = ""] = (yield* send(bytes(`GET ${target} HTTP/1.1`))).split("\r\n")
        assert.notMatch(line, /^HTTP\/1\.1 5/, target)
      }
    })

    rule("an absolute address asks for its path", function* () {
      const { text } = yield* get("/v1/price/bitcoin/usd")
      assert.include(yield* send(bytes("GET http://example.com/v1/price/bitcoin/usd HTTP/1.1")), text)
    })
  })
}
