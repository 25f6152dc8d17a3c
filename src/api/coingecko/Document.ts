// Completes the OpenAPI document of the endpoints for programs made for CoinGecko: types of parameters, headers, errors in
// CoinGecko's two shapes.
import { apiKey } from "../Access.ts"
import { completed } from "../CompletedDocument.ts"
import { headers, headersOf } from "../OpenApiHeaders.ts"
import { finish, type Json, objectOf } from "../OpenApiSchemas.ts"
import * as parameters from "./Parameters.ts"

const keys = {
  apiKey,
  demoKey: { ...apiKey, name: "x-cg-demo-api-key" },
  proKey: { ...apiKey, name: "x-cg-pro-api-key" }
}

const plain = { type: "object", properties: { error: { type: "string" } }, required: ["error"] }

const status = {
  type: "object",
  properties: {
    status: {
      type: "object",
      properties: { error_code: { type: "integer" }, error_message: { type: "string" } },
      required: ["error_code", "error_message"]
    }
  },
  required: ["status"]
}

const described = { "x-source": "Public names of the sources", "x-updated": "When the oldest part was observed" }

const ownHeaders = Object.fromEntries(
  Object.entries(described).map(([name, description]) => [name, { description, schema: { type: "string" } }])
)

const errors: ReadonlyArray<readonly [status: string, description: string, schema: string]> = [
  ["400", "A parameter is not allowed as it is, or not supported here; the text names it", "Error"],
  ["401", "The key is not valid", "StatusError"],
  ["404", "No such coin", "Error"],
  ["422", "A parameter is missing", "Error"],
  ["429", "The quota of the minute is used up", "StatusError"],
  ["500", "An error of this service", "StatusError"],
  ["503", "Data unavailable", "StatusError"]
]

const errorResponses = Object.fromEntries(
  errors.map(([code, description, schema]) => [
    code,
    {
      description,
      headers: headersOf(code),
      content: { "application/json": { schema: { $ref: `#/components/schemas/${schema}` } } }
    }
  ])
)

/** Names of schemas that a document refers to, those that they refer to included. */
const referredFrom = (value: unknown, schemas: Json, known = new Set<string>()): ReadonlySet<string> => {
  for (const [, name = ""] of JSON.stringify(value).matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
    if (known.has(name)) continue
    known.add(name)
    referredFrom(schemas[name] ?? null, schemas, known)
  }
  return known
}

export const document = (spec: Json): Json =>
  completed(spec, {
    keys,
    parameters,
    docs: "The service's own API",
    responsesOf: (_path, derived, summary) => ({
      "200": {
        description: summary,
        headers: { ...headersOf("200"), ...ownHeaders },
        content: finish(objectOf(derived["200"])["content"])
      },
      "304": { description: "Nothing changed since the answer with this `ETag`", headers: headersOf("304") },
      ...errorResponses
    }),
    componentsOf: (derived, paths) => {
      const schemas: Json = { ...derived, Error: plain, StatusError: status }
      // The problems of `/v1`, which the middleware declares, are not sent here.
      const used = referredFrom(paths, schemas)
      return {
        securitySchemes: keys,
        headers,
        schemas: Object.fromEntries(Object.entries(schemas).filter(([name]) => used.has(name)))
      }
    }
  })
