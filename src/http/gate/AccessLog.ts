// A log line for each request, off by default. Queries are left out and keys are redacted, because callers put keys into
// URLs by mistake.
import { Context, Effect } from "effect"
import type { HttpServerRequest, HttpServerResponse } from "effect/http"
import type { Identity } from "./Identity.ts"

/** Whether requests are logged: the setting `LOG_REQUESTS`. */
export const LogsRequests = Context.Reference<boolean>("crypto-data-api/http/gate/LogsRequests", {
  defaultValue: () => false
})

/** Characters after which a path is cut. */
const LONGEST = 200

export const withoutKeys = (text: string): string => text.replace(/cda_[0-9A-Za-z]{8,}/g, "cda_<redacted>")

export interface Entry {
  readonly request: HttpServerRequest.HttpServerRequest
  readonly response: HttpServerResponse.HttpServerResponse
  readonly identity: Identity
  readonly route: string
  readonly seconds: number
}

export const write = ({ identity, request, response, route, seconds }: Entry): Effect.Effect<void> => {
  const path = withoutKeys((/^[^?#]*/.exec(request.url)?.[0] ?? "").slice(0, LONGEST))
  return Effect.logInfo(`${request.method} ${path} ${response.status}`).pipe(
    Effect.annotateLogs({
      method: request.method,
      path,
      route,
      status: response.status,
      milliseconds: Math.round(seconds * 1e6) / 1e3,
      plan: identity.plan.name,
      // Of a key only the beginning of its hash.
      caller: identity.quotaKey.slice(0, 44).replace(/^(key:.{12}).*$/, "$1")
    })
  )
}
