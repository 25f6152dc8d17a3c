// A request after rate limiting: what was asked for, by whom, and what is left of the quota.
import type { PlanName } from "../../access/Plan.ts"
import type { Quota } from "../../access/RateLimiter.ts"
import type { ParsedRequest } from "../target/ParsedRequest.ts"
import { varyOf } from "../target/Routes.ts"

/** Headers of a request by name in lower case. Node joins repeated ones, except a few that are not read here. */
export type RequestHeaders = Readonly<Record<string, string | ReadonlyArray<string> | undefined>>

/** The value of a header. */
export const headerText = (value: RequestHeaders[string]): string | undefined =>
  typeof value === "object" ? value.join(", ") : value

export interface CountedRequest {
  /** In `X-Request-Id`. */
  readonly id: string
  readonly method: string
  /** Whether the method is GET or HEAD. */
  readonly isRead: boolean
  readonly headers: RequestHeaders
  readonly parsed: ParsedRequest
  readonly plan: PlanName
  /** Whether it came with an API key, valid or not. */
  readonly hasKey: boolean
  readonly quota: Quota
  /** The pattern of its route, for metrics and the log. */
  readonly route: string
  /** What the response varies by, as in `Vary`. */
  readonly vary: string
  /** What addresses in the response begin with. */
  readonly base: string
}

export const countedRequest = (counted: Omit<CountedRequest, "isRead" | "route" | "vary" | "base">): CountedRequest => {
  const { parsed, method } = counted
  const { base, dialect, route } = parsed
  const isRead = method === "GET" || method === "HEAD"
  return { ...counted, isRead, route: route?.pattern ?? "other", vary: route?.vary ?? varyOf(dialect), base }
}
