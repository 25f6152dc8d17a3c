// Every endpoint with every kind of answer, asked over a real socket and held to the document that the same service serves.
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { compatApis } from "../../../src/api/compat/compatApis.ts"
import { dialectOf } from "../../../src/http/target/Routes.ts"
import { type Init, RunningService } from "../../RunningService.ts"
import * as Conformance from "../../api/Conformance.ts"
import { endpoints, type It, refusalStatus, requests, withQuery } from "../../api/endpoints.ts"

type Conforms = ReturnType<typeof Conformance.make>

/** The documents that each service serves, by path, compiled once. */
const documents = new WeakMap<RunningService["Service"], Map<string, Conforms>>()

/** The served document of a path. */
export const documentOf = Effect.fnUntraced(function* (path: string) {
  const service = yield* RunningService
  const { base } = dialectOf(path)
  const at = compatApis.find(({ dialect }) => dialect.base === base)?.document ?? "/openapi.json"
  const known = documents.get(service) ?? new Map<string, Conforms>()
  documents.set(service, known)
  const conforms = known.get(at) ?? Conformance.make(JSON.parse((yield* service.get(at)).text))
  known.set(at, conforms)
  return conforms
})

/** Asks, holds the answer to the document, and to the status that was to come. */
export const ask = Effect.fnUntraced(function* (path: string, status: number, init: Init = {}) {
  const { get } = yield* RunningService
  const answer = yield* get(path, init)
  assert.strictEqual(answer.status, status, `${path}: ${answer.text.slice(0, 200)}`)
  const conforms = yield* documentOf(path)
  conforms(path, answer, init.method)
  return answer
})

/** What answers depend on beside the example of each parameter. */
const more = [
  "/v1/coins",
  "/v1/coins/",
  "/v1/coins?page=900",
  "/v1/coins/velas",
  "/v1/coins?ids=tether,bitcoin,btc",
  "/v1/prices?ids=btc",
  "/v1/price/bitcoin/ngn?basis=customer",
  "/v1/convert?from=NGN&to=bitcoin&basis=customer",
  "/v1/coins/kadena",
  "/v1/price/figure-heloc/USD",
  "/v1/convert?from=eur&to=eur",
  "/v1/convert?from=KES&to=solana&amount=1000000000000000",
  "/v1/why/tether"
]

const refusals: ReadonlyArray<readonly [path: string, status: number]> = [
  ["/v1/coins?limit=0", 400],
  ["/v1/coins?limit=x&page=0", 400],
  ["/v1/price/bitcoin/xyz", 400],
  ["/v1/convert?from=bitcoin", 400],
  ["/v1/convert?from=bitcoin&to=usd&amount=1e3", 400],
  ["/v1/price/bitcoin/usd?expect=1", 409],
  ["/v1/convert?from=bitcoin&to=usd&expect=1&tolerance=0.5", 409],
  ["/v1/fx?max_age=1", 503],
  ["/v1/naira?max_age=0", 400],
  ["/v1/prices", 400],
  ["/v1/prices?ids=bitcoin&fiats=xyz", 400],
  ["/v1/coins?ids=bitcoin&page=2", 400],
  ["/v1/search", 400],
  ["/v1/search?q=a&limit=26", 400],
  ["/v1/contract/ethereum/0x0", 404],
  ["/v1/coins/btc", 404],
  ["/v1/price/no-such-coin/usd", 404],
  ["/v1/price/velas/usd", 404],
  ["/v1/convert?from=btc&to=usd", 404],
  ["/v1/convert?from=velas&to=usd", 404],
  ["/v1/why/btc", 404]
]

/** Every endpoint of a service with everything, with every kind of answer. */
export const conforming = (it: It) => {
  for (const [path, { formats }] of requests) {
    it.effect(`200 ${path}`, () =>
      Effect.gen(function* () {
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
    )
  }

  for (const path of more) it.effect(`200 ${path}`, () => ask(path, 200))

  for (const [path, endpoint] of requests) {
    it.effect(`304, 400, 401, 405, HEAD and with other encodings ${path}`, () =>
      Effect.gen(function* () {
        const { headers } = yield* ask(path, 200)
        yield* ask(path, 304, { headers: { "if-none-match": headers.etag ?? "" } })
        yield* ask(path, 200, { method: "HEAD" })
        yield* ask(path, 200, { headers: { "accept-encoding": "br" }, method: "HEAD" })
        yield* ask(withQuery(path, "api_key=x"), refusalStatus(endpoint))
        yield* ask(path, 401, { headers: { "x-api-key": "cda_x" } })
        yield* ask(path, 401, { headers: { "x-api-key": "" }, method: "HEAD" })
        yield* ask(path, 405, { method: "POST" })
      })
    )
  }

  for (const { formats, path } of endpoints.filter((endpoint) => endpoint.formats.length > 0)) {
    it.effect(`400 ${path} in a format that the document does not name`, () =>
      Effect.gen(function* () {
        const all = ["json", "csv", "hledger", "beancount", "xml", "CSV", ""]
        for (const format of all.filter((one) => !formats.includes(one))) {
          yield* ask(withQuery(path, `format=${format}`), 400)
        }
      })
    )
  }

  for (const [path, status] of refusals) {
    it.effect(`${status} ${path}`, () => Effect.andThen(ask(path, status), ask(path, status, { method: "HEAD" })))
  }

  it.effect("429 of every endpoint", () =>
    Effect.gen(function* () {
      const { get } = yield* RunningService
      const headers = { "x-forwarded-for": "203.0.113.77" }
      for (let n = 0; n < 60; n++) yield* get("/v1/fx", { headers })
      for (const { path } of endpoints) yield* ask(path, 429, { headers })
    })
  )
}
