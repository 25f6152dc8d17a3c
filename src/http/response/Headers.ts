// The headers of every response are written here: hits, misses, refusals, preflights, and what is answered to broken HTTP.
import { documents } from "../target/Paths.ts"
import type { CountedRequest } from "./CountedRequest.ts"

/** Names in lower case. */
export type Headers = Readonly<Record<string, string>>

const exposed = [
  "X-RateLimit-Limit",
  "X-RateLimit-Remaining",
  "X-RateLimit-Reset",
  "ETag",
  "Link",
  "Retry-After",
  "X-Request-Id",
  "X-Source",
  "X-Updated"
].join(", ")

/** The `Cache-Control` of every error, and of what is of this moment only. */
export const NO_STORE = "no-store"

/**
 * The headers of a response. `own`: those that only this one has, the addresses in `link` from the root of the service. Any page may
 * read it (CORS).
 */
export const headersOf = (
  { base, id, quota, vary }: Pick<CountedRequest, "base" | "id" | "quota" | "vary">,
  own: Headers,
  cacheControl = NO_STORE
): Headers => {
  const headers = {
    ...own,
    vary,
    "access-control-allow-origin": "*",
    "access-control-expose-headers": exposed,
    "x-content-type-options": "nosniff",
    "cache-control": cacheControl,
    "x-ratelimit-limit": String(quota.limit),
    "x-ratelimit-remaining": String(Math.max(0, quota.remaining)),
    "x-ratelimit-reset": String(quota.reset),
    "x-request-id": id
  }
  const { link } = own
  return base === "" || link === undefined ? headers : { ...headers, link: link.replaceAll("</", `<${base}/`) }
}

const link = (to: string, rel: string, type: string): string => `<${to}>; rel="${rel}"; type="${type}"`

/** To the documents (RFC 8288, with relations of RFC 8631 and RFC 6903). Documents and 404s have it, answers under `/v1` do not. */
export const linked = {
  link: [
    link(documents.openApi, "service-desc", "application/json"),
    link(documents.docs, "service-doc", "text/html"),
    link(`${documents.docs}#description/terms`, "terms-of-service", "text/html"),
    link(documents.llms, "describedby", "text/plain"),
    link(documents.ready, "status", "application/health+json")
  ].join(", ")
}
