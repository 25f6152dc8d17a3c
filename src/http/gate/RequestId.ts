// The id of a request, for whoever has the request: it is in `X-Request-Id`, in a problem's `instance`, in the log and in spans.
// It is written on the request itself, which costs next to nothing; a context of its own would cost every request its making.
import { Context, Tracer } from "effect"
import type { HttpServerRequest } from "effect/http"

const key: unique symbol = Symbol.for("crypto-data-api/http/gate/RequestId")

interface Marked {
  [key]?: string
}

/** Writes the id on the request. */
export const mark = (request: HttpServerRequest.HttpServerRequest & Marked, id: string): void => {
  request[key] = id
}

/** The id that was written on the request. */
export const of = (request: HttpServerRequest.HttpServerRequest & Marked): string | undefined => request[key]

/** Writes on the span that the request has where requests are traced. */
export const annotate = (context: Context.Context<never>, name: "request.id" | "http.route", value: string): void => {
  const span = Context.getOrUndefined(context, Tracer.ParentSpan)
  if (span?._tag === "Span") span.attribute(name, value)
}
