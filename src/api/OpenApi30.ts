// The OpenAPI document as version 3.0 of the format writes it, for generators that stop at nullable types. In 3.0 null is no type but the
// word `nullable`, a reference has no words beside it, and a schema has one `example`. Where 3.0 leaves a choice, the document has what
// openapi-generator 5.0 makes code of that compiles and is answered: no null among the words of an `enum`; no `anyOf`; no defaults, because
// PHP's clients send them also where they need another parameter; and `double`, because a number without a format is a `float32` in Go.
import { Record } from "effect"
import { isJson, type Json, nameIn, objectOf } from "./OpenApiSchemas.ts"

/** A document of version 3.1 in version 3.0. */
export const inVersion30 = (document: object): Json => {
  const { info, ...rest } = objectOf(document)
  const { license, summary: _, ...kept } = objectOf(info)
  const { name } = objectOf(license)
  const { schemas } = objectOf(objectOf(rest)["components"])
  const rewritten = rewriting(objectOf(schemas))
  return { ...objectOf(rewritten({ info: { ...kept, license: { name } }, ...rest })), openapi: "3.0.3" }
}

type Entries = ReadonlyArray<readonly [string, unknown]>

const rewriting = (schemas: Json) => {
  const rewritten = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(rewritten)
    return isJson(value)
      ? Object.fromEntries(Object.entries(value).flatMap(([key, member]) => entries(key, member)))
      : value
  }

  /** The member of 3.0, or the members, for one of 3.1. */
  const entries = (key: string, member: unknown): Entries => {
    // Examples of a body are answers, not schemas.
    if (key === "example" || (key === "examples" && isJson(member))) return [[key, member]]
    if (key === "default" && !isJson(member)) return []
    if (key === "type" && typeof member === "string") return typeEntries(member)
    if (!Array.isArray(member)) return [[key, rewritten(member)]]
    if (key === "examples") return [["example", member[0]]]
    const present = member.filter((one) => one !== "null" && objectOf(one)["type"] !== "null")
    const nullable: Entries = present.length === member.length ? [] : [["nullable", true]]
    if (key === "type") return [...typeEntries(present[0]), ...nullable]
    if (key !== "anyOf") return [[key, present.map(rewritten)]]
    if (present.length > 1) return Object.entries(objectOf(rewritten(oneOfAll(present, schemas))))
    const single = objectOf(rewritten(present[0]))
    return [...("$ref" in single ? [["allOf", [single]] as const] : Object.entries(single)), ...nullable]
  }
  return rewritten
}

const typeEntries = (type: unknown): Entries => [
  ["type", type],
  ...(type === "number" ? [["format", "double"] as const] : [])
]

/** One schema for any of the problems with these references: all their members, those required that all have. */
const oneOfAll = (references: ReadonlyArray<unknown>, schemas: Json): Json => {
  const names = references.map((reference) => nameIn(objectOf(reference)["$ref"], "schemas") ?? "")
  const members = names.map((name) => objectOf(objectOf(schemas[name])["properties"]))
  const found = Object.groupBy(members.flatMap(Object.entries<unknown>), ([name]) => name)
  const properties = Record.map(found, (same = []) => {
    const words = same.flatMap(([, schema]) => objectOf(schema)["enum"] ?? [])
    return { ...objectOf(same[0]?.[1]), ...(words.length > 0 && { enum: [...new Set(words)] }) }
  })
  const required = Object.keys(properties).filter((name) => members.every((one) => name in one))
  return { title: names.join("Or"), type: "object", properties, required }
}
