// What the gate answers by itself, before routing: preflights (CORS), 429, and 401 or 503 for a key.
import { keySource } from "../../api/Terms.ts"
import type { Quota } from "../../access/RateLimiter.ts"
import type { Refusal } from "../response/Problem.ts"
import type { Asked } from "../target/Asked.ts"
import { MCP } from "../target/Paths.ts"
import { READ_ONLY } from "../target/Routes.ts"
import type { Identity } from "./Identity.ts"

/** 429. */
export const rateLimited = ({ limit, retryAfter }: Quota, contact: string | null): Refusal => ({
  code: "rate_limited",
  detail: `All ${limit} requests of this minute are used. Ask again in ${retryAfter} s. ${keySource(contact)}`,
  headers: { "retry-after": String(retryAfter) }
})

const reasons = {
  malformed: "The key in x-api-key is not an API key: check it for typing errors.",
  unknown: "The key in x-api-key is unknown.",
  revoked: "The key in x-api-key has been revoked.",
  expired: "The key in x-api-key has expired."
}

const unverified: Refusal = {
  code: "source_unavailable",
  detail: "API keys cannot be checked now. Ask again in 5 s.",
  headers: { "retry-after": "5" }
}

/** 401, or 503 while the key cannot be checked. */
export const badKey = (refusal: NonNullable<Identity["refusal"]>, contact: string | null): Refusal =>
  refusal._tag === "Unavailable"
    ? unverified
    : {
        code: "invalid_api_key",
        detail: `${reasons[refusal.reason]} ${keySource(contact)}`,
        headers: { "www-authenticate": 'ApiKey realm="crypto-data-api", header="x-api-key"' }
      }

const requestHeaders = "x-api-key, if-none-match"
const mcpHeaders = `${requestHeaders}, content-type, accept, mcp-protocol-version, mcp-session-id, mcp-method, mcp-name`

/** Libraries made for other APIs send headers of their own in browsers; without credentials `*` allows them. */
const headersFor = ({ dialect: { keyHeaders }, route }: Asked): string => {
  if (route?.pattern === MCP) return mcpHeaders
  return keyHeaders.length === 0 ? requestHeaders : `${requestHeaders}, ${keyHeaders.join(", ")}, *`
}

/** The headers of a 204 to a preflight (CORS). */
export const preflight = (asked: Asked) => {
  const allow = asked.route?.allow ?? READ_ONLY
  return {
    allow,
    "access-control-allow-methods": allow,
    "access-control-allow-headers": headersFor(asked),
    "access-control-max-age": "86400"
  }
}
