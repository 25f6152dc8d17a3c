// A problem document that is sent again and again, to a flood or for a repeated mistake: all but the request's id and the
// caller's quota is written once. It is the same to the byte as what `ProblemBody` and `finalizeResponse` make.
import { HttpBody } from "effect/http"
import type { Quota } from "../../access/RateLimiter.ts"
import { explanations } from "../../api/Problems.ts"
import * as CacheControl from "./CacheControl.ts"
import { commonHeaders } from "./CommonHeaders.ts"
import { PROBLEM, type Refusal, textOf } from "./ProblemBody.ts"
import { addRateHeaders } from "./RateHeaders.ts"

/** A problem of which the id and the quota are missing. */
export interface PreparedProblem {
  readonly status: number
  /** The document for a request of this id. */
  readonly content: (id: string) => string
  /** Its headers: names and values in turn. */
  readonly headers: (id: string, quota: Quota) => Array<string>
}

/** Prepares a problem for ids that JSON need not escape, of ASCII characters. */
export const make = ({ code, detail, headers, members }: Refusal): PreparedProblem => {
  const withoutId = textOf(code, detail, "", members)
  const { contentLength } = HttpBody.text(withoutId, PROBLEM)
  // The instance is the last member: `"instance":""}`.
  const start = withoutId.slice(0, -2)
  const fixed = Object.entries({ ...headers, ...commonHeaders, "cache-control": CacheControl.NO_STORE }).flat()
  return {
    status: explanations[code].status,
    content: (id) => `${start}${id}"}`,
    headers: (id, quota) => {
      const length = String(contentLength + id.length)
      const list = ["content-type", PROBLEM, "content-length", length, ...fixed]
      addRateHeaders(list, quota)
      list.push("x-request-id", id)
      return list
    }
  }
}
