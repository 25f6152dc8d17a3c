// The request at hand, as far as handlers, problems and the log need it.
import { Context } from "effect"
import type { PlanName } from "../../access/Plan.ts"
import { type Dialect, own } from "../../api/Dialect.ts"

export interface RequestContext {
  /** In `X-Request-Id`, in a problem's `instance`, in the log and in spans. */
  readonly id: string
  readonly dialect: Dialect
  /** What the addresses in its response begin with: the path of `PUBLIC_URL`. */
  readonly base: string
  /** The caller's plan; none for a request that has not passed the gate. */
  readonly plan: PlanName | undefined
  /** What is wrong with its parameters whatever the endpoint, by name. */
  readonly faults: ReadonlyMap<string, string> | undefined
}

/** Default: work of this process that answers no request. */
export const CurrentRequest = Context.Reference<RequestContext>("crypto-data-api/http/target/CurrentRequest", {
  defaultValue: () => ({ id: "in-process", dialect: own, base: "", plan: undefined, faults: undefined })
})
