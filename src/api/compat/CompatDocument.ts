// The OpenAPI documents of the endpoints for programs made for other services: types of parameters, headers, and errors in the
// shape of the original.
import { type HttpApi, type HttpApiGroup, OpenApi } from "effect/http-api"
import { apiKey } from "../Access.ts"
import { completed, type Own } from "../CompletedDocument.ts"
import type { Dialect } from "../Dialect.ts"
import { headers, headersOf } from "../OpenApiHeaders.ts"
import { parametersIn } from "../Parameter.ts"
import { finish, type Json, objectOf } from "../OpenApiSchemas.ts"

/** The errors that are sent: status, what it means, and the name of the schema of its body. */
export type Errors = ReadonlyArray<readonly [status: string, description: string, schema: string]>

/** What a document says of itself, and the bodies of errors by name. */
export interface Texts {
  readonly title: string
  readonly version: string
  readonly description: string
  readonly errors: Errors
  readonly errorSchemas: Readonly<Record<string, Json>>
}

/** The headers that the body has no room for. */
const stamp = ["X-Source", "X-Updated"]

/** Names of schemas that a document refers to, those that they refer to included. */
const referredFrom = (value: unknown, schemas: Json, known = new Set<string>()): ReadonlySet<string> => {
  for (const [, name = ""] of JSON.stringify(value).matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
    if (known.has(name)) continue
    known.add(name)
    referredFrom(schemas[name] ?? null, schemas, known)
  }
  return known
}

const responseOf = ([code, description, schema]: Errors[number]) =>
  [
    code,
    {
      description,
      headers: headersOf(code),
      content: { "application/json": { schema: { $ref: `#/components/schemas/${schema}` } } }
    }
  ] as const

const documentOf = (dialect: Dialect, { errorSchemas, errors }: Texts, parameters: () => Own["parameters"]) => {
  const keys: Json = {
    apiKey,
    ...Object.fromEntries(dialect.keyHeaders.map((name) => [name, { ...apiKey, name }]))
  }
  const errorResponses = Object.fromEntries(errors.map(responseOf))
  return (spec: Json): Json =>
    completed(spec, {
      keys,
      parameters: parameters(),
      docs: "The service's own API",
      responsesOf: (_path, derived, summary) => ({
        "200": {
          description: summary,
          headers: headersOf("200", stamp),
          content: finish(objectOf(derived["200"])["content"])
        },
        "304": { description: "Nothing changed since the answer with this `ETag`", headers: headersOf("304", stamp) },
        ...errorResponses
      }),
      componentsOf: (derived, paths) => {
        const schemas: Json = { ...derived, ...errorSchemas }
        // The problems of `/v1`, which the middleware declares, are not sent here.
        const used = referredFrom(paths, schemas)
        return {
          securitySchemes: keys,
          headers,
          schemas: Object.fromEntries(Object.entries(schemas).filter(([name]) => used.has(name)))
        }
      }
    })
}

/** The annotations of a contract with these endpoints, from which its document is made. */
export const documented = <Id extends string, Groups extends HttpApiGroup.Constraint>(
  dialect: Dialect,
  api: HttpApi.HttpApi<Id, Groups>,
  texts: Texts
) =>
  OpenApi.annotations({
    title: texts.title,
    version: texts.version,
    license: { name: "MIT", identifier: "MIT" },
    servers: [{ url: "/" }],
    description: `${texts.description} Sources and the time of the data stand in the headers \`X-Source\` and \`X-Updated\`.`,
    transform: documentOf(dialect, texts, () => parametersIn(api))
  })
