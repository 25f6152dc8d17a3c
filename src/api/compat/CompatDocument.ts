// The contracts for programs made for other services, and their OpenAPI documents: types of parameters, headers, and
// errors in the shape of the original.
import { Record } from "effect"
import { HttpApi, type HttpApiGroup, OpenApi } from "effect/http-api"
import { Access, apiKey } from "../Access.ts"
import { completed, type Completion } from "../CompletedDocument.ts"
import type { Dialect, JsonDialect } from "../Dialect.ts"
import { headers, headersOf, STAMP_HEADERS } from "../OpenApiHeaders.ts"
import { parametersIn } from "../Parameter.ts"
import { finish, type Json, objectOf, referredFrom, SCHEMAS } from "../OpenApiSchemas.ts"
import { Validation } from "../Validation.ts"

/** What a document says of itself, and the bodies of errors by name. */
export interface Texts {
  /** Whose programs it is for. */
  readonly service: string
  readonly version: string
  readonly description: string
  /** The meanings of errors by status, beside those of every service. */
  readonly errors: Readonly<Record<number, string>>
  readonly errorSchemas: Readonly<Record<string, Json>>
  /** The name of the schema of a status; `Error` by default. */
  readonly errorSchemaOf?: (status: number) => string
}

const everyError = {
  401: "The key is not valid",
  405: "The path has no such method",
  429: "The quota of the minute is used up",
  500: "An error of this service",
  503: "Data unavailable"
}

/** The components of this kind that the paths of a document refer to. */
const used = (paths: Json, kind: "headers" | "schemas", components: Json): Json => {
  const names = referredFrom(paths, kind, components)
  return Record.filter(components, (_component, name) => names.has(name))
}

const documentOf = (dialect: Dialect, texts: Texts, parameters: () => Completion["parameters"]) => {
  const keys: Json = {
    apiKey,
    ...Object.fromEntries(dialect.keyHeaders.map((name) => [name, { ...apiKey, name }]))
  }
  const { errorSchemaOf = () => "Error", errorSchemas, errors } = texts
  const errorResponses = Record.map({ ...everyError, ...errors }, (description, status) => ({
    description,
    headers: headersOf(status),
    content: { "application/json": { schema: { $ref: SCHEMAS + errorSchemaOf(Number(status)) } } }
  }))
  return (spec: Json): Json =>
    completed(spec, {
      keys,
      parameters: parameters(),
      responsesOf: (_path, derived, summary) => ({
        "200": {
          description: summary,
          headers: headersOf("200", STAMP_HEADERS),
          content: finish(objectOf(derived["200"])["content"])
        },
        "304": {
          description: "Nothing changed since the answer with this `ETag`",
          headers: headersOf("304", STAMP_HEADERS)
        },
        ...errorResponses
      }),
      componentsOf: (derived, paths) => ({
        securitySchemes: keys,
        headers: used(paths, "headers", headers),
        // The problems of `/v1`, which the middleware declares, are not sent here.
        schemas: used(paths, "schemas", { ...derived, ...errorSchemas })
      })
    })
}

/** The contract with these groups of endpoints and its document. */
export const compatContract = <
  const Groups extends readonly [HttpApiGroup.Constraint, ...ReadonlyArray<HttpApiGroup.Constraint>]
>(
  dialect: JsonDialect,
  texts: Texts,
  ...groups: Groups
) => {
  const title = `crypto-data-api for programs made for ${texts.service}`
  const endpoints = HttpApi.make(title)
    .add(...groups)
    .prefix(dialect.base)
    .middleware(Validation)
    .middleware(Access)
  const annotations = OpenApi.annotations({
    title,
    version: texts.version,
    license: { name: "MIT", identifier: "MIT" },
    servers: [{ url: "/" }],
    description:
      `${texts.description} The headers \`X-Source\` and \`X-Updated\` have the sources and the time of the data. ` +
      "`/docs` describes the service's own API, and has the terms.",
    transform: documentOf(dialect, texts, () => parametersIn(endpoints))
  })
  return endpoints.annotateMerge(annotations)
}
