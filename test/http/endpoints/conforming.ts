// Every endpoint with every kind of answer, asked over a real socket and held to the document that the same service serves.
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { compatApis } from "../../../src/api/compat/compatApis.ts"
import { dialectOf } from "../../../src/http/request/Routes.ts"
import { type Init, RunningService, get } from "../../RunningService.ts"
import cases from "../cases.json" with { type: "json" }
import * as Conformance from "../../api/Conformance.ts"
import { endpoints, type It, refusalStatus, requests, withQuery } from "../../api/endpoints.ts"
import { rulesOf } from "../../rulesOf.ts"

type Conforms = ReturnType<typeof Conformance.make>

/** The documents that each service serves, by path, compiled once. */
const documents = new WeakMap<RunningService["Service"], Map<string, Conforms>>()

/** The served document of a path. */
export const documentOf = Effect.fnUntraced(function* (path: string) {
  const service = yield* RunningService
  const { base } = dialectOf(path)
  const at = compatApis.find(({ dialect }) => dialect.base === base)?.dialect.document ?? "/openapi.json"
  const known = documents.get(service) ?? new Map<string, Conforms>()
  documents.set(service, known)
  const conforms = known.get(at) ?? Conformance.make(JSON.parse((yield* service.get(at)).text))
  known.set(at, conforms)
  return conforms
})

/** Asks, holds the answer to the document, and to the status that was to come. */
export const ask = Effect.fnUntraced(function* (path: string, status: number, init: Init = {}) {
  const answer = yield* get(path, init)
  assert.strictEqual(answer.status, status, `${path}: ${answer.text.slice(0, 200)}`)
  const conforms = yield* documentOf(path)
  conforms(path, answer, init.method)
  return answer
})

/** What answers depend on beside the example of each parameter. */
const more = cases.answered

const refusals = Object.entries(cases.refused).flatMap(([status, paths]) =>
  paths.map((path) => [path, Number(status)] as const)
)

/** Every endpoint of a service with everything, with every kind of answer. */
export const conforming = (it: It) => {
  const rule = rulesOf(it, Effect.void)

  for (const [path, { formats }] of requests) {
    rule(`200 ${path}`, function* () {
      const { headers } = yield* ask(path, 200)
      const format = new URLSearchParams(path.split("?")[1]).get("format")
      const type = headers["content-type"]
      if (format === null) assert.strictEqual(type, "application/json")
      else assert.strictEqual(type, `text/${format === "csv" ? "csv" : "plain"}; charset=utf-8`)
      if (formats.length > 0 && format === null) {
        const table = yield* ask(path, 200, { headers: { accept: "text/csv" } })
        assert.strictEqual(table.headers["content-type"], "text/csv; charset=utf-8")
      }
    })
  }

  for (const path of more) it.effect(`200 ${path}`, () => ask(path, 200))

  for (const [path, endpoint] of requests) {
    rule(`304, 400, 401, 405, HEAD and with other encodings ${path}`, function* () {
      const { headers } = yield* ask(path, 200)
      yield* ask(path, 304, { headers: { "if-none-match": headers.etag ?? "" } })
      yield* ask(path, 200, { method: "HEAD" })
      yield* ask(path, 200, { headers: { "accept-encoding": "br" }, method: "HEAD" })
      yield* ask(withQuery(path, "api_key=x"), refusalStatus(endpoint))
      yield* ask(path, 401, { headers: { "x-api-key": "cda_x" } })
      yield* ask(path, 401, { headers: { "x-api-key": "" }, method: "HEAD" })
      yield* ask(path, 405, { method: "POST" })
    })
  }

  for (const { formats, path } of endpoints.filter((endpoint) => endpoint.formats.length > 0)) {
    rule(`400 ${path} in a format that the document does not name`, function* () {
      const all = ["json", "csv", "hledger", "beancount", "xml", "CSV", ""]
      for (const format of all.filter((one) => !formats.includes(one))) {
        yield* ask(withQuery(path, `format=${format}`), 400)
      }
    })
  }

  for (const [path, status] of refusals) {
    it.effect(`${status} ${path}`, () => Effect.andThen(ask(path, status), ask(path, status, { method: "HEAD" })))
  }

  rule("429 of every endpoint", function* () {
    const headers = { "x-forwarded-for": "203.0.113.77" }
    for (let n = 0; n < 60; n++) yield* get("/v1/fx", { headers })
    for (const { path } of endpoints) yield* ask(path, 429, { headers })
  })
}
