// Responses of the gate itself: preflights, and refusals that come before routing.
import { HttpServerResponse } from "effect/http"
import { keySource } from "../../api/Terms.ts"
import type { Quota } from "../../access/RateLimiter.ts"
import { KEY_HEADERS } from "../compat/CoinGeckoKeys.ts"
import type { Identity } from "./Identity.ts"
import * as Paths from "../Paths.ts"
import * as PreparedProblem from "../response/PreparedProblem.ts"
import { invalid, problem, type Refusal } from "../response/ProblemBody.ts"

const requestHeaders = "x-api-key, if-none-match"
const mcpHeaders = `${requestHeaders}, content-type, accept, mcp-protocol-version, mcp-session-id, mcp-method, mcp-name`

/** Libraries made for CoinGecko send headers of their own in browsers; without credentials `*` allows them. */
const compatHeaders = `${requestHeaders}, ${KEY_HEADERS}, *`

const allowedHeaders = (url: string): string =>
  Paths.isMcp(url) ? mcpHeaders : Paths.isCoinGecko(url) ? compatHeaders : requestHeaders

/** 204 to a preflight. */
export const preflight = (url: string) =>
  HttpServerResponse.empty({
    status: 204,
    headers: {
      allow: Paths.allowed(url),
      "access-control-allow-methods": Paths.allowed(url),
      "access-control-allow-headers": allowedHeaders(url),
      "access-control-max-age": "86400"
    }
  })

const excess = (limit: number, retryAfter: number, contact: string | null): Refusal => ({
  code: "rate_limited",
  detail: `All ${limit} requests of this minute are used. Ask again in ${retryAfter} s. ${keySource(contact)}`,
  headers: { "retry-after": String(retryAfter) }
})

/** 429. */
export const tooMany = ({ limit, retryAfter }: Quota, id: string, contact: string | null) =>
  problem(excess(limit, retryAfter, contact), id)

/** 429 without the id: there are as many as limits times seconds of a minute, and each is prepared once. */
export const tooManyPrepared = (contact: string | null): ((quota: Quota) => PreparedProblem.PreparedProblem) => {
  const prepared = new Map<number, PreparedProblem.PreparedProblem>()
  return ({ limit, retryAfter }) => {
    // A window has 60 seconds, so a wait is less than 1000.
    const key = limit * 1000 + retryAfter
    const held = prepared.get(key)
    if (held !== undefined) return held
    const made = PreparedProblem.make(excess(limit, retryAfter, contact))
    prepared.set(key, made)
    return made
  }
}

/** 400 for a path that is not percent-encoded UTF-8. */
export const undecodable = (id: string) =>
  problem(invalid([{ parameter: "path", detail: "must be percent-encoded UTF-8" }]), id)

const reasons = {
  malformed: "The key in x-api-key is not an API key: check it for typing errors.",
  unknown: "The key in x-api-key is unknown.",
  revoked: "The key in x-api-key has been revoked.",
  expired: "The key in x-api-key has expired."
}

/** 401, or 503 while the key cannot be checked. */
export const badKey = (refusal: NonNullable<Identity["refusal"]>, id: string, contact: string | null) =>
  problem(refusal._tag === "Unavailable" ? unverified : invalidKey(refusal.reason, contact), id)

const unverified: Refusal = {
  code: "source_unavailable",
  detail: "API keys cannot be checked now. Ask again in 5 s.",
  headers: { "retry-after": "5" }
}

const invalidKey = (reason: keyof typeof reasons, contact: string | null): Refusal => ({
  code: "invalid_api_key",
  detail: `${reasons[reason]} ${keySource(contact)}`,
  headers: { "www-authenticate": 'ApiKey realm="crypto-data-api", header="x-api-key"' }
})
