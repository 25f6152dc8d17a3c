// A schema of the OpenAPI document as a table: each member with its type and what is said of it. What has a name of its own is a
// link to its own table.
import { type Json, isJson, SCHEMAS } from "../../api/OpenApiSchemas.ts"
import { prose, text } from "./Html.ts"

/** The name that a schema refers to. */
export const nameOf = (schema: unknown): string | undefined =>
  isJson(schema) && typeof schema["$ref"] === "string" ? schema["$ref"].slice(SCHEMAS.length) : undefined

/** The members of an object as a table. */
export const schemaTable = (schema: Json): string => {
  const properties = isJson(schema["properties"]) ? schema["properties"] : {}
  return `<table><tbody>
${Object.entries(properties).flatMap(rowsOf("")).join("\n")}
</tbody></table>`
}

/** A member's row, and those of an object that has no name. */
const rowsOf =
  (prefix: string) =>
  ([name, schema]: readonly [string, unknown]): ReadonlyArray<string> => {
    const described = isJson(schema) && typeof schema["description"] === "string" ? prose(schema["description"]) : ""
    const path = prefix + name
    const row = `<tr><th scope="row"><code>${text(path)}</code></th><td class="type">${typeOf(schema)}</td><td>${described}</td></tr>`
    const within = [schema, ...alternatives(schema)].find((part) => isJson(part) && isJson(part["properties"]))
    if (!isJson(within) || !isJson(within["properties"])) return [row]
    return [row, ...Object.entries(within["properties"]).flatMap(rowsOf(`${path}.`))]
  }

const alternatives = (schema: unknown): ReadonlyArray<unknown> =>
  isJson(schema) && Array.isArray(schema["anyOf"]) ? schema["anyOf"] : []

/** A schema's type in a few words, as markup. */
export const typeOf = (schema: unknown): string => {
  if (!isJson(schema)) return ""
  const name = nameOf(schema)
  if (name !== undefined) return `<a href="#${text(name)}">${text(name)}</a>`
  const either = alternatives(schema)
  if (either.length > 0) return either.map(typeOf).join(" or ")
  if (Array.isArray(schema["enum"]))
    return schema["enum"].map((value) => `<code>${text(String(value))}</code>`).join(", ")
  const { additionalProperties, format, items, type } = schema
  if (type === "array") return `list of ${typeOf(items)}`
  if (isJson(additionalProperties)) return `${typeOf(additionalProperties)} by name`
  const named = (Array.isArray(type) ? type : [type]).map(String).join(" or ")
  return text(format === "date-time" ? named.replace("string", "time") : named.replace("string", "text"))
}
