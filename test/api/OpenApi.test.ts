import { assert, layer } from "@effect/vitest"
import { Validator } from "@seriousme/openapi-schema-validator"
import { Effect, Schema } from "effect"
import { get, sharedFriday } from "../RunningService.ts"
import * as Conformance from "./Conformance.ts"
import { documentFaults } from "./documentFaults.ts"
import { fiats } from "../http/support.ts"
import { rulesIn } from "../rulesOf.ts"

const Content = Schema.Record(
  Schema.String,
  Schema.Struct({
    schema: Schema.Record(Schema.String, Schema.Unknown),
    example: Schema.optionalKey(Schema.Unknown),
    examples: Schema.optionalKey(Schema.Record(Schema.String, Schema.Struct({ value: Schema.Unknown })))
  })
)

const Response = Schema.Struct({
  $ref: Schema.optionalKey(Schema.String),
  headers: Schema.optionalKey(Schema.Record(Schema.String, Schema.Unknown)),
  content: Schema.optionalKey(Content)
})

const Operation = Schema.Struct({
  operationId: Schema.NonEmptyString,
  parameters: Schema.Array(
    Schema.Struct({
      name: Schema.String,
      in: Schema.String,
      required: Schema.Boolean,
      description: Schema.optionalKey(Schema.String),
      schema: Schema.Record(Schema.String, Schema.Unknown)
    })
  ),
  summary: Schema.NonEmptyString,
  description: Schema.NonEmptyString,
  security: Schema.Array(Schema.Record(Schema.String, Schema.Array(Schema.String))),
  responses: Schema.Record(Schema.String, Response)
})

const Document = Schema.Struct({
  openapi: Schema.String,
  info: Schema.Struct({ title: Schema.String, version: Schema.String, description: Schema.String }),
  paths: Schema.Record(Schema.String, Schema.Record(Schema.String, Operation)),
  components: Schema.Struct({
    schemas: Schema.Record(Schema.String, Schema.Record(Schema.String, Schema.Unknown)),
    responses: Schema.Record(Schema.String, Response),
    headers: Schema.Record(Schema.String, Schema.Unknown)
  })
})

const document = Effect.gen(function* () {
  const { headers, status, text } = yield* get("/openapi.json")
  assert.strictEqual(status, 200)
  assert.match(headers["content-type"] ?? "", /^application\/json/)
  return { text, spec: yield* Schema.decodeUnknownEffect(Document)(JSON.parse(text)) }
})

type Served = Effect.Success<typeof document>

const parameter = (spec: Served["spec"], path: string, name: string) =>
  spec.paths[path]?.["get"]?.parameters.find((candidate) => candidate.name === name)

/** What every endpoint may answer but for 200. */
const always = ["304", "400", "401", "405", "429", "500", "503"]

layer(sharedFriday)("/openapi.json", (it) => {
  const rule = (name: string, holds: (document: Served) => void) => it.effect(name, () => Effect.map(document, holds))

  rule("is OpenAPI 3.1", ({ spec }) => {
    assert.match(spec.openapi, /^3\.1\.\d+$/)
    assert.strictEqual(spec.info.version, "1")
  })

  rule("says that data is as is and no advice, and asks for credit", ({ spec }) => {
    assert.match(spec.info.description, /as is, for information only/)
    assert.match(spec.info.description, /not\s+financial advice/)
    assert.match(spec.info.description, /credit the service/)
  })

  rule("lists every endpoint, read only, each with a name of its own", ({ spec }) => {
    assert.isAbove(Object.keys(spec.paths).length, 15)
    for (const [path, methods] of Object.entries(spec.paths)) {
      assert.match(path, /^\/v1\//)
      assert.deepStrictEqual(Object.keys(methods), ["get"], path)
    }
    const names = Object.values(spec.paths).map((methods) => methods["get"]?.operationId)
    assert.strictEqual(new Set(names).size, names.length)
  })

  rule("declares of each endpoint a 200 as JSON, or as a table too, and its refusals as problems", ({ spec }) => {
    for (const [path, { get }] of Object.entries(spec.paths)) {
      assert.includeMembers(Object.keys(get?.responses ?? {}), ["200", ...always], path)
      for (const [status, { $ref = "", ...inline }] of Object.entries(get?.responses ?? {})) {
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

  rule("names the API key as optional", ({ spec }) => {
    for (const { get } of Object.values(spec.paths)) assert.deepStrictEqual(get?.security, [{}, { apiKey: [] }])
  })

  rule("has answers of the sandbox as examples, which fit their schemas", ({ spec, text }) => {
    const fits = Conformance.schemas(JSON.parse(text))
    const content = [
      ...Object.values(spec.paths).flatMap(({ get }) => Object.values(get?.responses ?? {})),
      ...Object.values(spec.components.responses)
    ].flatMap((response) => Object.values(response.content ?? {}))
    for (const { example, examples = {}, schema } of content) {
      for (const value of [
        ...(example === undefined ? [] : [example]),
        ...Object.values(examples).map(({ value }) => value)
      ]) {
        fits(schema, value, JSON.stringify(schema))
      }
    }
    for (const [path, { get }] of Object.entries(spec.paths)) {
      const example = get?.responses["200"]?.content?.["application/json"]?.example
      assert.isDefined(example, path)
      if (!/sources|methods|fixing/.test(path)) assert.match(JSON.stringify(example), / \(sandbox\)/)
    }
    assert.notMatch(text, /[:,[]-?\d+(\.\d+)?[eE]/)
  })

  rule("describes each member, except those whose name is enough", ({ spec }) => {
    const evident = new Set([
      "name",
      "text",
      "title",
      "summary",
      "headline",
      "published_at",
      "first_reported_at",
      "newest_item_at"
    ])
    for (const [schema, { properties = {} }] of Object.entries(spec.components.schemas)) {
      for (const [member, described] of Object.entries(properties ?? {})) {
        const isNumber = /"number"/.test(JSON.stringify(described)) && !("description" in described)
        assert.isFalse(isNumber && !evident.has(member), `${schema}.${member} has no description`)
      }
    }
  })

  rule("refers only to what it defines", ({ spec, text }) => {
    const names = [...text.matchAll(/"\$ref":"([^"]+)"/g)].map(([, reference = ""]) => reference)
    assert.isAbove(names.length, 0)
    for (const name of names) {
      const [, room = "", member = ""] = /^#\/components\/(schemas|responses|headers)\/([\w-]+)$/.exec(name) ?? []
      assert.nestedProperty(spec.components, `${room}.${member}`, name)
    }
  })

  rule("gives numbers as numbers, in answers too", ({ spec }) => {
    assert.notInclude(JSON.stringify(spec), "json-number")
    assert.notInclude(JSON.stringify(spec), "Encoded")
    assert.deepInclude(spec.components.schemas["Coin"], { type: "object" })
    assert.match(JSON.stringify(spec.components.schemas["Coin"]), /"market_cap":\{"type":\["number","null"\]/)
    assert.deepInclude(parameter(spec, "/v1/coins", "limit"), {
      in: "query",
      required: false,
      schema: { type: "integer", minimum: 1, maximum: 250, default: 100 }
    })
    assert.deepInclude(parameter(spec, "/v1/coins", "page"), {
      in: "query",
      required: false,
      schema: { type: "integer", minimum: 1, maximum: Number.MAX_SAFE_INTEGER, default: 1 }
    })
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
      assert.strictEqual(found?.schema["type"], "string")
      assert.isAbove(found?.description?.length ?? 0, 10)
    }
    const amount = parameter(spec, "/v1/convert", "amount")
    assert.strictEqual(amount?.required, false)
    assert.strictEqual(amount?.schema["default"], "1")
    const pattern = new RegExp(String(amount?.schema["pattern"]))
    for (const good of ["1", "0.5", "1000000000000000", "0.000000000000000001"]) assert.match(good, pattern)
    for (const bad of ["", "1e3", "-1", "+1", "1,5", " 1", "0.1234567890123456789"]) assert.notMatch(bad, pattern)
  })

  rule("names the nine fiats where one is asked for", ({ spec }) => {
    const fiat = parameter(spec, "/v1/price/{id}/{fiat}", "fiat")
    for (const code of fiats) assert.include(fiat?.description?.toLowerCase(), code)
  })

  // "Inside /v1 only additions": a client generated from a document that forbids further members breaks at the first one.
  rule("allows additional members in answers (Versions)", ({ text }) => {
    assert.notInclude(text, '"additionalProperties":false')
  })

  rule("gives times the format date-time", ({ spec }) => {
    assert.match(JSON.stringify(spec.components.schemas["Meta"]), /"updated":\{[^}]*"format":"date-time"/)
  })

  it.effect("is the same for every caller", () =>
    Effect.gen(function* () {
      const first = yield* get("/openapi.json")
      const second = yield* get("/openapi.json", { headers: { accept: "text/html" } })
      assert.strictEqual(second.text, first.text)
    })
  )
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
