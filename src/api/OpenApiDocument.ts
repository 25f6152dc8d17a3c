// What the generated OpenAPI document needs said better: numbers that are raw JSON on the way out are numbers, and parameters
// have their real types instead of the text they travel as.
import { rules } from "./Parameters.ts"

type Json = Record<string, unknown>

const isObject = (value: unknown): value is Json => typeof value === "object" && value !== null && !Array.isArray(value)

const parameterSchemas: Readonly<Record<string, Json>> = {
  limit: { type: "integer", minimum: 1, maximum: 250, default: 100 },
  page: { type: "integer", minimum: 1, default: 1 },
  amount: { type: "string", pattern: "^\\d{1,16}(\\.\\d{1,18})?$", default: "1" }
}

/** Finishes the document that `OpenApi.fromApi` derives. */
export const document = (spec: Json): Json => {
  const components = isObject(spec["components"]) ? spec["components"] : {}
  const schemas = isObject(components["schemas"]) ? components["schemas"] : {}
  return {
    ...spec,
    paths: mapValues(spec["paths"], (path) => mapValues(path, operation)),
    components: {
      ...components,
      schemas: mapEntries(schemas, (name, schema) =>
        /^Json(Number|Decimal)/.test(name) ? { type: "number" } : open(schema)
      )
    }
  }
}

/** Answers may gain members within `/v1`: a client made from the document must not refuse them. */
const open = (schema: unknown): unknown => {
  if (Array.isArray(schema)) return schema.map(open)
  if (!isObject(schema)) return schema
  const members = Object.entries(schema).filter(([key, member]) => key !== "additionalProperties" || member !== false)
  return Object.fromEntries(members.map(([key, member]) => [key, open(member)]))
}

const operation = (value: unknown): unknown => {
  if (!isObject(value) || !Array.isArray(value["parameters"])) return value
  // The key is optional: without one a caller is counted by address.
  return { ...value, parameters: value["parameters"].map(parameter), security: [{}, { apiKey: [] }] }
}

const parameter = (value: unknown): unknown => {
  if (!isObject(value) || typeof value["name"] !== "string") return value
  const name = value["name"]
  const schema = parameterSchemas[name] ?? value["schema"]
  return { ...value, schema, ...(name in rules && { description: `Must be ${rules[name]}.` }) }
}

const mapEntries = (value: unknown, f: (key: string, member: unknown) => unknown): unknown =>
  isObject(value) ? Object.fromEntries(Object.entries(value).map(([key, member]) => [key, f(key, member)])) : value

const mapValues = (value: unknown, f: (member: unknown) => unknown): unknown =>
  mapEntries(value, (_key, member) => f(member))
