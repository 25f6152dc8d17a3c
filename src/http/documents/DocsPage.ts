// `/docs`: the OpenAPI document as a page that can be read, printed and tried. It reads well without its script.
import { isJson } from "../../api/OpenApiSchemas.ts"
import { explanations } from "../../api/Problems.ts"
import * as Terms from "../../api/Terms.ts"
import type { Document, Example, Operation, Parameter } from "./ApiDocument.ts"
import { json, paragraphs, prose, row, text } from "./Html.ts"
import { fill } from "./Pages.ts"
import { nameOf, schemaTable, table, typeOf } from "./SchemaTable.ts"

type Examples = Readonly<Record<string, Example>>

/** What fills the slots of `docs.html`; `template` is `operation.html`. */
export const docsSlots = (document: Document, examples: Examples, template: string) => {
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
    title: text(document.info.title),
    contents: operations
      .map(({ operation, path }) => `<li><a href="#${operation.operationId}"><code>${text(path)}</code></a></li>`)
      .join("\n"),
    summary: paragraphs([Terms.summary]),
    reading: paragraphs(Terms.reading),
    limits: paragraphs(Terms.limits),
    failures: paragraphs(Terms.failures),
    problems: problemItems,
    disclaimer: paragraphs([Terms.disclaimer]),
    groups: groups.join("\n"),
    schemas: sharedSchemas(document)
  }
}

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

const input = (operationId: string, { in: place, name, schema }: Parameter): string => {
  const { default: fallback, examples } = schema
  const value = Array.isArray(examples) ? String(examples[0]) : String(fallback ?? "")
  const attributes = `id="${operationId}-${name}" name="${text(name)}" data-in="${place}" value="${text(value)}"`
  return `<label>${text(name)}<input ${attributes} autocomplete="off" autocapitalize="none" spellcheck="false"></label>`
}

/** The name of the schema of `data` in an operation's answer. */
const dataSchemaOf = (operation: Operation, document: Document): string | undefined => {
  const content = operation.responses["200"]?.["content"]
  const media = isJson(content) ? content["application/json"] : undefined
  const envelope = document.components.schemas[nameOf(isJson(media) ? media["schema"] : undefined) ?? ""]
  const properties = envelope?.["properties"]
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
