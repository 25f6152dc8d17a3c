// Whether an answer is what the OpenAPI document says of its endpoint: the status is declared, the body fits the schema with no
// member more, and the headers are those that are described, no more and no less.
import { assert } from "@effect/vitest"
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js"
import formats from "ajv-formats"
import { OpenApi } from "effect/http-api"
import { Api } from "../../src/api/Api.ts"
import type { Answer } from "../RunningService.ts"

type Json = Readonly<Record<string, unknown>>

const isJson = (value: unknown): value is Json => typeof value === "object" && value !== null && !Array.isArray(value)

const at = (value: unknown, ...keys: ReadonlyArray<string>): unknown =>
  keys.reduce((within, key) => (isJson(within) ? within[key] : undefined), value)

/** Holds values to schemas of a document. */
export const schemas = (document: unknown) => {
  const ajv = new Ajv2020({ strict: false, allErrors: true })
  formats.default(ajv)
  ajv.addSchema({ $id: "document", components: closed(at(document, "components")) })
  const validators = new Map<string, ValidateFunction>()
  return (schema: unknown, value: unknown, where: string): void => {
    const key = JSON.stringify(schema)
    const validate = validators.get(key) ?? ajv.compile(JSON.parse(key.replaceAll('"#/', '"document#/')))
    validators.set(key, validate)
    assert.isTrue(validate(value), `${where}: ${ajv.errorsText(validate.errors)}`)
  }
}

/** Holds answers to a document. */
export const make = (document: unknown) => {
  const valid = schemas(document)

  const resolved = (value: unknown): unknown => {
    const reference = at(value, "$ref")
    return typeof reference === "string" ? at(document, ...reference.slice(2).split("/")) : value
  }

  const operations = Object.entries(at(document, "paths") ?? {}).map(([template, item]) => ({
    pattern: new RegExp(`^${template.replaceAll(/\{\w+\}/g, "[^/]+")}/?$`),
    operation: at(item, "get")
  }))

  const known = new Set(Object.keys(at(document, "components", "headers") ?? {}).map((name) => name.toLowerCase()))

  const headersFit = (response: unknown, answer: Answer, where: string): void => {
    const declared = Object.entries(at(response, "headers") ?? {}).map(([name, header]) => ({
      name: name.toLowerCase(),
      header: resolved(header)
    }))
    for (const { header, name } of declared) {
      const value = answer.headers[name]
      if (value === undefined) assert.notStrictEqual(at(header, "required"), true, `${where}: ${name} is missing`)
      else
        valid(
          at(header, "schema"),
          at(header, "schema", "type") === "integer" ? Number(value) : value,
          `${where}: ${name}`
        )
    }
    const names = declared.map(({ name }) => name)
    for (const name of Object.keys(answer.headers)) {
      const isOurs = known.has(name) || (name.startsWith("x-") && name !== "x-content-type-options")
      if (isOurs) assert.include(names, name, `${where}: a header that is not described`)
    }
  }

  /** CONTRACT, Versions: what goes is announced at least 180 days ahead, by `Deprecation` (RFC 9745) and `Sunset` (RFC 8594). */
  const announcementFits = (operation: unknown, { headers }: Answer, where: string): void => {
    const { deprecation, sunset } = headers
    const isGoing = at(operation, "deprecated") === true
    const announced = [deprecation !== undefined, sunset !== undefined]
    assert.deepStrictEqual(announced, [isGoing, isGoing], `${where}: Deprecation and Sunset`)
    if (!isGoing) return
    const [, since = ""] = /^@(\d+)$/.exec(String(deprecation)) ?? []
    assert.isAtLeast(Date.parse(String(sunset)) / 1000 - Number(since), 180 * 86_400, `${where}: days of notice`)
  }

  /** Fails unless the answer is as described. Answers of paths that the document does not have are not looked at. */
  return (path: string, answer: Answer, method = "GET"): void => {
    const [bare = path] = path.split(/[?;]/)
    const operation = operations.find(({ pattern }) => pattern.test(bare))?.operation
    if (operation === undefined) return
    const where = `${method} ${path} (${answer.status})`
    const response = resolved(at(operation, "responses", String(answer.status)))
    assert.isDefined(response, `${where}: a status that is not described`)
    headersFit(response, answer, where)
    announcementFits(operation, answer, where)
    const content = at(response, "content")
    if (method === "HEAD" || content === undefined) {
      assert.strictEqual(answer.bytes.length, 0, where)
      return
    }
    const [type = ""] = (answer.headers["content-type"] ?? "").split(";")
    assert.property(content, type, where)
    const isText = type.startsWith("text/")
    valid(at(content, type, "schema"), isText ? answer.text : JSON.parse(answer.text), where)
    // A body that is a table has no room for the stamp.
    if (isText) assert.containsAllKeys(answer.headers, ["x-source", "x-updated"], where)
  }
}

/** Objects may have no member that is not described: in the document they may, so that answers can grow. */
const closed = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(closed)
  if (!isJson(value)) return value
  const members = Object.fromEntries(Object.entries(value).map(([key, member]) => [key, closed(member)]))
  return isJson(value["properties"]) && value["type"] === "object"
    ? { ...members, additionalProperties: false }
    : members
}

/** Against the contract's own document, which the served one differs from in examples alone. */
export const conforms = make(JSON.parse(JSON.stringify(OpenApi.fromApi(Api))))
