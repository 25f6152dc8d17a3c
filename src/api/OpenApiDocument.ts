// What the generated OpenAPI document needs said better: parameters have their real types instead of the text they travel as, the
// key is optional, responses have their headers, and what every endpoint may answer is said once.
import { apiKey } from "./Access.ts"
import { headers, headersOf } from "./OpenApiHeaders.ts"
import { finish, finishAll, isJson, type Json, SCHEMAS } from "./OpenApiSchemas.ts"
import { rules, schemas } from "./Parameters.ts"

/** Finishes the document that `OpenApi.fromApi` derives. */
export const document = (spec: Json): Json => {
  const components = isJson(spec["components"]) ? spec["components"] : {}
  const shared = new Map<string, Json>([["NotModified", notModified]])
  const paths = mapEntries(spec["paths"], (path, methods) =>
    mapEntries(methods, (_method, value) => (isJson(value) ? operation(path, value, shared) : value))
  )
  return {
    ...spec,
    info: { ...(isJson(spec["info"]) && spec["info"]), termsOfService: "/docs#terms" },
    paths,
    components: {
      ...components,
      securitySchemes: { apiKey },
      headers,
      responses: Object.fromEntries(shared),
      schemas: finishAll(isJson(components["schemas"]) ? components["schemas"] : {})
    },
    security: OPTIONAL_KEY,
    externalDocs: { url: "/docs", description: "This document as a page" }
  }
}

const OPTIONAL_KEY = [{}, { apiKey: [] }]

const notModified = {
  description: "Nothing changed since the answer whose `ETag` was sent in `If-None-Match`",
  headers: headersOf("304")
}

const operation = (path: string, derived: Json, shared: Map<string, Json>): Json => {
  const { description, operationId, parameters, responses, summary, tags } = derived
  const ownHeaders = path === "/v1/coins" ? ["Link"] : []
  const own = Object.entries(isJson(responses) ? responses : {}).map(([status, value]) => {
    const answered = response(status, isJson(value) ? value : {}, ownHeaders)
    if (status === "200") return [status, { ...answered, description: summary }]
    const name = problemOf(answered)
    if (name === undefined) return [status, answered]
    shared.set(name, answered)
    return [status, { $ref: `#/components/responses/${name}` }]
  })
  const unchanged =
    ownHeaders.length === 0
      ? { $ref: "#/components/responses/NotModified" }
      : { ...notModified, headers: headersOf("304", ownHeaders) }
  return {
    tags,
    operationId,
    summary,
    description,
    parameters: Array.isArray(parameters) ? parameters.map(parameter) : [],
    security: OPTIONAL_KEY,
    responses: Object.fromEntries([...own, ["304", unchanged]])
  }
}

const response = (status: string, derived: Json, ownHeaders: ReadonlyArray<string>): Json => ({
  description: derived["description"],
  headers: headersOf(status, status === "200" ? ownHeaders : []),
  content: finish(derived["content"])
})

/** The problem that a response is, if it can be no other. */
const problemOf = ({ content }: Json): string | undefined =>
  new RegExp(`^\\{"application/problem\\+json":\\{"schema":\\{"\\$ref":"${SCHEMAS}(\\w+)"\\}\\}\\}$`).exec(
    JSON.stringify(content)
  )?.[1]

const parameter = (value: unknown): unknown => {
  if (!isJson(value) || typeof value["name"] !== "string") return value
  const { name, ...rest } = value
  return { name, ...rest, schema: schemas[name] ?? rest["schema"], description: `Must be ${rules[name]}.` }
}

const mapEntries = (value: unknown, f: (key: string, member: unknown) => unknown): Json =>
  isJson(value) ? Object.fromEntries(Object.entries(value).map(([key, member]) => [key, f(key, member)])) : {}
