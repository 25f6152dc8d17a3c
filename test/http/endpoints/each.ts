// What every endpoint does with every kind of request, each answer compared with the document that the same service serves.
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { ownDialect } from "../../../src/api/Dialect.ts"
import { dialectOf } from "../../../src/http/request/Routes.ts"
import { endpoints, isAlwaysNew, type It, refusalStatus, requests, withQuery } from "../../api/endpoints.ts"
import { type Answer, atOneTime, get } from "../../RunningService.ts"
import { problemOf, refused } from "../support.ts"
import cases from "../cases.json" with { type: "json" }
import { rulesOf } from "../../rulesOf.ts"
import { ask } from "./conforming.ts"

/** Headers without those that differ between any two requests. */
export const steady = ({ headers }: Answer) =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !/^(date|x-request-id|x-ratelimit-reset)$/.test(name)))

/** HEAD has the status and the headers of GET, and no body. */
export const isHead = Effect.fnUntraced(function* (path: string) {
  const { full, head } = yield* atOneTime(Effect.all({ full: get(path), head: get(path, { method: "HEAD" }) }))
  assert.deepStrictEqual([head.status, head.bytes.length], [full.status, 0])
  // The request's id is in a problem's body, so that bodies may differ by a digit.
  if (full.status === 200) assert.strictEqual(full.headers["content-length"], String(full.bytes.length))
  assert.deepStrictEqual(steady(head), steady(full))
})

/** A preflight is a 204 with what is allowed. */
export const isPreflight = Effect.fnUntraced(function* (path: string) {
  const asked = { origin: "https://example.com", "access-control-request-method": "GET" }
  const { bytes, headers, status } = yield* get(path, { method: "OPTIONS", headers: asked })
  assert.deepStrictEqual([status, bytes.length, headers["access-control-allow-origin"]], [204, 0, "*"], path)
  assert.strictEqual(headers["access-control-allow-methods"], "GET, HEAD, OPTIONS", path)
  assert.include(headers["access-control-allow-headers"]?.toLowerCase(), "x-api-key")
})

/** A method that is not taken is a 405, in the shape of the programs that ask there. */
export const isMethodRefused = Effect.fnUntraced(function* (path: string, method: string) {
  const { headers, status, text } = yield* ask(path, 405, { method })
  assert.deepStrictEqual([status, headers["allow"]], [405, "GET, HEAD, OPTIONS"], path)
  assert.strictEqual(headers["content-type"], dialectOf(path).contentType, path)
  assert.isObject(JSON.parse(text), path)
})

/** Who has the answer gets a 304 with its headers, and no body. */
export const isKnown = Effect.fnUntraced(function* (path: string, known: (tag: string) => string) {
  const { now, unchanged } = yield* atOneTime(
    Effect.gen(function* () {
      const now = yield* get(path)
      const tag = now.headers.etag ?? ""
      assert.match(tag, /^W\/"[\w-]+"$/, path)
      return { now, unchanged: yield* ask(path, 304, { headers: { "if-none-match": known(tag) } }) }
    })
  )
  assert.strictEqual(unchanged.bytes.length, 0)
  for (const header of ["etag", "vary", "cache-control", "x-ratelimit-limit", "access-control-allow-origin"]) {
    assert.strictEqual(unchanged.headers[header], now.headers[header], header)
  }
  assert.isUndefined(unchanged.headers["content-type"])
})

const keyNames = "api_key apikey x-api-key x_api_key X-Api-Key x_cg_demo_api_key X-CG-PRO-API-KEY".split(" ")

export const each = (it: It) => {
  const rule = rulesOf(it, Effect.void)

  for (const [path, endpoint] of requests) {
    rule(`${path}: 200, 304, 400, 401, 405, HEAD, a preflight, and another way to write it`, function* () {
      const { headers, text } = yield* ask(path, 200)
      const format = new URLSearchParams(path.split("?")[1]).get("format")
      const type = format === null ? "application/json" : `text/${format === "csv" ? "csv" : "plain"}; charset=utf-8`
      assert.strictEqual(headers["content-type"], type)
      if (endpoint.formats.length > 0 && format === null) {
        const table = yield* ask(path, 200, { headers: { accept: "text/csv" } })
        assert.strictEqual(table.headers["content-type"], "text/csv; charset=utf-8")
      }
      yield* isHead(path)
      yield* ask(path, 200, { headers: { "accept-encoding": "br" }, method: "HEAD" })
      yield* isPreflight(path)
      yield* isMethodRefused(path, "POST")
      yield* ask(path, 401, { headers: { "x-api-key": "cda_x" } })
      yield* ask(path, 401, { headers: { "x-api-key": "" }, method: "HEAD" })
      const keyed = yield* ask(withQuery(path, "api_key=cda_verysecret"), refusalStatus(endpoint))
      assert.notInclude(keyed.text, "verysecret")
      if (isAlwaysNew(path)) return
      yield* isKnown(path, (tag) => `"other", ${tag}`)
      const slashed = path.includes("?") ? path.replace("?", "/?") : `${path}/`
      const others = [slashed, withQuery(path, cases.ignoredQueries.join("&"))]
      for (const other of others) {
        const answer = yield* get(other)
        assert.deepStrictEqual([answer.status, answer.text], [200, text], other)
        assert.isUndefined(answer.headers["location"])
      }
    })
  }

  for (const endpoint of endpoints) {
    const { path } = endpoint
    rule(`${path} may not repeat a parameter, known or not; for other programs the last one counts`, function* () {
      for (const name of ["limit", "whatever"]) {
        const twice = withQuery(path, `${name}=0&${name}=1`)
        if (endpoint.dialect === ownDialect) {
          const { errors = [] } = yield* refused(twice, 400, "invalid_parameter")
          assert.deepStrictEqual([errors.length, errors[0]?.parameter], [1, name])
          assert.match(errors[0]?.detail ?? "", /^must be given once$|^is not a parameter of this path/)
        } else {
          const [{ status, text }, once] = [yield* get(twice), yield* get(withQuery(path, `${name}=1`))]
          assert.deepStrictEqual([twice, status, text], [twice, once.status, once.text])
        }
      }
    })

    if (endpoint.formats.length === 0) continue
    rule(`${path} refuses a format that the document does not name`, function* () {
      const all = ["json", "csv", "hledger", "beancount", "xml", "CSV", ""]
      for (const format of all.filter((one) => !endpoint.formats.includes(one))) {
        yield* ask(withQuery(path, `format=${format}`), 400)
      }
    })
  }

  rule("a key in a query is refused by any of its names, with the header that takes it", function* () {
    for (const name of keyNames) {
      const problem = yield* problemOf(yield* get(`/v1/fx?${name}=cda_verysecret`))
      assert.deepStrictEqual([problem.code, problem.errors?.[0]?.parameter], ["invalid_parameter", name])
      assert.match(problem.detail, /send the key in the header x-(api-key|cg-(demo|pro)-api-key)/)
    }
  })
}
