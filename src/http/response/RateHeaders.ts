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

/** Adds the same to a list of names and values in turn. */
export const addRateHeaders = (list: Array<string>, quota: Quota): void => {
  list.push(LIMIT, String(quota.limit), REMAINING, left(quota), RESET, String(quota.reset))
}
