import { assert, layer } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { friday, RunningService } from "../RunningService.ts"
import { fiats } from "../http/support.ts"

const Content = Schema.Record(Schema.String, Schema.Struct({ schema: Schema.Record(Schema.String, Schema.Unknown) }))

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
  responses: Schema.Record(Schema.String, Schema.Struct({ content: Schema.optionalKey(Content) }))
})

const Document = Schema.Struct({
  openapi: Schema.String,
  info: Schema.Struct({ title: Schema.String, version: Schema.String, description: Schema.String }),
  paths: Schema.Record(Schema.String, Schema.Record(Schema.String, Operation)),
  components: Schema.Struct({ schemas: Schema.Record(Schema.String, Schema.Record(Schema.String, Schema.Unknown)) })
})

const document = Effect.gen(function* () {
  const { get } = yield* RunningService
  const { headers, status, text } = yield* get("/openapi.json")
  assert.strictEqual(status, 200)
  assert.match(headers["content-type"] ?? "", /^application\/json/)
  return { text, spec: yield* Schema.decodeUnknownEffect(Document)(JSON.parse(text)) }
})

const operation = (path: string) => Effect.map(document, ({ spec }) => spec.paths[path]?.["get"])

const parameter = (path: string, name: string) =>
  Effect.map(operation(path), (found) => found?.parameters.find((candidate) => candidate.name === name))

/** The specified endpoints that exist so far, and the errors the contract gives each. */
const endpoints: Readonly<Record<string, ReadonlyArray<string>>> = {
  "/v1/global": ["400", "503"],
  "/v1/coins": ["400", "503"],
  "/v1/coins/{id}": ["400", "404", "503"],
  "/v1/price/{id}/{fiat}": ["400", "404", "503"],
  "/v1/naira": ["400", "503"],
  "/v1/fx": ["400", "503"],
  "/v1/convert": ["400", "404", "503"]
}

layer(RunningService.layer({ at: friday }))("/openapi.json", (it) => {
  it.effect("is OpenAPI 3.1", () =>
    Effect.gen(function* () {
      const { spec } = yield* document
      assert.match(spec.openapi, /^3\.1\.\d+$/)
      assert.strictEqual(spec.info.version, "1")
    })
  )

  it.effect("says that data is as is and no advice, and asks for credit", () =>
    Effect.gen(function* () {
      const { spec } = yield* document
      assert.match(spec.info.description, /as is, for information only/)
      assert.match(spec.info.description, /not\s+financial advice/)
      assert.match(spec.info.description, /credit the service/)
    })
  )

  it.effect("lists every endpoint, read only, each with a name of its own", () =>
    Effect.gen(function* () {
      const { spec } = yield* document
      assert.includeMembers(Object.keys(spec.paths), Object.keys(endpoints))
      for (const [path, methods] of Object.entries(spec.paths)) {
        assert.match(path, /^\/v1\//)
        assert.deepStrictEqual(Object.keys(methods), ["get"], path)
      }
      const names = Object.values(spec.paths).map((methods) => methods["get"]?.operationId)
      assert.strictEqual(new Set(names).size, names.length)
    })
  )

  for (const [path, statuses] of Object.entries(endpoints)) {
    it.effect(`declares what ${path} answers: 200 as JSON, ${statuses.join(", ")} as problems`, () =>
      Effect.gen(function* () {
        const found = yield* operation(path)
        assert.includeMembers(Object.keys(found?.responses ?? {}), ["200", ...statuses])
        for (const [status, response] of Object.entries(found?.responses ?? {})) {
          const type = status === "200" ? "application/json" : "application/problem+json"
          assert.deepStrictEqual(Object.keys(response.content ?? {}), [type], status)
        }
      })
    )
  }

  it.effect("refers only to what it defines", () =>
    Effect.gen(function* () {
      const { spec, text } = yield* document
      const names = [...text.matchAll(/"\$ref":"([^"]+)"/g)].map(([, reference = ""]) => reference)
      assert.isAbove(names.length, 0)
      for (const name of names) {
        assert.match(name, /^#\/components\/schemas\//)
        assert.property(spec.components.schemas, name.replace("#/components/schemas/", ""))
      }
    })
  )

  it.effect("gives numbers as numbers, in answers too", () =>
    Effect.gen(function* () {
      const { spec } = yield* document
      for (const [name, schema] of Object.entries(spec.components.schemas)) {
        if (/^Json(Number|Decimal)/.test(name)) assert.deepStrictEqual(schema, { type: "number" })
      }
      assert.deepInclude(yield* parameter("/v1/coins", "limit"), {
        in: "query",
        required: false,
        schema: { type: "integer", minimum: 1, maximum: 250, default: 100 }
      })
      assert.deepInclude(yield* parameter("/v1/coins", "page"), {
        in: "query",
        required: false,
        schema: { type: "integer", minimum: 1, default: 1 }
      })
    })
  )

  it.effect("gives ids and assets as text that is needed, the amount as decimal text that is not", () =>
    Effect.gen(function* () {
      for (const [path, name] of [
        ["/v1/coins/{id}", "id"],
        ["/v1/price/{id}/{fiat}", "id"],
        ["/v1/price/{id}/{fiat}", "fiat"],
        ["/v1/convert", "from"],
        ["/v1/convert", "to"]
      ] as const) {
        const found = yield* parameter(path, name)
        assert.deepInclude(found, { in: path.includes(`{${name}}`) ? "path" : "query", required: true }, name)
        assert.strictEqual(found?.schema["type"], "string")
        assert.isAbove(found?.description?.length ?? 0, 10)
      }
      const amount = yield* parameter("/v1/convert", "amount")
      assert.strictEqual(amount?.required, false)
      assert.strictEqual(amount?.schema["default"], "1")
      const pattern = new RegExp(String(amount?.schema["pattern"]))
      for (const good of ["1", "0.5", "1000000000000000", "0.000000000000000001"]) assert.match(good, pattern)
      for (const bad of ["", "1e3", "-1", "+1", "1,5", " 1", "0.1234567890123456789"]) assert.notMatch(bad, pattern)
    })
  )

  it.effect("names the nine fiats where one is asked for", () =>
    Effect.gen(function* () {
      const fiat = yield* parameter("/v1/price/{id}/{fiat}", "fiat")
      for (const code of fiats) assert.include(fiat?.description?.toLowerCase(), code)
    })
  )

  // "Inside /v1 only additions": a client generated from a document that forbids further members breaks at the first one.
  it.effect("lets answers gain members", () =>
    Effect.gen(function* () {
      const { text } = yield* document
      assert.notInclude(text, '"additionalProperties":false')
    })
  )

  it.effect("says of times that they are times", () =>
    Effect.gen(function* () {
      const { spec } = yield* document
      assert.match(JSON.stringify(spec.components.schemas["Meta"]), /"updated":\{[^}]*"format":"date-time"/)
    })
  )

  it.effect("is what it is, whoever asks", () =>
    Effect.gen(function* () {
      const { get } = yield* RunningService
      const first = yield* get("/openapi.json")
      const second = yield* get("/openapi.json", { headers: { accept: "text/html" } })
      assert.strictEqual(second.text, first.text)
    })
  )
})

layer(RunningService.layer({ at: friday }))("/docs", (it) => {
  it.effect("is one page that loads no script, style, picture or frame from anywhere", () =>
    Effect.gen(function* () {
      const { get } = yield* RunningService
      const { headers, status, text } = yield* get("/docs")
      assert.strictEqual(status, 200)
      assert.match(headers["content-type"] ?? "", /^text\/html/)
      assert.notMatch(text, /<(?:script|img|iframe|source)\b[^>]*\ssrc\s*=/i)
      assert.notMatch(text, /<link\b[^>]*\shref\s*=/i)
      assert.notMatch(text, /@import\s/)
      for (const path of Object.keys(endpoints)) assert.include(text, path)
    })
  )

  it.effect("says that data is as is and no advice, and asks for credit", () =>
    Effect.gen(function* () {
      const { get } = yield* RunningService
      const { text } = yield* get("/docs")
      for (const sentence of ["as is, for information only", "not financial advice", "credit the service"]) {
        assert.include(text, sentence)
      }
    })
  )

  // Scalar's stylesheet names fonts.scalar.com; without this setting every reader's browser is sent there.
  it.effect("does not send its readers' browsers to somebody else's server for fonts", () =>
    Effect.gen(function* () {
      const { get } = yield* RunningService
      assert.match((yield* get("/docs")).text, /"withDefaultFonts":\s*false/)
    })
  )
})
