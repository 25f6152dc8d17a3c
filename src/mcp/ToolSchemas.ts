// The JSON Schemas of a tool's arguments and result, taken from its endpoint in the OpenAPI document together with the
// definitions they refer to.
import { OpenApi } from "effect/http-api"
import { Api } from "../api/Api.ts"
import { isJson, type Json, SCHEMAS } from "../api/OpenApiSchemas.ts"
import { decodeDocument, type Parameter } from "../api/ApiDocument.ts"

export interface ToolSchemas {
  /** The arguments of a tool are the parameters of its endpoint, but for `format`: a result is JSON, as its schema says. */
  readonly parameters: ReadonlyArray<Parameter>
  readonly input: Json & { readonly type: "object" }
  readonly output: Json
}

const { components, paths } = decodeDocument(OpenApi.fromApi(Api))

/** The prefix of references in a schema by itself. */
const DEFINITIONS = "#/$defs/"

/** The schemas of the endpoint at this path. An unknown path is a defect. */
export const schemasOf = (path: string): ToolSchemas => {
  const operation = paths[path]?.get
  if (operation === undefined) throw new Error(`${path} is not in the OpenAPI document`)
  const { responses } = operation
  const parameters = operation.parameters.filter(({ name }) => name !== "format")
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

/** Figures are text, so that every digit arrives, and models write numbers: both are accepted. */
const accepted = (schema: Json): Json =>
  typeof schema["pattern"] === "string" && new RegExp(schema["pattern"]).test("1.5")
    ? { ...schema, type: ["string", "number"] }
    : schema

const nameOf = (reference: unknown): string => String(reference).slice(SCHEMAS.length)

/** The schema with its definitions in `$defs`. */
const alone = (schema: Json): Json => {
  const definitions = new Map<string, unknown>()
  const moved = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(moved)
    if (!isJson(value)) return value
    return Object.fromEntries(
      Object.entries(value).map(([key, member]) => [key, key === "$ref" ? taken(nameOf(member)) : moved(member)])
    )
  }
  const taken = (name: string): string => {
    if (!definitions.has(name)) {
      definitions.set(name, true)
      definitions.set(name, moved(components.schemas[name]))
    }
    return DEFINITIONS + name
  }
  const body = moved("$ref" in schema ? components.schemas[nameOf(schema["$ref"])] : schema)
  return { ...(isJson(body) && body), ...(definitions.size > 0 && { $defs: Object.fromEntries(definitions) }) }
}
