// The OpenAPI document as it is served: the contract's, with the examples that the sandbox gave. Nothing of it is made before
// somebody asks.
import { Effect, Schema } from "effect"
import { OpenApi } from "effect/http-api"
import { Api } from "../../api/Api.ts"

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

/** An endpoint, as far as pages show it. */
export const Operation = Schema.Struct({
  operationId: Schema.String,
  tags: Schema.Array(Schema.String),
  summary: Schema.String,
  description: Schema.String,
  parameters: Schema.Array(Parameter),
  responses: Schema.Record(Schema.String, Json)
})
export type Operation = typeof Operation.Type

/** The document, as far as pages show it. */
export const Document = Schema.Struct({
  info: Schema.Struct({ title: Schema.String, description: Schema.String }),
  tags: Schema.Array(Schema.Struct({ name: Schema.String, description: Schema.String })),
  paths: Schema.Record(Schema.String, Schema.Struct({ get: Operation })),
  components: Schema.Struct({ schemas: Schema.Record(Schema.String, Json) })
})
export type Document = typeof Document.Type

/** A request and what the sandbox answered; `request` is its first line, and a header where that matters. */
export interface Example {
  readonly request: string
  readonly body: unknown
}

/** Examples, by operation and by the code of a problem. */
export interface Examples {
  readonly operations: Readonly<Record<string, Example>>
  readonly problems: Readonly<Record<string, Example>>
}

/** What the sandbox answered. */
export const examples: Effect.Effect<Examples> = Effect.promise(
  () => import("../../api/data/examples.json", { with: { type: "json" } })
).pipe(Effect.map((module): Examples => module.default))

/** The document, to be sent and to be read. */
export const apiDocument = Effect.map(examples, ({ operations, problems }) => {
  const document = withExamples(OpenApi.fromApi(Api), { operations, problems })
  return { document, read: Schema.decodeUnknownSync(Document)(document), operations }
})

const isJson = Schema.is(Json)

/** Puts each example where a body of its kind is described. */
const withExamples = (value: unknown, known: Examples): unknown => {
  if (Array.isArray(value)) return value.map((member) => withExamples(member, known))
  if (!isJson(value)) return value
  const { operationId, responses } = value
  const copy = Object.entries(value).map(([key, member]) => [
    key,
    key === "application/problem+json" ? withProblems(member, known.problems) : withExamples(member, known)
  ])
  const made = Object.fromEntries(copy)
  if (typeof operationId !== "string" || !isJson(responses)) return made
  return {
    ...made,
    responses: { ...made["responses"], "200": withAnswer(made["responses"]["200"], known.operations[operationId]) }
  }
}

const withAnswer = (response: unknown, example: Example | undefined): unknown => {
  if (!isJson(response) || !isJson(response["content"]) || example === undefined) return response
  const media = response["content"]["application/json"]
  return { ...response, content: { "application/json": { ...(isJson(media) && media), example: example.body } } }
}

const withProblems = (media: unknown, problems: Examples["problems"]): unknown => {
  const codes = [...JSON.stringify(media).matchAll(/"#\/components\/schemas\/(\w+)"/g)].map(([, name = ""]) =>
    codeOf(name)
  )
  const entries = codes.flatMap((code) => (code in problems ? [[code, { value: problems[code]?.body }]] : []))
  return entries.length === 0 ? media : { ...(isJson(media) && media), examples: Object.fromEntries(entries) }
}

/** `UnknownCoin` is `unknown_coin`. */
const codeOf = (name: string): string => name.replaceAll(/(?<!^)[A-Z]/g, "_$&").toLowerCase()
