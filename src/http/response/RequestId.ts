// The id of a request: in `X-Request-Id`, in a problem's `instance`, in the log and in spans. It is a property of the
// request object, because a context of its own would cost every request an allocation.
import { Context, Tracer } from "effect"
import type { HttpServerRequest } from "effect/http"

const key: unique symbol = Symbol.for("crypto-data-api/http/response/RequestId")

interface Marked {
  [key]?: string
}

export const mark = (request: HttpServerRequest.HttpServerRequest & Marked, id: string): void => {
  request[key] = id
}

/** The request's id; `undefined` for a request that passed neither the gate nor `InProcess.ask`. */
export const of = (request: HttpServerRequest.HttpServerRequest & Marked): string | undefined => request[key]

/** Sets an attribute of the request's span, if requests are traced. */
export const annotate = (context: Context.Context<never>, name: "request.id" | "http.route", value: string): void => {
  const span = Context.getOrUndefined(context, Tracer.ParentSpan)
  if (span?._tag === "Span") span.attribute(name, value)
}
