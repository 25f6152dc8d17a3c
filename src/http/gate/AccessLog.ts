// A line in the log for each request, for operators who want that: it is off unless asked for. The query is not in it, and no
// key: whoever puts one into an address is told off, and is not to find it in somebody's log.
import { Context, Effect } from "effect"
import type { HttpServerRequest, HttpServerResponse } from "effect/http"
import type { Identity } from "./Identity.ts"

/** Whether requests are logged. */
export const LogsRequests = Context.Reference<boolean>("crypto-data-api/http/gate/LogsRequests", {
  defaultValue: () => false
})

/** Longer paths are cut: nothing here has one. */
const LONGEST = 200

/** The text with what could be an API key made unreadable. */
export const withoutKeys = (text: string): string => text.replace(/cda_[0-9A-Za-z]{8,}/g, "cda_<redacted>")

/** One request, answered. */
export interface Exchange {
  readonly request: HttpServerRequest.HttpServerRequest
  readonly response: HttpServerResponse.HttpServerResponse
  readonly identity: Identity
  readonly route: string
  readonly seconds: number
}

/** Writes the line. */
export const write = ({ identity, request, response, route, seconds }: Exchange): Effect.Effect<void> => {
  const path = withoutKeys((/^[^?#]*/.exec(request.url)?.[0] ?? "").slice(0, LONGEST))
  return Effect.logInfo(`${request.method} ${path} ${response.status}`).pipe(
    Effect.annotateLogs({
      method: request.method,
      path,
      route,
      status: response.status,
      milliseconds: Math.round(seconds * 1e6) / 1e3,
      plan: identity.plan.name,
      // Of a key, the beginning of its hash: enough to tell callers apart, of no use to anybody else.
      caller: identity.quotaKey.slice(0, 44).replace(/^(key:.{12}).*$/, "$1")
    })
  )
}
