// A schema of the OpenAPI document as a table of its fields. An object without a name is shown in place, as `parent.child`; a
// named one is a link to its own table.
import { type Json, isJson, SCHEMAS } from "../../api/OpenApiSchemas.ts"
import { prose, row, text } from "./Html.ts"

export const nameOf = (schema: unknown): string | undefined =>
  isJson(schema) && typeof schema["$ref"] === "string" ? schema["$ref"].slice(SCHEMAS.length) : undefined

/** A table of rows, named for screen readers. */
export const table = (label: string, rows: ReadonlyArray<string>): string =>
  `<table aria-label="${text(label)}"><tbody>\n${rows.join("\n")}\n</tbody></table>`

export const schemaTable = (label: string, schema: Json): string => {
  const properties = isJson(schema["properties"]) ? schema["properties"] : {}
  return table(label, Object.entries(properties).flatMap(rowsOf("")))
}

/** A field's row, followed by those of its own fields where its object has no name. */
const rowsOf =
  (prefix: string) =>
  ([name, schema]: readonly [string, unknown]): ReadonlyArray<string> => {
    const description = isJson(schema) && typeof schema["description"] === "string" ? prose(schema["description"]) : ""
    const path = prefix + name
    const own = row(path, `<span class="type">${typeOf(schema)}</span>`, description)
    const object = [schema, ...alternatives(schema)].find((part) => isJson(part) && isJson(part["properties"]))
    if (!isJson(object) || !isJson(object["properties"])) return [own]
    return [own, ...Object.entries(object["properties"]).flatMap(rowsOf(`${path}.`))]
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
  const types = (Array.isArray(type) ? type : [type]).map(String).join(" or ")
  return text(types.replace("string", format === "date-time" ? "time" : "text"))
}
