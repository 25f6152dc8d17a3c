// The schemas of the OpenAPI document as the bodies are: raw JSON of a number is a number, a nullable type is a list of two
// types, and a problem has all the members that the server sends.

import { NUMBER_FORMAT } from "../domain/JsonNumber.ts"

export type Json = Readonly<Record<string, unknown>>

export const isJson = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** The value if it is an object, else an empty one. */
export const objectOf = (value: unknown): Json => (isJson(value) ? value : {})

export const SCHEMAS = "#/components/schemas/"

/** The name of the component that a reference names; `undefined` for another kind or other values. */
export const nameIn = (ref: unknown, kind: "headers" | "schemas"): string | undefined => {
  const prefix = `#/components/${kind}/`
  return typeof ref === "string" && ref.startsWith(prefix) ? ref.slice(prefix.length) : undefined
}

/** The names of the components of this kind that a value refers to, directly or through others. */
export const referredFrom = (value: unknown, kind: "headers" | "schemas", components: Json): ReadonlySet<string> => {
  const names = new Set<string>()
  const visit = (place: unknown): void => {
    if (typeof place !== "object" || place === null) return
    for (const [key, member] of Object.entries(place)) {
      const name = key === "$ref" ? nameIn(member, kind) : undefined
      if (name === undefined) visit(member)
      else if (!names.has(name)) {
        names.add(name)
        visit(components[name])
      }
    }
  }
  visit(value)
  return names
}

/** The name without the suffix of an encoded form. */
const nameOf = (name: string): string => name.replace(/Encoded$/, "")

/** The schemas, completed, under their plain names. */
export const finishAll = (schemas: Json): Json =>
  Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [nameOf(name), problem(finish(schema))]))

/** Completes a schema and the schemas within it. */
export const finish = (schema: unknown): unknown => {
  if (Array.isArray(schema)) return schema.map(finish)
  if (!isJson(schema)) return schema
  const { $ref, format, ...rest } = schema
  if (format === NUMBER_FORMAT) return { ...rest, type: "number" }
  if (typeof $ref === "string") return { ...schema, $ref: SCHEMAS + nameOf($ref.slice(SCHEMAS.length)) }
  const members = Object.entries(schema)
    // Members may be added within `/v1`: a client made from the document must accept them.
    .filter(([key, member]) => key !== "additionalProperties" || member !== false)
    .map(([key, member]) => [key, finish(member)])
  return nullable(tuple(Object.fromEntries(members)))
}

/** Tools that do not know `prefixItems` report arrays without `items`. */
const tuple = (schema: Json): Json => {
  const { prefixItems } = schema
  if (!Array.isArray(prefixItems)) return schema
  const [first, ...others] = new Set(prefixItems.map((item) => JSON.stringify(item)))
  return { items: first === undefined || others.length > 0 ? {} : JSON.parse(first), ...schema }
}

/** `anyOf` of a plain type and null becomes a list of types. */
const nullable = (schema: Json): Json => {
  const { anyOf, ...rest } = schema
  if (!Array.isArray(anyOf) || anyOf.length !== 2) return schema
  const [value, nothing] = anyOf
  if (!isJson(value) || !isJson(nothing) || nothing["type"] !== "null") return schema
  return typeof value["type"] === "string" && !("enum" in value)
    ? { ...value, ...rest, type: [value["type"], "null"] }
    : schema
}

/** Whether a schema allows nothing but paths of problems. */
const isProblemType = (schema: unknown): boolean => {
  const { enum: values } = objectOf(schema)
  return Array.isArray(values) && values.every((value) => String(value).startsWith("/problems/"))
}

/** A problem has every member that it declares, and `instance` and `detail`. */
const problem = (schema: unknown): unknown => {
  if (!isJson(schema) || !isJson(schema["properties"])) return schema
  const { code, status, type } = schema["properties"]
  if (!isJson(status) || !isProblemType(type)) return schema
  const properties = {
    ...schema["properties"],
    type: { ...objectOf(type), description: "The kind of problem, explained at this path" },
    detail: { type: "string", description: "What is wrong with this request, for people" },
    code: { ...objectOf(code), description: "The problem's name, for programs" },
    status: { ...status, type: "integer" },
    instance: { type: "string", description: "The request's id, as in `X-Request-Id`" }
  }
  return { ...schema, properties, required: Object.keys(properties) }
}
