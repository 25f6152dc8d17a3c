// Completes the generated OpenAPI document: parameters with their real types instead of strings, an optional key, the
// headers of responses, and one shared response for each problem.
import { Record } from "effect"
import { apiKey } from "./Access.ts"
import { completed } from "./CompletedDocument.ts"
import { headers, headersOf, STAMP_HEADERS } from "./OpenApiHeaders.ts"
import { finish, type Json, nameIn, objectOf } from "./OpenApiSchemas.ts"
import type { Parameter } from "./Parameter.ts"

/** Completes the document of a contract with these parameters by path. */
export const document = (spec: Json, parameters: ReadonlyMap<string, ReadonlyMap<string, Parameter>>): Json => {
  /** Responses of more than one operation, by name. */
  const shared = new Map<string, Json>([["NotModified", notModified]])
  const keys = { apiKey }

  const problemOf = (status: string, problem: Json) => {
    const content = finish(problem["content"])
    const response = { description: problem["description"], headers: headersOf(status), content }
    const name = onlyProblemIn(content)
    if (name === undefined) return response
    shared.set(name, response)
    return { $ref: `#/components/responses/${name}` }
  }

  return completed(spec, {
    keys,
    parameters,
    responsesOf: (path, derived, summary, formats) => {
      const ownHeaders = [...(path === "/v1/coins" ? ["Link"] : []), ...(formats.length > 0 ? STAMP_HEADERS : [])]
      const { 200: answer, ...problems } = Record.map(derived, objectOf)
      return {
        ...Record.map(problems, (problem, status) => problemOf(status, problem)),
        200: {
          description: summary,
          headers: headersOf("200", ownHeaders),
          content: { ...objectOf(finish(answer?.["content"])), ...contentsOf(formats) }
        },
        304:
          ownHeaders.length === 0
            ? { $ref: "#/components/responses/NotModified" }
            : { ...notModified, headers: headersOf("304", ownHeaders) }
      }
    },
    componentsOf: (schemas) => ({ schemas, securitySchemes: keys, headers, responses: Object.fromEntries(shared) })
  })
}

const notModified = {
  description: "Nothing changed since the answer whose `ETag` was sent in `If-None-Match`",
  headers: headersOf("304")
}

/** The bodies beside JSON in these formats. */
const contentsOf = (formats: ReadonlyArray<unknown>): Json => ({
  ...(formats.includes("csv") && { "text/csv": table }),
  ...(formats.includes("hledger") && { "text/plain": ledger }),
  ...(formats.includes("text") && { "text/plain": page })
})

const table = {
  schema: {
    type: "string",
    description: "With `format=csv`, or `Accept: text/csv`: RFC 4180 with a header line, in UTF-8"
  }
}

const ledger = {
  schema: { type: "string", description: "With `format=hledger` or `format=beancount`: one price directive a line" }
}

const page = { schema: { type: "string", description: "With `format=text`: a page for people" } }

/** The name of the problem, for a response that has only one. */
const onlyProblemIn = (content: unknown): string | undefined =>
  nameIn(objectOf(objectOf(objectOf(content)["application/problem+json"])["schema"])["$ref"], "schemas")
