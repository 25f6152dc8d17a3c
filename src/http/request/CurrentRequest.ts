// The current request's data for handlers, problems and the log.
import { Context } from "effect"
import type { PlanName } from "../../access/Plan.ts"
import { type Dialect, ownDialect } from "../../api/Dialect.ts"

export interface RequestContext {
  /** In `X-Request-Id`, in a problem's `instance`, in the log and in spans. */
  readonly id: string
  readonly dialect: Dialect
  /** The prefix of addresses in its response: the path of `PUBLIC_URL`. */
  readonly base: string
  /** The caller's plan; `undefined` for a request that has not passed the gate. */
  readonly plan: PlanName | undefined
}

/** The default is for work outside of a request. */
export const CurrentRequest = Context.Reference<RequestContext>("crypto-data-api/http/request/CurrentRequest", {
  defaultValue: () => ({ id: "in-process", dialect: ownDialect, base: "", plan: undefined })
})
