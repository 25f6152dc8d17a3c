// All shapes stand behind one gate: the same limits, headers, tags and documents. Only bodies and errors are the original's.
import { assert } from "@effect/vitest"
import { Validator } from "@seriousme/openapi-schema-validator"
import { Effect } from "effect"
import { bases } from "./bases.ts"
import { compatApis } from "../../../src/api/compat/compatApis.ts"
import { make } from "../../api/Conformance.ts"
import { documentFaults } from "../../api/documentFaults.ts"
import { get, sharedFriday } from "../../RunningService.ts"
import { rulesIn } from "../../rulesOf.ts"

const error = (status: number, text: unknown): object => ({ error: text })

/** A question of each shape under its base, and a bad one with the error of the original. */
const shapes = [
  {
    name: "Yadio",
    base: "/compat/yadio.io",
    good: ["/exrates/BTC", "/exrates/ngn", "/rate/NGN", "/rate/NGN/USD", "/convert/2.5/USD/NGN", "/currencies"],
    bad: [
      ["/exrates/NOPE", 400],
      ["/rate/KPW", 404],
      ["/convert/-1/USD/NGN", 400]
    ],
    error
  },
  {
    name: "Bisq",
    base: "/compat/bisq",
    good: ["/getAllMarketPrices"],
    bad: [["/getAllMarketPrices?basis=nope", 400]],
    error
  },
  {
    name: "BTCPay Server",
    base: "/compat/btcpay",
    good: ["/api/rates?currencyPairs=BTC_NGN,BTC_USD&storeId=x", "/api/rates?currencyPairs=BTC_KPW"],
    bad: [
      ["/api/rates", 400],
      ["/api/rates?currencyPairs=BTC-NGN", 400]
    ],
    error
  },
  {
    name: "Frankfurter",
    base: "/compat/frankfurter",
    good: ["/v1/latest", "/v2/rates?base=NGN&quotes=KES,USD", "/v2/rate/USD/NGN"],
    bad: [
      ["/v1/yesterday", 422],
      ["/v2/rate/USD/KPW", 404]
    ],
    error: (status: number, message: unknown) => ({ status, message })
  }
] as const

rulesIn(sharedFriday)("the shapes of other services", (rule) => {
  rule("are all in the table from which routes and documents derive, and in the lists of documents", function* () {
    assert.sameMembers(
      compatApis.map(({ name }) => name),
      ["CoinGecko", ...shapes.map(({ name }) => name)]
    )
    for (const list of ["/docs", "/llms.txt"]) {
      const { text } = yield* get(list)
      for (const { dialect } of compatApis) assert.include(text, dialect.document, list)
    }
  })

  for (const { bad, base, error, good, name } of shapes) {
    rule(`${name}: answers are what its document says, at every first segment`, function* () {
      const { dialect } = compatApis.find((one) => one.name === name) ?? assert.fail(name)
      assert.strictEqual(dialect.base, base)
      const described = JSON.parse((yield* get(dialect.document)).text)
      const validated = yield* Effect.promise(() => new Validator().validate(structuredClone(described)))
      assert.isTrue(validated.valid, JSON.stringify(validated))
      assert.deepStrictEqual(documentFaults(described), [])
      const conforms = make(described)
      for (const path of [...good, ...bad.map(([one]) => one)]) {
        conforms(`${base}${path}`, yield* get(`${base}${path}`))
      }
      // Frankfurter's paths take no basis.
      for (const basis of name === "Frankfurter" ? [] : bases) {
        if (basis === undefined) continue
        assert.include(described.info.description, `\`${basis}\``)
        for (const path of good) {
          const answer = yield* get(`${base}/${basis}${path}`)
          assert.strictEqual(answer.status, 200, `${basis}${path}: ${answer.text.slice(0, 200)}`)
          conforms(`${base}${path}`, answer)
        }
      }
    })

    rule(`${name}: errors have the original's shape: parameters, paths, methods, keys, quotas`, function* () {
      const spent = "203.0.113.77"
      for (let n = 0; n < 60; n++) yield* get("/v1/fx", { headers: { "x-forwarded-for": spent } })
      const cases = [
        ...bad.map(([path, status]) => [path, status, {}] as const),
        ["/nothing/at/all/of/this", 404, {}],
        ["", 404, {}],
        ["/no-such-basis/exrates/BTC", 404, {}],
        [good[0], 405, { method: "POST" }],
        [good[0], 401, { headers: { "x-api-key": "not-a-key" } }],
        [good[0], 429, { headers: { "x-forwarded-for": spent } }],
        [`${good[0]}${good[0].includes("?") ? "&" : "?"}api_key=secret`, name === "Frankfurter" ? 422 : 400, {}]
      ] as const
      for (const [path, status, init] of cases) {
        const answer = yield* get(`${base}${path}`, init)
        assert.strictEqual(answer.status, status, `${path}: ${answer.text}`)
        const body = JSON.parse(answer.text)
        assert.deepStrictEqual(body, error(status, body.error ?? body.message), path)
        assert.isString(body.error ?? body.message)
        for (const word of ["secret", " /openapi.json"]) assert.notInclude(answer.text, word)
        assert.strictEqual(answer.headers["content-type"], "application/json")
        if (status === 429) assert.isAtLeast(Number(answer.headers["retry-after"]), 1)
      }
    })
  }
})
