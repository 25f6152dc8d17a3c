// The JSON Schemas of a tool's arguments and result, taken from its endpoint in the OpenAPI document together with the
// definitions they refer to.
import { OpenApi } from "effect/http-api"
import { Api } from "../api/Api.ts"
import { type Json, objectOf, referredFrom, SCHEMAS } from "../api/OpenApiSchemas.ts"
import { parametersIn } from "../api/Parameter.ts"
import { decodeDocument, type Parameter } from "../api/ApiDocument.ts"

/** A parameter with its rule, in words that follow "must be". */
export interface Argument extends Parameter {
  readonly rule: string
}

export interface ToolSchemas {
  /** The arguments of a tool are the parameters of its endpoint, but for `format`: a result is JSON, as its schema says. */
  readonly parameters: ReadonlyArray<Argument>
  readonly input: Json & { readonly type: "object" }
  readonly output: Json
}

const { components, paths } = decodeDocument(OpenApi.fromApi(Api))

const declared = parametersIn(Api)

/** The schemas of the endpoint at this path. An unknown path is a defect. */
export const schemasOf = (path: string): ToolSchemas => {
  const operation = paths[path]?.get
  if (operation === undefined) throw new Error(`${path} is not in the OpenAPI document`)
  const { responses } = operation
  const parameters = operation.parameters
    .filter(({ name }) => name !== "format")
    .map((parameter) => ({ ...parameter, rule: declared.get(path)?.get(parameter.name)?.rule ?? "" }))
  return {
    parameters,
    input: {
      type: "object",
      properties: Object.fromEntries(
        parameters.map(({ description, name, schema }) => [name, { ...accepted(schema), description }])
      ),
      required: parameters.flatMap(({ name, required }) => (required ? [name] : [])),
      additionalProperties: false
    },
    output: alone(responses[200].content["application/json"].schema)
  }
}

/** Text keeps every digit of a figure, but models write numbers: both are accepted. */
const accepted = (schema: Json): Json =>
  typeof schema["pattern"] === "string" && new RegExp(schema["pattern"]).test("1.5")
    ? { ...schema, type: ["string", "number"] }
    : schema

/** The schema with its definitions in `$defs`. */
const alone = (schema: Json): Json => {
  const { $ref } = schema
  const body = typeof $ref === "string" ? objectOf(components.schemas[$ref.slice(SCHEMAS.length)]) : schema
  const names = [...referredFrom(body, "schemas", components.schemas)]
  const $defs = Object.fromEntries(names.map((name) => [name, components.schemas[name]]))
  return JSON.parse(JSON.stringify({ ...body, ...(names.length > 0 && { $defs }) }).replaceAll(SCHEMAS, "#/$defs/"))
}
