// A request that the gate has counted and left to the router. A listener that asks the gate first notes it on the request of its
// platform, where the router's middleware finds it.
import type { Outgoing } from "../response/Outgoing.ts"
import type { Passage } from "../response/Passage.ts"

/** A counted request without an answer yet. */
export interface Miss {
  readonly passage: Passage
  /** Records the status of the response, once, with the pattern of its route. */
  readonly sent: (status: number, route: string) => void
  /** Sends a response as the gate's own are sent. */
  readonly answered: (outgoing: Outgoing, passage: Passage) => void
}

/** A property of the request and no entry of a `WeakMap`: what an old map holds outlives every collection of young objects. */
const NOTED = Symbol("crypto-data-api/http/gate/Miss")

export const note = (request: object, miss: Miss): void => void Object.assign(request, { [NOTED]: miss })

/** What was noted on the request. */
export const missOf = (request: { readonly [NOTED]?: Miss }): Miss | undefined => request[NOTED]
