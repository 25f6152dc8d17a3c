// A cache miss on its way from the gate to the router.
import type { Tracer } from "effect"
import type { Question } from "../request/Question.ts"
import type { CountedRequest } from "../response/CountedRequest.ts"

export interface CacheMiss {
  readonly request: CountedRequest
  /** What it asks for; `undefined` for a host's own path. */
  readonly question: Question | undefined
  /** The span of the request, if it is traced. */
  readonly span: Tracer.Span | undefined
  /** Records the status of the response, once, with the pattern of its route. */
  readonly record: (status: number, route: string) => void
}

/**
 * The misses of the listener and of tools, by the platform's own request (`source`): these passed the gate before the router.
 * `GateMiddleware` calls the gate for every other request.
 */
export const misses = new WeakMap<object, CacheMiss>()
