// The three rate limit headers of every response.
import type { Quota } from "../../access/RateLimiter.ts"

const LIMIT = "x-ratelimit-limit"
const REMAINING = "x-ratelimit-remaining"
const RESET = "x-ratelimit-reset"

const left = ({ remaining }: Quota): string => String(Math.max(0, remaining))

/** `X-RateLimit-Limit`, `X-RateLimit-Remaining` and `X-RateLimit-Reset` (UTC epoch seconds). */
export const rateHeaders = (quota: Quota) => ({
  [LIMIT]: String(quota.limit),
  [REMAINING]: left(quota),
  [RESET]: String(quota.reset)
})

/** The same as a list of names and values in turn. */
export const rateList = (quota: Quota): ReadonlyArray<string> => [
  LIMIT,
  String(quota.limit),
  REMAINING,
  left(quota),
  RESET,
  String(quota.reset)
]
