// The OpenAPI document as it is served: the contract's, with the operator's contact and with examples from the sandbox
// (`npm run examples`). It is built at the first request for a document.
import { Effect, Schema } from "effect"
import { OpenApi } from "effect/http-api"
import { apiKey, KEY_NEEDED } from "./Access.ts"
import { Api } from "./Api.ts"
import { isJson, objectOf, referredFrom } from "./OpenApiSchemas.ts"
import { counting, countingByKey } from "./Terms.ts"

const Json = Schema.Record(Schema.String, Schema.Unknown)

/** A parameter, as far as pages show it. */
export const Parameter = Schema.Struct({
  name: Schema.String,
  in: Schema.String,
  required: Schema.Boolean,
  description: Schema.String,
  schema: Json
})
export type Parameter = typeof Parameter.Type

const Answer = Schema.Struct({ content: Schema.Struct({ "application/json": Schema.Struct({ schema: Json }) }) })

/** An endpoint, as far as pages show it; `responses` by status. */
export const Operation = Schema.Struct({
  operationId: Schema.String,
  tags: Schema.Array(Schema.String),
  summary: Schema.String,
  description: Schema.String,
  parameters: Schema.Array(Parameter),
  responses: Schema.StructWithRest(Schema.Struct({ 200: Answer }), [Schema.Record(Schema.String, Json)])
})
export type Operation = typeof Operation.Type

/** The document, as far as pages show it; `paths` as in OpenAPI, such as `/v1/coins/{id}`. */
export const Document = Schema.Struct({
  info: Schema.Struct({ title: Schema.String, description: Schema.String }),
  tags: Schema.Array(Schema.Struct({ name: Schema.String, description: Schema.String })),
  paths: Schema.Record(Schema.String, Schema.Struct({ get: Operation })),
  components: Schema.Struct({ schemas: Schema.Record(Schema.String, Json) })
})
export type Document = typeof Document.Type

export const decodeDocument = Schema.decodeUnknownSync(Document)

/** A request and the body of its response. `request` is its first line, such as `GET /v1/fx`, with a header where one matters. */
export interface Example {
  readonly request: string
  readonly body: unknown
}

/** Examples of answers by `operationId`, and of problems by code. */
export interface Examples {
  readonly operations: Readonly<Record<string, Example>>
  readonly problems: Readonly<Record<string, Example>>
}

export const examples: Effect.Effect<Examples> = Effect.promise(
  () => import("./data/examples.json", { with: { type: "json" } })
).pipe(Effect.map((module): Examples => module.default))

/** The parts of `PUBLIC_URL`. */
interface Address {
  readonly origin: string
  readonly path: string
}

/** The service that a document describes. */
interface Service {
  readonly address: Address
  readonly contact: object
  /** Whether callers without an API key are served. */
  readonly servesAnonymous: boolean
}

/** The contract with what its document says of the service, and with examples. */
export const apiWith = (service: Service, examples: Examples) => {
  const document = documentOf(withExamples(OpenApi.fromApi(Api), examples), service)
  return Api.annotate(OpenApi.Transform, () => document)
}

/** A document of the service. Links to its pages are whole addresses, which linters ask for. */
export const documentOf = (document: object, service: Service): Record<string, unknown> => {
  const { info, ...rest } = objectOf(document)
  const { origin, path } = service.address
  const described: Record<string, unknown> = {
    ...rest,
    info: { ...objectOf(info), contact: service.contact },
    servers: [{ url: path === "" ? "/" : path }]
  }
  const placed = service.servesAnonymous ? described : withKeys(described)
  if (origin === "") return placed
  const docs = `${origin}${path}/docs`
  return {
    ...placed,
    info: { ...objectOf(placed["info"]), termsOfService: `${docs}#description/terms` },
    externalDocs: { url: docs, description: "The service's own API" }
  }
}

/** The document of a service that answers no request for data without a key. */
const withKeys = (document: Record<string, unknown>): Record<string, unknown> =>
  JSON.parse(JSON.stringify(document), (key, value: unknown) => {
    // An empty object says that no key is needed.
    if (key === "security" && Array.isArray(value)) return value.filter((one) => Object.keys(objectOf(one)).length > 0)
    if (key !== "description" || typeof value !== "string") return value
    return value === apiKey.description ? KEY_NEEDED : value.replace(counting, () => countingByKey)
  })

const isOperation = Schema.is(Operation)

/** A copy of the document with an example beside each schema of a body. */
const withExamples = (document: object, { operations, problems }: Examples): Record<string, unknown> =>
  JSON.parse(JSON.stringify(document), (key, value: unknown) => {
    if (key === "application/problem+json") return withProblems(value, problems)
    if (isOperation(value)) {
      Object.assign(value.responses[200].content["application/json"], { example: operations[value.operationId]?.body })
    }
    return value
  })

const withProblems = (media: unknown, problems: Examples["problems"]): unknown => {
  const codes = [...referredFrom(media, "schemas", {})].map(codeOf)
  const entries = codes.flatMap((code) => (code in problems ? [[code, { value: problems[code]?.body }]] : []))
  return entries.length === 0 ? media : { ...(isJson(media) && media), examples: Object.fromEntries(entries) }
}

/** `UnknownCoin` is `unknown_coin`. */
const codeOf = (name: string): string => name.replaceAll(/(?<!^)[A-Z]/g, "_$&").toLowerCase()
