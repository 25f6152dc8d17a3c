// The three headers that say where a caller stands, on every response of every kind.
import type { Quota } from "../../access/RateLimiter.ts"

/** `X-RateLimit-Limit`, `-Remaining`, and `-Reset` in UTC epoch seconds. */
export const rateHeaders = ({ limit, remaining, reset }: Quota) => ({
  "x-ratelimit-limit": String(limit),
  "x-ratelimit-remaining": String(Math.max(0, remaining)),
  "x-ratelimit-reset": String(reset)
})
