// A request after rate limiting: its target, its caller, and the rest of the quota.
import type { PlanName } from "../../access/Plan.ts"
import type { Quota } from "../../access/RateLimiter.ts"
import type { ParsedRequest } from "../request/ParsedRequest.ts"
import { varyOf } from "../request/Routes.ts"

/** Headers of a request by name in lower case. Node joins repeated ones, except a few that are not read here. */
export type RequestHeaders = Readonly<Record<string, string | ReadonlyArray<string> | undefined>>

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
  /** Whether its response is private: it came with an API key, valid or not, or without one where a key is required. */
  readonly hasKey: boolean
  readonly quota: Quota
  /** The pattern of its route, for metrics and the log. */
  readonly route: string
  /** The response's `Vary`. */
  readonly vary: string
  /** The prefix of addresses in the response: the path of `PUBLIC_URL`. */
  readonly base: string
}

export const countedRequest = (counted: Omit<CountedRequest, "isRead" | "route" | "vary" | "base">): CountedRequest => {
  const { parsed, method } = counted
  const { base, dialect, route } = parsed
  const isRead = method === "GET" || method === "HEAD"
  return { ...counted, isRead, route: route?.pattern ?? "other", vary: route?.vary ?? varyOf(dialect), base }
}
