// `/docs`: the OpenAPI document as a page to read, print and try requests on. Only trying needs its script.
import { isJson } from "../../api/OpenApiSchemas.ts"
import { explanations } from "../../api/Problems.ts"
import * as Terms from "../../api/Terms.ts"
import type { Document, Example, Operation, Parameter } from "../../api/ApiDocument.ts"
import { json, paragraphs, prose, row, text } from "./Html.ts"
import { fill } from "./Pages.ts"
import { nameOf, schemaTable, table, typeOf } from "./SchemaTable.ts"

type Examples = Readonly<Record<string, Example>>

/** The slots of `docs.html` and its frame. `template` is `operation.html`; `keys` is markup that says where API keys come from. */
export const docsSlots = (document: Document, examples: Examples, template: string, keys: string) => {
  const operations = Object.entries(document.paths).map(([path, { get }]) => ({ path, operation: get }))
  const groups = document.tags.map(({ description, name }) => {
    const sections = operations
      .filter(({ operation }) => operation.tags.includes(name))
      .map(({ operation, path }) =>
        fill(template, operationSlots(path, operation, examples[operation.operationId], document))
      )
    return [`<h2>${text(capitalized(name))}</h2>`, `<p>${prose(description)}</p>`, ...sections].join("\n")
  })
  return {
    title: `${text(document.info.title)}: documentation`,
    name: text(document.info.title),
    contents: operations
      .map(({ operation, path }) => `<li><a href="#${operation.operationId}"><code>${breakable(path)}</code></a></li>`)
      .join("\n"),
    summary: paragraphs([Terms.summary]),
    reading: paragraphs(Terms.reading),
    limits: paragraphs(Terms.limits),
    keys,
    failures: paragraphs(Terms.failures),
    problems: problemItems,
    disclaimer: paragraphs([Terms.disclaimer]),
    groups: groups.join("\n"),
    schemas: sharedSchemas(document)
  }
}

/** A path whose lines may break before each `/`. */
const breakable = (path: string): string => text(path).replaceAll(/(?<=.)\//g, "<wbr>/")

const capitalized = (tag: string): string => tag.charAt(0).toUpperCase() + tag.slice(1)

const problemItems = Object.entries(explanations)
  .toSorted(([, one], [, other]) => one.status - other.status)
  .map(
    ([code, { status, title }]) =>
      `<li>${status} <a href="/problems/${code}"><code>${code}</code></a>: ${text(title)}</li>`
  )
  .join("\n")

const operationSlots = (path: string, operation: Operation, example: Example | undefined, document: Document) => ({
  id: operation.operationId,
  summary: text(operation.summary),
  path: text(path),
  description: prose(operation.description),
  request: text(example?.request.replace(/^GET /, "") ?? path),
  parameters: parameterTable(operation.parameters),
  inputs: operation.parameters.map((parameter) => input(operation.operationId, parameter)).join(""),
  fields: fieldTable(operation, document),
  example:
    example === undefined
      ? ""
      : `<details><summary>Example response (sandbox)</summary>\n${json(example.body)}</details>`,
  problems: Object.keys(operation.responses)
    .filter((status) => Number(status) >= 400)
    .join(", ")
})

const parameterTable = (parameters: ReadonlyArray<Parameter>): string =>
  parameters.length === 0 ? "" : `<h4>Parameters</h4>\n${table("Parameters", parameters.map(parameterRow))}`

const parameterRow = ({ description, in: place, name, required, schema }: Parameter): string => {
  const fallback = "default" in schema ? `, default <code>${text(String(schema["default"]))}</code>` : ""
  return row(
    name,
    `<span class="type">${typeOf(schema)}<br>in the ${place}${required ? "" : `, optional${fallback}`}</span>`,
    prose(description)
  )
}

/** A field of the form. An optional one starts empty: its example might contradict those of the others. */
const input = (operationId: string, { in: place, name, required, schema }: Parameter): string => {
  const { default: fallback, enum: choices, examples } = schema
  const value = text(Array.isArray(examples) ? String(examples[0]) : String(fallback ?? ""))
  const attributes = `id="${operationId}-${name}" name="${text(name)}" data-in="${place}"`
  const field = Array.isArray(choices)
    ? `<select ${attributes}>${options(choices, required ? value : undefined)}</select>`
    : `<input ${attributes} ${required ? "required value" : "placeholder"}="${value}" autocomplete="off" autocapitalize="none" spellcheck="false">`
  return `<label>${text(name)}${field}</label>`
}

/** The choices of a field; where none is chosen, the parameter is left out. */
const options = (choices: ReadonlyArray<unknown>, chosen: string | undefined): string =>
  [
    ...(chosen === undefined ? [`<option value="">(default)</option>`] : []),
    ...choices.map(String).map((choice) => `<option${choice === chosen ? " selected" : ""}>${text(choice)}</option>`)
  ].join("")

/** The name of the schema of `data` in an operation's answer. */
const dataSchemaOf = (operation: Operation, document: Document): string | undefined => {
  const { schema } = operation.responses[200].content["application/json"]
  const properties = document.components.schemas[nameOf(schema) ?? ""]?.["properties"]
  return nameOf(isJson(properties) ? properties["data"] : undefined)
}

const fieldTable = (operation: Operation, document: Document): string => {
  const schema = document.components.schemas[dataSchemaOf(operation, document) ?? ""]
  return schema === undefined ? "" : schemaTable("Fields of data", schema)
}

/** The named schemas that no operation's section shows, envelopes left out. */
const sharedSchemas = (document: Document): string => {
  const shown = new Set(Object.values(document.paths).map(({ get }) => dataSchemaOf(get, document)))
  return Object.entries(document.components.schemas)
    .filter(([name]) => !shown.has(name) && !name.endsWith("Answer"))
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, schema]) => {
      const description = typeof schema["description"] === "string" ? `<p>${prose(schema["description"])}</p>` : ""
      const shape = isJson(schema["properties"]) ? schemaTable(name, schema) : `<p class="type">${typeOf(schema)}</p>`
      return `<section class="operation" id="${text(name)}"><h3>${text(name)}</h3>\n${description}${shape}</section>`
    })
    .join("\n")
}
