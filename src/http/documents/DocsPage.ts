// `/docs`: the OpenAPI document in Scalar, served by Effect's HttpApiScalar. One response has the script inside: 3 MB, which callers get
// compressed and with an `ETag`. The first request loads the script, so that it does not delay the start.
import { Effect } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import { HttpApiScalar } from "effect/http-api"
import { createHash } from "node:crypto"
import type { apiWith } from "../../api/ApiDocument.ts"
import * as InProcess from "../InProcess.ts"
import { linked } from "../response/Headers.ts"
import * as Paths from "../request/Paths.ts"

const scalar = {
  // Loads nothing from other servers. Test requests go directly to this server, because no proxy is set.
  withDefaultFonts: false,
  telemetry: false,
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

/** The page of an API. Builds it at the first request. */
export const make = <E>(api: Effect.Effect<ReturnType<typeof apiWith>, E>) =>
  Effect.flatMap(api, (api) =>
    HttpRouter.toHttpEffect(HttpApiScalar.layer(api, { path: Paths.otherPaths.docs, scalar }))
  ).pipe(
    InProcess.isolated,
    InProcess.lazy,
    Effect.map((building) =>
      Effect.map(Effect.flatten(building), (response) => {
        const { body } = response
        const html = body._tag === "Uint8Array" ? (body.text ?? new TextDecoder().decode(body.body)) : ""
        const headers = { ...linked, "content-security-policy": policyOf(html), "referrer-policy": "no-referrer" }
        return HttpServerResponse.text(html, { contentType: "text/html; charset=utf-8", headers })
      })
    )
  )
