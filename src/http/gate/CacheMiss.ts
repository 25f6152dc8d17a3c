// A cache miss on its way from the gate to the router. `node/Listener` calls the gate first and puts the miss into the context for
// `GateMiddleware`; on other platforms that middleware calls the gate.
import { Context } from "effect"
import type { Tracer } from "effect"
import type { CountedRequest } from "../response/CountedRequest.ts"

export interface CacheMiss {
  readonly request: CountedRequest
  /** The span of the request, if it is traced. */
  readonly span: Tracer.Span | undefined
  /** Records the status of the response, once, with the pattern of its route. */
  readonly record: (status: number, route: string) => void
}

/** The miss of the current request; `undefined` if no listener has called the gate. */
export const CurrentMiss = Context.Reference<CacheMiss | undefined>("crypto-data-api/http/gate/CurrentMiss", {
  defaultValue: () => undefined
})
