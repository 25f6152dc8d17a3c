// Completes the generated OpenAPI document: parameters with their real types instead of strings, an optional key, the
// headers of responses, and one shared response for each problem.
import { apiKey } from "./Access.ts"
import { headers, headersOf } from "./OpenApiHeaders.ts"
import { finish, finishAll, isJson, type Json, SCHEMAS } from "./OpenApiSchemas.ts"
import { parametersOf, pathsOf } from "./OpenApiPaths.ts"
import * as Parameters from "./Parameters.ts"

/** Completes the document that `OpenApi.fromApi` derives. */
export const document = (spec: Json): Json => {
  const components = isJson(spec["components"]) ? spec["components"] : {}
  const shared = new Map<string, Json>([["NotModified", notModified]])
  const paths = pathsOf(spec, (path, value) => operation(path, value, shared))
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
    parameters: parametersOf(path, parameters, Parameters),
    security: OPTIONAL_KEY,
    responses: Object.fromEntries([...own, ["304", unchanged]])
  }
}

const response = (status: string, derived: Json, ownHeaders: ReadonlyArray<string>): Json => ({
  description: derived["description"],
  headers: headersOf(status, status === "200" ? ownHeaders : []),
  content: finish(derived["content"])
})

/** The name of the problem, for a response that has only one. */
const problemOf = ({ content }: Json): string | undefined =>
  new RegExp(`^\\{"application/problem\\+json":\\{"schema":\\{"\\$ref":"${SCHEMAS}(\\w+)"\\}\\}\\}$`).exec(
    JSON.stringify(content)
  )?.[1]
