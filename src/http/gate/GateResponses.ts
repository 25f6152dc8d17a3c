// Responses of the gate, before routing: preflights (CORS), 429 and errors of API keys.
import { keySource } from "../../api/Terms.ts"
import type { Quota } from "../../access/RateLimiter.ts"
import { invalid, type ProblemDetails } from "../response/Problem.ts"
import type { ParsedPath } from "../request/ParsedPath.ts"
import { dialectKeyHeaders, READ_ONLY } from "../request/Routes.ts"
import type * as Identity from "./Identity.ts"

export const rateLimited = ({ limit, retryAfter }: Quota, contact: string | null): ProblemDetails => ({
  code: "rate_limited",
  detail: `All ${limit} requests of this minute are used. Ask again in ${retryAfter} s. ${keySource(contact)}`,
  headers: { "retry-after": String(retryAfter) }
})

const reasons = {
  malformed: "is not an API key. Check it for typing errors.",
  unknown: "is unknown.",
  revoked: "has been revoked.",
  expired: "has expired."
}

const API_KEY = 'ApiKey realm="crypto-data-api", header="x-api-key"'
const BEARER = 'Bearer realm="crypto-data-api"'

const unverified: ProblemDetails = {
  code: "source_unavailable",
  detail: "API keys cannot be checked now. Ask again in 5 s.",
  headers: { "retry-after": "5" }
}

/** 401, 400 for two keys, or 503 while the key cannot be checked. */
export const badKey = (refusal: Identity.KeyRefusal, contact: string | null): ProblemDetails => {
  if (refusal._tag === "Unavailable") return unverified
  if (refusal._tag === "Missing") {
    return {
      code: "invalid_api_key",
      detail: `This service requires an API key. Send it in the header x-api-key. ${keySource(contact)}`,
      headers: { "www-authenticate": API_KEY }
    }
  }
  if (refusal._tag === "Ambiguous") {
    return invalid([
      { parameter: "x-api-key", detail: "has several keys, or another header has another one: send one key" }
    ])
  }
  return {
    code: "invalid_api_key",
    detail: `The key in ${refusal.header} ${reasons[refusal.reason]} ${keySource(contact)}`,
    headers: { "www-authenticate": refusal.header === "Authorization" ? BEARER : API_KEY }
  }
}

/** 400 for a request that a proxy may have read in another way. */
export const ambiguous: ProblemDetails = {
  code: "malformed_request",
  detail:
    "The request has several hosts, different values of Authorization, or a Transfer-Encoding in HTTP/1.0. Send each once."
}

/**
 * Request headers that scripts of any origin may send. `*` allows all but `authorization`; the others are listed for browsers that do
 * not support it.
 */
const requestHeaders = [
  "authorization",
  "x-api-key",
  ...dialectKeyHeaders,
  "if-none-match",
  "accept",
  "content-type",
  "cache-control",
  "x-requested-with",
  "traceparent",
  "mcp-protocol-version",
  "mcp-session-id",
  "mcp-method",
  "mcp-name",
  "*"
].join(", ")

/** The headers of a 204 to a preflight (CORS). */
export const preflight = (parsed: ParsedPath) => {
  const allow = parsed.route?.allow ?? READ_ONLY
  return {
    allow,
    "access-control-allow-methods": allow,
    "access-control-allow-headers": requestHeaders,
    "access-control-max-age": "86400"
  }
}
