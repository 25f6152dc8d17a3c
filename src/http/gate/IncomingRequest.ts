// A request as a platform receives it.
import type { Tracer } from "effect"
import type { RequestHeaders } from "../response/CountedRequest.ts"

export interface IncomingRequest {
  readonly method: string
  readonly headers: RequestHeaders
  /** The IP address that the connection comes from. */
  readonly peer: string | undefined
  /** The request target, unparsed. */
  readonly target: string
  /** Whether a proxy may have read its head as another request. It is refused. */
  readonly isAmbiguous?: boolean
  /** The platform's own span, if the platform traces requests. */
  readonly span?: Tracer.Span | undefined
}
