// Answers without sources, and the check itself; `test/http/Endpoints.test.ts` holds every kind of answer to the document.
import { assert } from "@effect/vitest"
import { COINGECKO_BASE, coinGecko } from "../../src/api/coingecko/CoinGeckoDialect.ts"
import { ownDialect } from "../../src/api/Dialect.ts"
import { upstreamNames } from "../../src/sandbox/Wires.ts"
import { ask, documentOf } from "../http/endpoints/conforming.ts"
import { type Answer, friday, RunningService, get, sharedFriday } from "../RunningService.ts"
import * as Conformance from "./Conformance.ts"
import { endpoints, needsSource } from "./endpoints.ts"
import { rulesIn } from "../rulesOf.ts"

/** Pages and conversions that need a source although they seem not to. */
const moreOfSources = [
  ...["/v1/coins?page=4", "/v1/convert?from=eur&to=usd", "/v1/convert?from=bitcoin&to=bitcoin"].map((path) => ({
    id: "",
    dialect: ownDialect,
    path
  })),
  ...["/coins/some-small-coin", "/simple/price?ids=some-small-coin&vs_currencies=usd"].map((path) => ({
    id: "",
    dialect: coinGecko,
    path: COINGECKO_BASE + path
  }))
]

const nothing = { SOURCES_DISABLED: upstreamNames.join(","), NEWS_FEEDS: "" }

rulesIn(RunningService.layer({ at: friday, config: nothing }))(
  "answers without sources are what the document says",
  (rule) => {
    for (const endpoint of [...endpoints, ...moreOfSources]) {
      const { path } = endpoint
      const status = needsSource(endpoint) ? 503 : 200
      rule(`${status} ${path}`, function* () {
        const { headers, text } = yield* ask(path, status)
        const head = yield* ask(path, status, { method: "HEAD" })
        if (status === 200) return
        // Waiting does not help where nothing is recorded.
        assert.match(headers["retry-after"] ?? "", text.includes("HISTORY=off") ? /^$/ : /^[1-9]\d*$/)
        assert.deepStrictEqual(
          [headers["cache-control"], head.headers["retry-after"]],
          ["no-store", headers["retry-after"]]
        )
        if (endpoint.dialect === ownDialect) assert.strictEqual(JSON.parse(text).code, "source_unavailable")
      })
    }

    rule("what is wrong with a request is still said, and the documents are served", function* () {
      yield* ask("/v1/coins?limit=0", 400)
      yield* ask("/v1/fx", 405, { method: "POST" })
      for (const path of ["/openapi.json", "/docs", "/problems/source_unavailable"]) yield* ask(path, 200)
      yield* ask("/nope", 404)
      const ready = yield* get("/readyz")
      assert.strictEqual(ready.status, 503)
      assert.include(ready.text, '"output":"no fresh data: coins, global, naira, official_rate, fx"')
      assert.strictEqual((yield* get("/healthz")).status, 200)
    })
  }
)

type Change = (answer: Answer) => Partial<Answer>

/** What the check has to see. */
const faults: ReadonlyArray<readonly [what: string, change: Change]> = [
  ["a member that is not described", ({ text }) => ({ text: text.replace('"price":', '"cost":1,"price":') })],
  ["a member that is missing", ({ text }) => ({ text: text.replace('"tier":"free"', '"x":1') })],
  ["a number that is text", ({ text }) => ({ text: text.replace(/"price":([\d.]+)/, '"price":"$1"') })],
  ["a status that is not described", () => ({ status: 418 })],
  ["a header that is missing", ({ headers }) => ({ headers: { ...headers, "x-ratelimit-reset": undefined } })],
  ["a header that is not described", ({ headers }) => ({ headers: { ...headers, "retry-after": "1" } })]
]

rulesIn(sharedFriday)("the check", (rule) => {
  rule("sees what is not as the document says", function* () {
    const conforms = yield* documentOf("/v1")
    const answer = yield* get("/v1/price/bitcoin/usd")
    conforms("/v1/price/bitcoin/usd", answer)
    for (const [what, change] of faults) {
      assert.throws(
        () => conforms("/v1/price/bitcoin/usd", { ...answer, ...change(answer) }),
        undefined,
        undefined,
        what
      )
    }
  })

  rule("sees a deprecated endpoint without 180 days of notice, and a notice for one that is not", function* () {
    const path = "/v1/price/bitcoin/usd"
    const { text } = yield* get("/openapi.json")
    const [stays, goes] = [text, text.replaceAll('"operationId"', '"deprecated":true,"operationId"')].map((document) =>
      Conformance.make(JSON.parse(document))
    )
    const answer = yield* get(path)
    const announced = (day: string) => ({
      ...answer,
      headers: {
        ...answer.headers,
        deprecation: `@${Date.UTC(2027, 0, 1) / 1000}`,
        sunset: new Date(day).toUTCString()
      }
    })
    stays?.(path, answer)
    goes?.(path, announced("2027-06-30"))
    assert.throws(() => goes?.(path, announced("2027-06-29")))
    assert.throws(() => goes?.(path, answer))
    assert.throws(() => stays?.(path, announced("2027-06-30")))
  })
})
