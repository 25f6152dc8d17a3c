// `/docs`: the OpenAPI document in Scalar, as Effect's HttpApiScalar serves it: one response with the script inside, 3 MB that callers
// get compressed and with an `ETag`. The script is loaded with the first request, so that it does not delay the start.
import { Effect } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import { HttpApiScalar } from "effect/http-api"
import { createHash } from "node:crypto"
import type { apiWith } from "../../api/ApiDocument.ts"
import * as InProcess from "../InProcess.ts"
import { linked } from "../response/Headers.ts"
import * as Paths from "../target/Paths.ts"

const scalar = {
  // Nothing is loaded from elsewhere. Requests that a reader tries go to this server, as no proxy is named.
  withDefaultFonts: false,
  telemetry: false,
  showDeveloperTools: "never",
  hideClientButton: true,
  documentDownloadType: "direct"
} as const

const SCRIPT = /<script>([^]*?)<\/script>/g

/**
 * Runs the page's own scripts and asks this server only. Scalar writes its styles and its markup itself, so here, and on no other page,
 * styles are not checked by hash, and there are no trusted types.
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
    HttpRouter.toHttpEffect(HttpApiScalar.layer(api, { path: Paths.documents.docs, scalar }))
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
