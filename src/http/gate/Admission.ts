// A request that the gate has counted and left to the router. A listener that asks the gate first gives it to the router's middleware
// in the context; elsewhere the middleware asks the gate.
import { Context } from "effect"
import type { Tracer } from "effect"
import type { CountedRequest } from "../response/CountedRequest.ts"

/** A counted request without an answer yet. */
export interface Admission {
  readonly request: CountedRequest
  /** The span of the request, where requests are traced. */
  readonly span: Tracer.Span | undefined
  /** Records the status of the response, once, with the pattern of its route. */
  readonly record: (status: number, route: string) => void
}

/** The request that a listener has admitted; `undefined` where none did. */
export const Admitted = Context.Reference<Admission | undefined>("crypto-data-api/http/gate/Admitted", {
  defaultValue: () => undefined
})
