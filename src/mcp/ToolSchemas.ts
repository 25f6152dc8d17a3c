// The JSON Schemas of a tool's arguments and result, taken from its endpoint in the OpenAPI document together with the
// definitions they refer to.
import { OpenApi } from "effect/http-api"
import { Api } from "../api/Api.ts"
import { isJson, type Json, SCHEMAS } from "../api/OpenApiSchemas.ts"

/** One argument of a tool: a parameter of its endpoint. */
export interface Argument {
  readonly name: string
  readonly in: "path" | "query"
  readonly isRequired: boolean
  readonly schema: Json
}

export interface ToolSchemas {
  readonly arguments: ReadonlyArray<Argument>
  readonly input: Json & { readonly type: "object" }
  readonly output: Json
}

const document: unknown = OpenApi.fromApi(Api)

/** The prefix of references in a schema by itself. */
const DEFINITIONS = "#/$defs/"

/** The schemas of the endpoint at this path. An unknown path is a defect. */
export const schemasOf = (path: string): ToolSchemas => {
  const operation = at(document, "paths", path, "get")
  const parameters = at(operation, "parameters")
  const output = at(operation, "responses", "200", "content", "application/json", "schema")
  if (!Array.isArray(parameters) || !isJson(output)) throw new Error(`${path} is not in the OpenAPI document`)
  const taken = parameters.map(argument)
  return {
    arguments: taken,
    input: {
      type: "object",
      properties: Object.fromEntries(taken.map(({ name, schema }) => [name, schema])),
      required: taken.flatMap(({ isRequired, name }) => (isRequired ? [name] : [])),
      additionalProperties: false
    },
    output: alone(output)
  }
}

const at = (value: unknown, ...keys: ReadonlyArray<string>): unknown =>
  keys.reduce((within, key) => (isJson(within) ? within[key] : undefined), value)

const argument = (parameter: unknown): Argument => {
  const schema = at(parameter, "schema")
  return {
    name: String(at(parameter, "name")),
    in: at(parameter, "in") === "path" ? "path" : "query",
    isRequired: at(parameter, "required") === true,
    schema: { ...(isJson(schema) && schema), description: at(parameter, "description") }
  }
}

/** The schema with its definitions in `$defs`. */
const alone = (schema: Json): Json => {
  const definitions = new Map<string, unknown>()
  const moved = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(moved)
    if (!isJson(value)) return value
    return Object.fromEntries(
      Object.entries(value).map(([key, member]) => [key, key === "$ref" ? taken(member) : moved(member)])
    )
  }
  const taken = (reference: unknown): string => {
    const name = String(reference).slice(SCHEMAS.length)
    if (!definitions.has(name)) {
      definitions.set(name, true)
      definitions.set(name, moved(at(document, "components", "schemas", name)))
    }
    return DEFINITIONS + name
  }
  const root = schema["$ref"]
  const body = moved(
    root === undefined ? schema : at(document, "components", "schemas", String(root).slice(SCHEMAS.length))
  )
  return { ...(isJson(body) && body), ...(definitions.size > 0 && { $defs: Object.fromEntries(definitions) }) }
}
