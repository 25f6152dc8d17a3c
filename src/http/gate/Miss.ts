// A request that the gate has counted and left to the router. A listener that asks the gate first gives it to the router's middleware
// in the context; elsewhere the middleware asks the gate.
import { Context } from "effect"
import type { Tracer } from "effect"
import type { Passage } from "../response/Passage.ts"

/** A counted request without an answer yet. */
export interface Miss {
  readonly passage: Passage
  /** The span of the request, where requests are traced. */
  readonly span: Tracer.Span | undefined
  /** Records the status of the response, once, with the pattern of its route. */
  readonly sent: (status: number, route: string) => void
}

/** The request that a listener has admitted; `undefined` where none did. */
export const Admitted = Context.Reference<Miss | undefined>("crypto-data-api/http/gate/Admitted", {
  defaultValue: () => undefined
})
