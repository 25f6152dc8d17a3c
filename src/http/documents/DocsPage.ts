// `/docs`: the OpenAPI document in Scalar, made by Effect's HttpApiScalar, below the head of the other pages. One response has the script
// inside: 3 MB, which callers get compressed and with an `ETag`. The first request loads the script, so that it does not delay the start.
import { Effect } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import { HttpApiScalar, OpenApi } from "effect/http-api"
import { createHash } from "node:crypto"
import { type apiWith, decodeDocument, examples } from "../../api/ApiDocument.ts"
import { disclaimer, summary } from "../../api/Terms.ts"
import * as InProcess from "../InProcess.ts"
import { PublicUrl } from "../PublicUrl.ts"
import { linked } from "../response/Headers.ts"
import { text } from "./Html.ts"
import { docsPage, fill } from "./Pages.ts"
import * as Paths from "../request/Paths.ts"

const scalar = {
  // Loads nothing from other servers. Test requests go directly to this server, because no proxy is set.
  withDefaultFonts: false,
  telemetry: false,
  hideModels: true,
  showDeveloperTools: "never",
  hideClientButton: true,
  documentDownloadType: "direct"
} as const

const SCRIPT = /<script>([^]*?)<\/script>/g

/**
 * Allows the page's own scripts, and requests to this server only. Scalar writes styles and markup at run time, so this page, unlike all
 * others, allows inline styles and needs no trusted types.
 */
const policyOf = (html: string): string =>
  [
    "default-src 'none'",
    "connect-src 'self'",
    "img-src data:",
    "style-src 'unsafe-inline'",
    `script-src ${Array.from(html.matchAll(SCRIPT), ([, script = ""]) => sourceOf(script)).join(" ")}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'"
  ].join("; ")

const sourceOf = (script: string): string => `'sha256-${createHash("sha256").update(script).digest("base64")}'`

const titles: Readonly<Record<string, string>> = {
  many: "Many prices",
  market: "Coins",
  p2p: "P2P markets",
  why: "Why coins moved"
}

/** The document with its groups' titles, and a request to try before all rules. */
const readable = Effect.fnUntraced(function* (api: ReturnType<typeof apiWith>) {
  const { origin, path } = yield* PublicUrl
  const { getPrice } = (yield* examples).operations
  const document = OpenApi.fromApi(api)
  const { info, tags } = decodeDocument(document)
  const command = `curl "${origin === "" ? "$URL" : origin + path}/v1/price/bitcoin/ngn"`
  const first = [
    summary,
    "## A first request",
    ...(origin === "" ? ["With the address of this server in `URL`:"] : []),
    `\`\`\`sh\n${command}\n\`\`\``,
    `\`\`\`json\n${JSON.stringify(getPrice?.body, null, 2)}\n\`\`\``
  ].join("\n\n")
  const named = {
    ...document,
    info: { ...document.info, description: info.description.replace(summary, () => first) },
    tags: tags.map((tag) => ({
      ...tag,
      "x-displayName": titles[tag.name] ?? tag.name.charAt(0).toUpperCase() + tag.name.slice(1)
    }))
  }
  return api.annotate(OpenApi.Transform, () => named)
})

/** Scalar's part of the page. */
const referenceIn = (html: string): string => html.slice(html.indexOf("<body>") + 6, html.lastIndexOf("</body>"))

/** The page of an API. Builds it at the first request. */
export const make = Effect.fnUntraced(function* <E>(api: Effect.Effect<ReturnType<typeof apiWith>, E>) {
  const { path: base } = yield* PublicUrl
  const building = yield* Effect.flatMap(Effect.flatMap(api, readable), (api) =>
    HttpRouter.toHttpEffect(HttpApiScalar.layer(api, { path: Paths.otherPaths.docs, scalar }))
  ).pipe(InProcess.isolated, InProcess.lazy)
  return Effect.map(Effect.flatten(building), (response) => {
    const { body } = response
    const made = body._tag === "Uint8Array" ? (body.text ?? new TextDecoder().decode(body.body)) : ""
    const description = text(`${summary} ${disclaimer}`)
    const html = fill(docsPage.html, { base, description, reference: referenceIn(made) })
    const headers = { ...linked, "content-security-policy": policyOf(html), "referrer-policy": "no-referrer" }
    return HttpServerResponse.text(html, { contentType: "text/html; charset=utf-8", headers })
  })
})
