// A log line for each request, off by default. Queries are omitted and keys are redacted, because callers put keys into
// URLs by mistake.
import { Context, Effect } from "effect"
import { withoutKeys } from "../../access/ApiKey.ts"
import type { CountedRequest } from "../response/CountedRequest.ts"

/** Whether requests are logged: the setting `LOG_REQUESTS`. */
export const LogsRequests = Context.Reference<boolean>("crypto-data-api/http/gate/LogsRequests", {
  defaultValue: () => false
})

/** Characters to which a path is cut. */
const LONGEST = 200

/** Logs one line for a request. `seconds`: the time to its response. */
export const write = (
  { method, parsed, plan }: CountedRequest,
  quotaKey: string,
  route: string,
  status: number,
  seconds: number
): Effect.Effect<void> => {
  const path = withoutKeys(parsed.path.slice(0, LONGEST))
  return Effect.logInfo(`${method} ${path} ${status}`).pipe(
    Effect.annotateLogs({
      method,
      path,
      route,
      status,
      milliseconds: Math.round(seconds * 1e6) / 1e3,
      plan,
      // For a key, only the first 12 characters of its hash.
      caller: quotaKey.slice(0, 44).replace(/^(key:.{12}).*$/, "$1")
    })
  )
}
