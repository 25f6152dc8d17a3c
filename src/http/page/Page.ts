// `/`: the page for a person who opens the address. One document with its style and script inside, so that it costs one request
// of the reader's quota. The policy allows these two by their hashes and nothing else, and no script may write markup.
import { HttpRouter, HttpServerResponse } from "effect/http"
import { createHash } from "node:crypto"
import { markup } from "./Markup.ts"
import { script } from "./Script.ts"
import { style } from "./Style.ts"
import { linked } from "../documents/DocumentLinks.ts"
import * as Paths from "../Paths.ts"

/** Without what only those who edit it need: indentation, and lines that are a comment. */
const compact = (text: string): string => text.replaceAll(/^\s+|^\/[/*].*\n/gm, "")

const parts = { style: compact(style), script: compact(script) }

const hashOf = (text: string): string => `'sha256-${createHash("sha256").update(text).digest("base64")}'`

const policy = [
  "default-src 'none'",
  "connect-src 'self'",
  "img-src data:",
  `style-src ${hashOf(parts.style)}`,
  `script-src ${hashOf(parts.script)}`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'"
].join("; ")

const page = HttpServerResponse.text(markup(parts.style, parts.script), {
  contentType: "text/html; charset=utf-8",
  headers: { ...linked, "content-security-policy": policy, "referrer-policy": "no-referrer" }
})

/** Serves the page. */
export const Page = HttpRouter.add("GET", Paths.documents.page, page)
