// A request after rate limiting: where it goes, its caller, and the rest of the quota.
import type { PlanName } from "../../access/Plan.ts"
import type { Quota } from "../../access/RateLimiter.ts"
import type { ParsedPath } from "../request/ParsedPath.ts"

/** Headers of a request by name in lower case. Node joins repeated ones, except a few that are not read here. */
export type RequestHeaders = Readonly<Record<string, string | ReadonlyArray<string> | undefined>>

export const headerText = (value: RequestHeaders[string]): string | undefined =>
  typeof value === "object" ? value.join(", ") : value

export interface CountedRequest {
  /** In `X-Request-Id`. */
  readonly id: string
  readonly method: string
  readonly headers: RequestHeaders
  readonly parsed: ParsedPath
  /** Its query, not read yet. */
  readonly query: string
  readonly plan: PlanName
  /** Whether its response is private: it came with an API key, valid or not, or without one where a key is required. */
  readonly isPrivate: boolean
  readonly quota: Quota
}

export const isRead = ({ method }: CountedRequest): boolean => method === "GET" || method === "HEAD"
