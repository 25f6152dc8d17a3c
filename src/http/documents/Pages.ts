// The HTML documents that `npm run pages` builds. Each has its CSS and script inside, so a page takes one request, and a
// content security policy that allows only these two. The large one is loaded at the first request for a page.
import { Effect } from "effect"
import { HttpServerResponse } from "effect/http"
import { linked } from "../response/Headers.ts"
import texts from "./data/texts.json" with { type: "json" }

/** `style` and `script`: the hashes for the policy. */
export interface HtmlDocument {
  readonly html: string
  readonly style: string
  readonly script: string | null
}

export const pages = Effect.promise(() => import("./data/pages.json", { with: { type: "json" } })).pipe(
  Effect.map((module) => module.default)
)

/** The document of texts in one column, problems and errors, and the one around the reference. */
export const { docs: docsPage, texts: textPage } = texts

/** Puts markup into the slots of a template, `{{name}}`. A slot without markup is a defect. */
export const fill = (template: string, slots: Readonly<Record<string, string>>): string =>
  template.replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => {
    const markup = slots[name]
    if (markup === undefined) throw new Error(`The template's slot ${name} has no markup`)
    return markup
  })

/** Allows requests to this server only, loads nothing from other servers, and lets no script write markup. */
const policyOf = ({ html, script, style }: HtmlDocument): string =>
  [
    "default-src 'none'",
    "connect-src 'self'",
    "img-src data:",
    `style-src ${style}`,
    ...(script === null ? [] : [`script-src ${script}`]),
    html.includes("<base ") ? "base-uri 'self'" : "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'"
  ].join("; ")

/** The headers of a document beside its type. */
export const headersOfPage = (document: HtmlDocument) => ({
  ...linked,
  "content-security-policy": policyOf(document),
  "referrer-policy": "no-referrer"
})

export const HTML = "text/html; charset=utf-8"

export const htmlResponse = (document: HtmlDocument, slots: Readonly<Record<string, string>> = {}, status = 200) =>
  HttpServerResponse.text(fill(document.html, slots), {
    status,
    contentType: HTML,
    headers: headersOfPage(document)
  })
