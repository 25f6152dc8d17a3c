// The OpenAPI document as version 3.0 of the format writes it, for generators that stop at nullable types. In 3.0 null is no type but the
// word `nullable`, a reference has no words beside it, and a schema has one `example`.
import { isJson, type Json, objectOf } from "./OpenApiSchemas.ts"

/** A document of version 3.1 in version 3.0. */
export const inVersion30 = (document: object): Json => {
  const { info, ...rest } = objectOf(document)
  const { license, summary: _, ...kept } = objectOf(info)
  const { name } = objectOf(license)
  return { ...objectOf(rewritten({ info: { ...kept, license: { name } }, ...rest })), openapi: "3.0.3" }
}

const rewritten = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(rewritten)
  return isJson(value)
    ? Object.fromEntries(Object.entries(value).flatMap(([key, member]) => entry(key, member)))
    : value
}

/** The member of 3.0, or the members, for one of 3.1. */
const entry = (key: string, member: unknown): ReadonlyArray<readonly [string, unknown]> => {
  // Examples of a body are answers, not schemas.
  if (key === "example" || (key === "examples" && isJson(member))) return [[key, member]]
  if (!Array.isArray(member)) return [[key, rewritten(member)]]
  if (key === "examples") return [["example", member[0]]]
  const present = member.filter((one) => one !== "null" && objectOf(one)["type"] !== "null")
  if (present.length === member.length) return [[key, rewritten(member)]]
  const nullable = ["nullable", true] as const
  if (key === "type") return [["type", present[0]], nullable]
  const [single, ...others] = present.map(rewritten)
  if (others.length > 0) return [[key, present.map(rewritten)], nullable]
  if ("$ref" in objectOf(single)) return [["allOf", [single]], nullable]
  const { enum: words, ...rest } = objectOf(single)
  return [...Object.entries(rest), ...(Array.isArray(words) ? [["enum", [...words, null]] as const] : []), nullable]
}
