import { assert, layer } from "@effect/vitest"
import { Validator } from "@seriousme/openapi-schema-validator"
import { Effect } from "effect"
import { get, sharedFriday } from "../RunningService.ts"
import * as Conformance from "./Conformance.ts"
import { documentFaults } from "./documentFaults.ts"
import { answerAt, fiats } from "../http/support.ts"
import { rulesIn } from "../rulesOf.ts"

const document = Effect.map(answerAt("/openapi.json"), ({ text }) => ({ text, spec: JSON.parse(text) }))

type Served = Effect.Success<typeof document>

/** The endpoints by their paths. */
const gets = (spec: Served["spec"]) =>
  Object.entries<Served["spec"]>(spec.paths).map(([path, { get }]) => [path, get] as const)

const parameter = (spec: Served["spec"], path: string, name: string) =>
  spec.paths[path].get.parameters.find((candidate: { readonly name: string }) => candidate.name === name)

/** What every endpoint may answer but for 200. */
const always = ["304", "400", "401", "405", "429", "500", "503"]

layer(sharedFriday)("/openapi.json", (it) => {
  const rule = (name: string, holds: (document: Served) => void) => it.effect(name, () => Effect.map(document, holds))

  rule("says that data is as is and no advice, and asks for credit", ({ spec }) => {
    assert.strictEqual(spec.info.version, "1")
    for (const words of [/as is, for information only/, /not\s+financial advice/, /credit the service/]) {
      assert.match(spec.info.description, words)
    }
  })

  rule("lists every endpoint, read only, each with a name of its own and an optional key", ({ spec }) => {
    assert.isAbove(gets(spec).length, 15)
    for (const [path, methods] of Object.entries<object>(spec.paths)) {
      assert.match(path, /^\/v1\//)
      assert.deepStrictEqual(Object.keys(methods), ["get"], path)
    }
    const names = gets(spec).map(([, get]) => get.operationId)
    assert.strictEqual(new Set(names).size, names.length)
    for (const [, get] of gets(spec)) assert.deepStrictEqual(get.security, [{}, { apiKey: [] }])
  })

  rule("declares of each endpoint a 200 as JSON, or as a table too, and its refusals as problems", ({ spec }) => {
    for (const [path, get] of gets(spec)) {
      assert.includeMembers(Object.keys(get.responses), ["200", ...always], path)
      for (const [status, { $ref = "", ...inline }] of Object.entries<Served["spec"]>(get.responses)) {
        const response = spec.components.responses[$ref.replace("#/components/responses/", "")] ?? inline
        const types = Object.keys(response.content ?? {})
        if (status === "200") assert.includeMembers(["application/json", "text/csv", "text/plain"], types, path)
        else assert.deepStrictEqual(types, status === "304" ? [] : ["application/problem+json"], `${path} ${status}`)
        const rates = ["X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset", "X-Request-Id"]
        assert.includeMembers(Object.keys(response.headers ?? {}), rates, status)
      }
    }
  })

  it.effect("is accepted by an independent validator", () =>
    Effect.gen(function* () {
      const { text } = yield* document
      const validator = new Validator()
      const verdict = yield* Effect.promise(() => validator.validate(JSON.parse(text)))
      assert.deepStrictEqual([verdict.valid, validator.version], [true, "3.1"], JSON.stringify(verdict.errors))
    })
  )

  rule("has nothing that linters and generators refuse", ({ text }) => {
    assert.deepStrictEqual(documentFaults(JSON.parse(text)), [])
  })

  rule("has answers of the sandbox as examples, which fit their schemas", ({ spec, text }) => {
    const fits = Conformance.schemas(JSON.parse(text))
    const responses = [...gets(spec).map(([, get]) => get.responses), spec.components.responses].flatMap(Object.values)
    for (const { content = {} } of responses) {
      for (const { example, examples = {}, schema } of Object.values<Served["spec"]>(content)) {
        const shown = Object.values<Served["spec"]>(examples).map(({ value }) => value)
        for (const value of example === undefined ? shown : [example, ...shown])
          fits(schema, value, JSON.stringify(schema))
      }
    }
    for (const [path, get] of gets(spec)) {
      const { example } = get.responses["200"].content["application/json"]
      assert.isDefined(example, path)
      if (!/sources|methods|fixing/.test(path)) assert.match(JSON.stringify(example), / \(sandbox\)/)
    }
    assert.notMatch(text, /[:,[]-?\d+(\.\d+)?[eE]/)
  })

  rule("describes each member, except those whose name is enough", ({ spec }) => {
    const evident = /^(name|text|title|summary|headline|published_at|first_reported_at|newest_item_at)$/
    for (const [schema, { properties = {} }] of Object.entries<Served["spec"]>(spec.components.schemas)) {
      for (const [member, described] of Object.entries<object>(properties)) {
        const isNumber = /"number"/.test(JSON.stringify(described)) && !("description" in described)
        assert.isFalse(isNumber && !evident.test(member), `${schema}.${member} has no description`)
      }
    }
  })

  rule("gives numbers as numbers, in answers too", ({ spec }) => {
    for (const word of ["json-number", "Encoded"]) assert.notInclude(JSON.stringify(spec), word)
    assert.match(JSON.stringify(spec.components.schemas["Coin"]), /"market_cap":\{"type":\["number","null"\]/)
    for (const [name, maximum, fallback] of [
      ["limit", 250, 100],
      ["page", Number.MAX_SAFE_INTEGER, 1]
    ] as const) {
      const { in: place, required, schema } = parameter(spec, "/v1/coins", name)
      assert.deepStrictEqual([place, required], ["query", false])
      assert.deepStrictEqual(schema, { type: "integer", minimum: 1, maximum, default: fallback })
    }
  })

  rule("declares ids and assets as required text, the amount as optional decimal text", ({ spec }) => {
    for (const [path, name] of [
      ["/v1/coins/{id}", "id"],
      ["/v1/price/{id}/{fiat}", "id"],
      ["/v1/price/{id}/{fiat}", "fiat"],
      ["/v1/convert", "from"],
      ["/v1/convert", "to"]
    ] as const) {
      const found = parameter(spec, path, name)
      assert.deepInclude(found, { in: path.includes(`{${name}}`) ? "path" : "query", required: true }, name)
      assert.strictEqual(found.schema.type, "string")
      assert.isAbove(found.description.length, 10)
    }
    const amount = parameter(spec, "/v1/convert", "amount")
    assert.strictEqual(amount.required, false)
    assert.strictEqual(amount.schema.default, "1")
    const pattern = new RegExp(String(amount.schema.pattern))
    for (const good of ["1", "0.5", "1000000000000000", "0.000000000000000001"]) assert.match(good, pattern)
    for (const bad of ["", "1e3", "-1", "+1", "1,5", " 1", "0.1234567890123456789"]) assert.notMatch(bad, pattern)
  })

  rule("names the nine fiats where one is asked for", ({ spec }) => {
    const fiat = parameter(spec, "/v1/price/{id}/{fiat}", "fiat")
    for (const code of fiats) assert.include(fiat.description.toLowerCase(), code)
  })

  // "Inside /v1 only additions": a client generated from a document that forbids further members breaks at the first one.
  rule("allows additional members in answers (Versions)", ({ text }) => {
    assert.notInclude(text, '"additionalProperties":false')
  })

  rule("gives times the format date-time", ({ spec }) => {
    assert.match(JSON.stringify(spec.components.schemas["Meta"]), /"updated":\{[^}]*"format":"date-time"/)
  })
})

rulesIn(sharedFriday)("/docs", (rule) => {
  rule("shows the endpoints and schemas of /openapi.json, with titles and a first request of its own", function* () {
    const { headers, status, text } = yield* get("/docs")
    assert.strictEqual(status, 200)
    assert.match(headers["content-type"] ?? "", /^text\/html/)
    const [, shown = ""] = /^\s*content: (.*)$/m.exec(text) ?? []
    const { info, tags, ...rest } = JSON.parse(shown)
    const { info: _, tags: groups, ...document } = JSON.parse((yield* get("/openapi.json")).text)
    assert.deepStrictEqual(rest, document)
    assert.include(info.description, "/v1/price/bitcoin/ngn")
    assert.deepStrictEqual(
      tags.map(({ name }: { readonly name: string }) => name),
      groups.map(({ name }: { readonly name: string }) => name)
    )
  })
})
