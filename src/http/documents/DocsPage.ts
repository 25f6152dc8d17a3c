// `/docs`: the OpenAPI document as a page to be read, printed and tried out. One document with its style and script inside, that
// asks nobody but this server, and reads well without a script.
import { isJson } from "../../api/OpenApiSchemas.ts"
import { explanations } from "../../api/Problems.ts"
import * as Terms from "../../api/Terms.ts"
import type { Document, Example, Operation } from "./ApiDocument.ts"
import { json, page, prose, text } from "./Html.ts"
import { nameOf, schemaTable, typeOf } from "./SchemaTable.ts"
import { script } from "./DocsScript.ts"

type Examples = Readonly<Record<string, Example>>

/** The page and its policy. */
export const docsPage = (document: Document, examples: Examples) => {
  const operations = Object.entries(document.paths).map(([path, { get }]) => ({ path, operation: get }))
  const groups = document.tags.map((tag) => ({
    ...tag,
    operations: operations.filter(({ operation }) => operation.tags.includes(tag.name))
  }))
  const body = `<div class="docs">
<nav aria-label="Contents">
<p><a href="/"><b>${text(document.info.title)}</b></a></p>
<ul><li><a href="#reading">Reading answers</a></li><li><a href="#limits">Limits and keys</a></li><li><a href="#errors">Errors</a></li><li><a href="#terms">Terms</a></li></ul>
<ul>${operations.map(({ operation, path }) => `<li><a href="#${operation.operationId}"><code>${text(path)}</code></a></li>`).join("")}</ul>
<ul><li><a href="#schemas">Schemas</a></li><li><a href="/openapi.json">OpenAPI 3.1</a></li><li><a href="/llms.txt">For language models</a></li><li><a href="/problems">Problems</a></li></ul>
</nav>
<main>
<h1>${text(document.info.title)}</h1>
${paragraphs([Terms.summary])}
<h2 id="reading">Reading answers</h2>
${paragraphs(Terms.reading)}
<h2 id="limits">Limits and keys</h2>
${paragraphs(Terms.limits)}
<form hidden autocomplete="off"><label>API key for what is tried below, if you have one<input id="key" type="password" spellcheck="false"></label></form>
<h2 id="errors">Errors</h2>
${paragraphs(Terms.failures)}
<ul>${Object.entries(explanations).map(problemLine).join("")}</ul>
<h2 id="terms">Terms</h2>
${paragraphs([Terms.disclaimer])}
<p>What each source asks for is in <a href="/v1/sources"><code>/v1/sources</code></a>.</p>
${groups
  .map(
    (group) => `<h2>${text(heading(group.name))}</h2>
<p>${prose(group.description)}</p>
${group.operations.map(({ operation, path }) => section(path, operation, examples[operation.operationId], document)).join("\n")}`
  )
  .join("\n")}
<h2 id="schemas">Schemas</h2>
<p>The parts that answers are made of. What may be unknown is “or null”.</p>
${parts(document)}
</main>
</div>`
  return page({ title: `${document.info.title}: documentation`, body, script })
}

const heading = (tag: string): string => tag.charAt(0).toUpperCase() + tag.slice(1)

const paragraphs = (texts: ReadonlyArray<string>): string => texts.map((each) => `<p>${prose(each)}</p>`).join("\n")

const problemLine = ([code, { status, title }]: readonly [
  string,
  { readonly status: number; readonly title: string }
]) => `<li>${status} <a href="/problems/${code}"><code>${code}</code></a>: ${text(title)}</li>`

const section = (path: string, operation: Operation, example: Example | undefined, document: Document): string => {
  const asked = example?.request.replace(/^GET /, "") ?? path
  const problems = Object.entries(operation.responses).flatMap(([status]) => (Number(status) >= 400 ? [status] : []))
  return `<section class="operation" id="${operation.operationId}" aria-labelledby="${operation.operationId}-title">
<h3 id="${operation.operationId}-title">${text(operation.summary)}</h3>
<p class="path">GET ${text(path)}</p>
<p>${prose(operation.description)}</p>
<pre tabindex="0"><code data-curl="${text(asked)}">curl 'http://localhost:3000${text(asked)}'</code></pre>
${parameters(operation)}
<form hidden data-path="${text(path)}" aria-label="Try ${text(path)}">
${operation.parameters.map((parameter) => input(operation, parameter)).join("")}<button>Try</button>
</form>
<pre hidden tabindex="0" role="status"></pre>
<h4>Answer: <code>data</code></h4>
${answerTable(operation, document)}
${example === undefined ? "" : `<details><summary>An answer of the sandbox</summary>\n${json(example.body)}</details>`}
<p class="soft">Also: ${problems.join(", ")}, and 304 with <code>If-None-Match</code>.</p>
</section>`
}

const parameters = ({ parameters: known }: Operation): string =>
  known.length === 0
    ? ""
    : `<h4>Parameters</h4>
<table><tbody>
${known
  .map(({ description, in: place, name, required, schema }) => {
    const fallback = "default" in schema ? `, default <code>${text(String(schema["default"]))}</code>` : ""
    const type = `${typeOf(schema)}<br>in the ${place}${required ? "" : `, optional${fallback}`}`
    return `<tr><th scope="row"><code>${text(name)}</code></th><td class="type">${type}</td><td>${prose(description)}</td></tr>`
  })
  .join("\n")}
</tbody></table>`

const input = ({ operationId }: Operation, { in: place, name, schema }: Operation["parameters"][number]): string => {
  const { default: fallback, examples } = schema
  const value = Array.isArray(examples) ? String(examples[0]) : String(fallback ?? "")
  const attributes = `id="${operationId}-${name}" name="${text(name)}" data-in="${place}" value="${text(value)}"`
  return `<label>${text(name)}<input ${attributes} autocomplete="off" autocapitalize="none" spellcheck="false"></label>`
}

/** The schema of `data` within the envelope of the answer. */
const dataOf = (operation: Operation, document: Document): string | undefined => {
  const content = operation.responses["200"]?.["content"]
  const media = isJson(content) ? content["application/json"] : undefined
  const envelope = document.components.schemas[nameOf(isJson(media) ? media["schema"] : undefined) ?? ""]
  const properties = envelope?.["properties"]
  return nameOf(isJson(properties) ? properties["data"] : undefined)
}

const answerTable = (operation: Operation, document: Document): string => {
  const schema = document.components.schemas[dataOf(operation, document) ?? ""]
  return schema === undefined ? "" : schemaTable(schema)
}

/** Every named object that is not the data of an operation or an envelope, and so has not been shown. */
const parts = (document: Document): string => {
  const shown = new Set(Object.values(document.paths).map(({ get }) => dataOf(get, document)))
  return Object.entries(document.components.schemas)
    .filter(([name]) => !shown.has(name) && !name.endsWith("Answer"))
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, schema]) => {
      const described = typeof schema["description"] === "string" ? `<p>${prose(schema["description"])}</p>` : ""
      const shape = isJson(schema["properties"]) ? schemaTable(schema) : `<p class="type">${typeOf(schema)}</p>`
      return `<section class="operation" id="${text(name)}"><h3>${text(name)}</h3>\n${described}${shape}</section>`
    })
    .join("\n")
}
