// The span of a request, with the attributes that OpenTelemetry names for HTTP servers. The gate begins and ends it, for responses
// from the cache and for routed requests alike. A platform that traces requests itself passes its own span, which is only annotated.
import { type Clock, Context, Effect, Exit, Option, Tracer } from "effect"
import { Headers, HttpTraceContext, UrlParams } from "effect/http"
import { headerText } from "../response/CountedRequest.ts"
import type { ParsedPath } from "../request/ParsedPath.ts"
import { otherPaths } from "../request/Paths.ts"
import type { IncomingRequest } from "./IncomingRequest.ts"

export interface RequestSpan {
  readonly span: Tracer.Span
  /** Ends the span with the status of the response. `route`: the pattern, if the gate itself responded. */
  readonly end: (status: number, route: string | undefined) => void
}

/** The most characters of an attribute: spans wait in memory until they are exported. */
const LONGEST = 500

/** Endpoints for monitors, which are not traced. */
const untraced: ReadonlySet<string> = new Set([otherPaths.alive, otherPaths.ready, otherPaths.metrics])

/** Returns the function that begins a request's span; it returns `undefined` for untraced requests. */
export const make = Effect.fnUntraced(function* (clock: Clock.Clock) {
  const tracer = yield* Tracer.Tracer
  const redacted = Context.get(yield* Effect.context<never>(), UrlParams.CurrentRedactedNames)
  const isTraced = tracer !== Tracer.nativeTracer

  /** The caller's span, from `traceparent` or the B3 headers. */
  const parentOf = (headers: IncomingRequest["headers"]) =>
    HttpTraceContext.fromHeaders(
      Headers.fromInput(
        Object.entries(headers).map(([name, value]): [string, string] => [name, headerText(value) ?? ""])
      )
    )

  return (incoming: IncomingRequest, { route }: ParsedPath, id: string): RequestSpan | undefined => {
    if (!isTraced || (route !== undefined && untraced.has(route.pattern))) return undefined
    const { headers, method, peer, target } = incoming
    const parent = parentOf(headers)
    const span =
      incoming.span ??
      tracer.span({
        name: `${method} ${route?.pattern ?? "other"}`,
        parent,
        annotations: Context.empty(),
        links: [],
        startTime: clock.currentTimeNanosUnsafe(),
        kind: "server",
        root: false,
        sampled: Option.match(parent, { onNone: () => true, onSome: ({ sampled }) => sampled })
      })
    span.attribute("request.id", id)
    if (incoming.span === undefined) {
      const [path = "", query] = UrlParams.redactUrl(target, redacted).split(/\?(.*)/s)
      const agent = headerText(headers["user-agent"])
      span.attribute("http.request.method", method)
      span.attribute("url.path", path.slice(0, LONGEST))
      if (query !== undefined) span.attribute("url.query", query.slice(0, LONGEST))
      if (agent !== undefined) span.attribute("user_agent.original", agent.slice(0, LONGEST))
      if (peer !== undefined) span.attribute("client.address", peer)
    }
    return {
      span,
      end: (status, answeredBy) => {
        if (answeredBy !== undefined) span.attribute("http.route", answeredBy)
        if (incoming.span !== undefined) return
        span.attribute("http.response.status_code", status)
        // Only a 5xx is an error of a server span.
        span.end(clock.currentTimeNanosUnsafe(), status < 500 ? Exit.void : Exit.fail(`The response is a ${status}`))
      }
    }
  }
})
