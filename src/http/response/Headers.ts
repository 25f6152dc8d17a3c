// Writes the headers of every response: hits, misses, refusals, preflights, and errors of the HTTP protocol.
import { HttpServerResponse } from "effect/http"
import { otherPaths } from "../request/Paths.ts"
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

/** The `Cache-Control` of every error, and of responses that are valid only now. */
export const NO_STORE = "no-store"

const rateHeaders = ({ id, quota }: Pick<CountedRequest, "id" | "quota">): Headers => ({
  "x-ratelimit-limit": String(quota.limit),
  "x-ratelimit-remaining": String(Math.max(0, quota.remaining)),
  "x-ratelimit-reset": String(quota.reset),
  "x-request-id": id
})

/** What the headers of every response are made of. */
interface Outlined extends Pick<CountedRequest, "id" | "quota"> {
  readonly parsed: Pick<CountedRequest["parsed"], "base" | "vary">
}

/**
 * The headers of a response. `extra`: those of this response alone; addresses in `link` start at the root of the service. Pages of any
 * origin may read the response (CORS).
 */
export const headersOf = (
  { id, parsed: { base, vary }, quota }: Outlined,
  extra: Headers,
  cacheControl = NO_STORE
): Headers => {
  const headers = {
    ...extra,
    vary,
    "access-control-allow-origin": "*",
    "access-control-expose-headers": exposed,
    "x-content-type-options": "nosniff",
    "cache-control": cacheControl,
    ...rateHeaders({ id, quota })
  }
  const { link } = extra
  return base === "" || link === undefined ? headers : { ...headers, link: link.replaceAll("</", `<${base}/`) }
}

/** A host's own response with the headers of the quota that it counted against. */
export const withRateHeaders = (
  request: Pick<CountedRequest, "id" | "quota">,
  response: HttpServerResponse.HttpServerResponse
): HttpServerResponse.HttpServerResponse => HttpServerResponse.setHeaders(response, rateHeaders(request))

const link = (to: string, rel: string, type: string): string => `<${to}>; rel="${rel}"; type="${type}"`

/** Links to the documents (RFC 8288, RFC 8631, RFC 6903). Documents and unknown paths have them, answers under `/v1` do not. */
export const linked = {
  link: [
    link(otherPaths.openApi, "service-desc", "application/json"),
    link(otherPaths.docs, "service-doc", "text/html"),
    link(`${otherPaths.docs}#description/terms`, "terms-of-service", "text/html"),
    link(otherPaths.llms, "describedby", "text/plain"),
    link(otherPaths.ready, "status", "application/health+json")
  ].join(", ")
}
