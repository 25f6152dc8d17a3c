// The three rate limit headers of every response.
import type { Quota } from "../../access/RateLimiter.ts"

/** `X-RateLimit-Limit`, `X-RateLimit-Remaining` and `X-RateLimit-Reset` (UTC epoch seconds). */
export const rateHeaders = ({ limit, remaining, reset }: Quota) => ({
  "x-ratelimit-limit": String(limit),
  "x-ratelimit-remaining": String(Math.max(0, remaining)),
  "x-ratelimit-reset": String(reset)
})
