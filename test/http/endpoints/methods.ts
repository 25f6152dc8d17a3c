import { assert, describe } from "@effect/vitest"
import { Effect } from "effect"
import { dialectOf } from "../../../src/http/request/Routes.ts"
import { type It, requests } from "../../api/endpoints.ts"
import { type Answer, atOneTime, get, send } from "../../RunningService.ts"
import { problemOf, refused } from "../support.ts"
import cases from "../cases.json" with { type: "json" }
import { rulesOf } from "../../rulesOf.ts"

const dataPaths = [...requests.map(([path]) => path), "/v1/coins?limit=2&page=2"]

/** Documents, and what tells whether the service is well. */
const documentPaths = ["/openapi.json", "/docs", "/llms.txt", "/problems", "/problems/not_found", "/healthz", "/readyz"]

/** A problem of a path in the shape of the programs that ask there. */
const isProblem = (path: string, { headers, text }: Answer) => {
  assert.strictEqual(headers["content-type"], dialectOf(path).contentType, path)
  assert.isObject(JSON.parse(text), path)
}

const refusedPaths = ["/v1/coins?limit=0", "/v1/coins/no-such-coin", "/v1/price/bitcoin/xyz", "/nope", "/problems/nope"]

/** Headers without those that differ between any two requests. */
const steady = ({ headers }: Answer) => {
  const entries = Object.entries(headers).filter(
    ([name]) => name !== "date" && name !== "x-request-id" && name !== "x-ratelimit-reset"
  )
  return Object.fromEntries(entries)
}

/** CONTRACT, Requests: methods and addresses. */
export const methods = (it: It) => {
  const rule = rulesOf(it, Effect.void)

  describe("Requests: methods", () => {
    for (const path of [...dataPaths, ...documentPaths, ...refusedPaths]) {
      rule(`HEAD ${path} has the status and the headers of GET, and no body`, function* () {
        const { full, head } = yield* atOneTime(Effect.all({ full: get(path), head: get(path, { method: "HEAD" }) }))
        assert.strictEqual(head.status, full.status)
        assert.strictEqual(head.bytes.length, 0)
        // The request's id is in a problem's body, so that bodies may differ by a digit.
        if (full.status === 200) assert.strictEqual(full.headers["content-length"], String(full.bytes.length))
        assert.deepStrictEqual(steady(head), steady(full))
      })
    }

    for (const path of [...dataPaths, ...documentPaths, "/nope", "/v1/coins?limit=0"]) {
      rule(`OPTIONS ${path} is a preflight: 204, with what is allowed`, function* () {
        const asked = { origin: "https://example.com", "access-control-request-method": "GET" }
        const { bytes, headers, status } = yield* get(path, { method: "OPTIONS", headers: asked })
        assert.strictEqual(status, 204)
        assert.strictEqual(bytes.length, 0)
        assert.strictEqual(headers["access-control-allow-origin"], "*")
        for (const method of ["GET", "HEAD", "OPTIONS"]) {
          assert.include(headers["access-control-allow-methods"], method)
        }
        assert.include(headers["access-control-allow-headers"]?.toLowerCase(), "x-api-key")
      })
    }

    const refusedMethods = ["POST", "PUT", "PATCH", "DELETE", "TRACE", "PROPFIND", "MKCOL", "LINK", "M-SEARCH", "QUERY"]

    for (const method of refusedMethods) {
      rule(`${method} is refused on paths that exist, with what is allowed`, function* () {
        for (const path of [
          ...(method === "POST" ? [...dataPaths, ...documentPaths] : ["/v1/coins", "/docs"]),
          "/v1/coins/",
          "/v1/coins/no-such-coin",
          "/v1/fx?api_key=x"
        ]) {
          const answer = yield* get(path, { method })
          assert.strictEqual(answer.status, 405, path)
          assert.strictEqual(answer.headers["allow"], "GET, HEAD, OPTIONS", path)
          isProblem(path, answer)
        }
      })

      it.effect(`${method} on a path that does not exist is not found`, () =>
        refused("/v1/nope", 404, "not_found", { method })
      )
    }

    rule("/mcp takes POST of agents, and nothing else", function* () {
      const preflight = yield* get("/mcp", {
        method: "OPTIONS",
        headers: { origin: "https://example.com", "access-control-request-method": "POST" }
      })
      assert.strictEqual(preflight.status, 204)
      assert.strictEqual(preflight.headers["access-control-allow-methods"], "POST, OPTIONS")
      for (const header of ["x-api-key", "content-type", "accept", "mcp-protocol-version", "mcp-session-id"]) {
        assert.include(preflight.headers["access-control-allow-headers"], header)
      }
      for (const method of ["GET", "HEAD", "PUT", "PATCH", "DELETE", "TRACE", "QUERY"]) {
        for (const path of ["/mcp", "/mcp/", "/mcp?x=1"]) {
          const answer = yield* get(path, { method })
          assert.deepStrictEqual([answer.status, answer.headers["allow"]], [405, "POST, OPTIONS"], `${method} ${path}`)
        }
      }
      assert.strictEqual((yield* get("/mcpx", { method: "POST" })).status, 404)
    })

    rule("a refused method is refused with any body", function* () {
      for (const body of ["", "{", "x".repeat(200_000)]) {
        const answer = yield* get("/v1/coins", {
          method: "POST",
          body,
          headers: { "content-type": "application/json" }
        })
        assert.strictEqual(answer.status, 405)
      }
    })

    rule("a body sent along with GET is not read", function* () {
      const plain = yield* get("/v1/fx")
      const odd = yield* get("/v1/fx", { body: "{broken", headers: { "content-type": "application/json" } })
      assert.deepStrictEqual([odd.status, odd.text], [200, plain.text])
    })
  })

  describe("Requests: odd addresses", () => {
    const unknown = cases.unknownPaths

    for (const path of unknown) {
      rule(`${path} is a 404 without a redirect`, function* () {
        yield* refused(path, 404, "not_found")
        assert.isUndefined((yield* get(path)).headers["location"])
      })
    }

    rule("a semicolon begins the query as a question mark does, with the same rules", function* () {
      yield* refused("/v1/coins;limit=0", 400, "invalid_parameter")
      yield* refused("/v1/fx;api_key=cda_x", 400, "invalid_parameter")
    })

    const ids = [...[300, 600, 8000].map((length) => "x".repeat(length)), ...cases.oddIds]

    for (const id of ids) {
      rule(`an id spelled ${id.slice(0, 40)} (${id.length}) is answered, or unknown`, function* () {
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
          const refusal = yield* get(path, { method: "POST" })
          assert.include([404, 405], refusal.status, path)
        }
      })
    }

    const bytes = (line: string, more = "") => `${line}\r\nHost: x\r\nConnection: close\r\n${more}\r\n`

    rule("malformed bytes do not stop the service", function* () {
      for (const request of [
        bytes("GET /v1/coins/a\0b HTTP/1.1"),
        bytes("GET /v1/coins/bücher HTTP/1.1"),
        bytes("GET http://example.com/v1/fx HTTP/1.1"),
        bytes("GET v1/fx HTTP/1.1"),
        bytes("GET * HTTP/1.1"),
        bytes("OPTIONS * HTTP/1.1"),
        bytes("GET ?limit=1 HTTP/1.1"),
        bytes("GET /v1/fx#x HTTP/1.1"),
        bytes("GET /v1/fx?%00 HTTP/1.1"),
        bytes("GET /v1/fx HTTP/1.0"),
        bytes("NONSENSE /v1/fx HTTP/1.1"),
        bytes("get /v1/fx HTTP/1.1"),
        bytes("GET /v1/fx HTTP/1.1", "x-api-key: \r\n x\r\n"),
        bytes("GET /v1/fx HTTP/1.1", "Content-Length: -5\r\n"),
        bytes("GET /v1/fx HTTP/1.1", `X-Long: ${"y".repeat(20_000)}\r\n`),
        bytes(`GET /v1/coins/${"z".repeat(20_000)} HTTP/1.1`)
      ]) {
        const [line = ""] = (yield* send(request)).split("\r\n")
        assert.notMatch(line, /^HTTP\/1\.1 5/, request.slice(0, 60))
      }
      assert.strictEqual((yield* get("/v1/fx")).status, 200)
    })

    rule("an absolute address asks for its path", function* () {
      const { text } = yield* get("/v1/price/bitcoin/usd")
      const answer = yield* send(bytes("GET http://example.com/v1/price/bitcoin/usd HTTP/1.1"))
      assert.include(answer, text)
    })
  })
}
