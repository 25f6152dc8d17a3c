// Refusals that come before routing.
import { keySource } from "../../api/Terms.ts"
import type { Quota } from "../../access/RateLimiter.ts"
import type { Refusal } from "../response/Problem.ts"
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
