// Completes the generated OpenAPI document: parameters with their real types instead of strings, an optional key, the
// headers of responses, and one shared response for each problem.
import { apiKey } from "./Access.ts"
import { completed } from "./CompletedDocument.ts"
import { headers, headersOf } from "./OpenApiHeaders.ts"
import { finish, type Json, objectOf, SCHEMAS } from "./OpenApiSchemas.ts"
import type { Parameter } from "./Parameter.ts"

/** Completes the document of a contract with these parameters by path. */
export const document = (spec: Json, parameters: ReadonlyMap<string, ReadonlyMap<string, Parameter>>): Json => {
  const shared = new Map<string, Json>([["NotModified", notModified]])
  const keys = { apiKey }
  return completed(spec, {
    keys,
    parameters,
    responsesOf: (path, derived, summary, formats) => {
      const ownHeaders = [...(path === "/v1/coins" ? ["Link"] : []), ...(formats.length > 0 ? stamp : [])]
      return responsesOf(derived, { summary, ownHeaders, contents: contentsOf(formats), shared })
    },
    componentsOf: (schemas) => ({ schemas, securitySchemes: keys, headers, responses: Object.fromEntries(shared) })
  })
}

const notModified = {
  description: "Nothing changed since the answer whose `ETag` was sent in `If-None-Match`",
  headers: headersOf("304")
}

/** The headers of answers that are no JSON. */
const stamp = ["X-Source", "X-Updated"]

/** The bodies beside JSON in these formats. */
const contentsOf = (formats: ReadonlyArray<unknown>): Json => ({
  ...(formats.includes("csv") && { "text/csv": table }),
  ...(formats.includes("hledger") && { "text/plain": ledger })
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

/** What an operation's answers have of their own. */
interface OfOperation {
  readonly summary: unknown
  readonly ownHeaders: ReadonlyArray<string>
  /** Bodies of a 200 beside JSON. */
  readonly contents: Json
  /** Responses of more than one operation, by name; problems are added. */
  readonly shared: Map<string, Json>
}

const responsesOf = (derived: Json, { contents, ownHeaders, shared, summary }: OfOperation): Json => {
  const own = Object.entries(derived).map(([status, value]) => {
    const { content, description } = objectOf(value)
    const isAnswer = status === "200"
    const response = {
      description: isAnswer ? summary : description,
      headers: headersOf(status, isAnswer ? ownHeaders : []),
      content: isAnswer ? { ...objectOf(finish(content)), ...contents } : finish(content)
    }
    const name = isAnswer ? undefined : problemOf(response)
    if (name === undefined) return [status, response]
    shared.set(name, response)
    return [status, { $ref: `#/components/responses/${name}` }]
  })
  const unchanged =
    ownHeaders.length === 0
      ? { $ref: "#/components/responses/NotModified" }
      : { ...notModified, headers: headersOf("304", ownHeaders) }
  return Object.fromEntries([...own, ["304", unchanged]])
}

/** The name of the problem, for a response that has only one. */
const problemOf = ({ content }: Json): string | undefined =>
  new RegExp(`^\\{"application/problem\\+json":\\{"schema":\\{"\\$ref":"${SCHEMAS}(\\w+)"\\}\\}\\}$`).exec(
    JSON.stringify(content)
  )?.[1]
