// A cache miss on its way from the gate to the router. `node/Listener` calls the gate first and puts the admission into the context for
// `GateMiddleware`; on other platforms that middleware calls the gate.
import { Context } from "effect"
import type { Tracer } from "effect"
import type { CountedRequest } from "../response/CountedRequest.ts"

export interface Admission {
  readonly request: CountedRequest
  /** The span of the request, if it is traced. */
  readonly span: Tracer.Span | undefined
  /** Records the status of the response, once, with the pattern of its route. */
  readonly record: (status: number, route: string) => void
}

/** The request that a listener has admitted; `undefined` if none did. */
export const Admitted = Context.Reference<Admission | undefined>("crypto-data-api/http/gate/Admitted", {
  defaultValue: () => undefined
})
