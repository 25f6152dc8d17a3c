// What the gate answers by itself: preflights, and requests that are turned away before any route is looked for.
import { HttpServerResponse } from "effect/http"
import type { Quota } from "../../access/RateLimiter.ts"
import type { Identity } from "./Identity.ts"
import * as Paths from "../Paths.ts"
import * as ProblemBody from "../response/ProblemBody.ts"

/** What pages may send along: with any request, and with the messages of agents. */
const sent = "x-api-key, if-none-match"
const sentByAgents = `${sent}, content-type, accept, mcp-protocol-version, mcp-session-id, mcp-method, mcp-name`

/** 204 to a preflight. */
export const preflight = (url: string) =>
  HttpServerResponse.empty({
    status: 204,
    headers: {
      allow: Paths.allowed(url),
      "access-control-allow-methods": Paths.allowed(url),
      "access-control-allow-headers": Paths.isMcp(url) ? sentByAgents : sent,
      "access-control-max-age": "86400"
    }
  })

/** 429. */
export const tooMany = ({ limit, retryAfter }: Quota, id: string) =>
  ProblemBody.problem(
    "rate_limited",
    `All ${limit} requests of this minute are used up. Ask again in ${retryAfter} s.`,
    id,
    { "retry-after": String(retryAfter) }
  )

const reasons = {
  malformed: "The key in x-api-key is not an API key: check it for typing errors.",
  unknown: "The key in x-api-key is not known here.",
  revoked: "The key in x-api-key has been revoked.",
  expired: "The key in x-api-key has expired."
}

/** 401, or 503 where the key could not be checked. */
export const badKey = (refusal: NonNullable<Identity["refusal"]>, id: string) =>
  refusal._tag === "Unavailable"
    ? ProblemBody.problem("source_unavailable", "API keys cannot be checked now. Ask again in 5 s.", id, {
        "retry-after": "5"
      })
    : ProblemBody.problem("invalid_api_key", reasons[refusal.reason], id, {
        "www-authenticate": 'ApiKey realm="crypto-data-api", header="x-api-key"'
      })
