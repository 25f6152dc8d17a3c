// Faults of an upstream, and the bytes that it sends under them. A connection is broken off by a response stream that fails:
// the server then destroys the connection, before or after the first byte.
import { Clock, Deferred, Effect, Stream } from "effect"
import { HttpServerResponse } from "effect/http"
import type { WireReply } from "./Wire.ts"
import { isFigure, withWrongFigures, type WrongKind } from "./WrongFigures.ts"

/** A fault. It lasts until it is lifted. */
export type Fault =
  /** Closes the connection without an answer. */
  | { readonly fault: "refuse" }
  /** Never answers. */
  | { readonly fault: "hang" }
  /** 200, and then a byte a second. */
  | { readonly fault: "drip" }
  /** 200 with a block page in HTML. */
  | { readonly fault: "html" }
  /** Breaks off in the middle of the body. */
  | { readonly fault: "truncated" }
  /** 200 with a body that is not JSON. */
  | { readonly fault: "malformed" }
  /** 200 with JSON of other types than documented. */
  | { readonly fault: "wrong_types" }
  /** Bids and asks swapped. */
  | { readonly fault: "inverted" }
  /** 200 with the documented shape and nothing in it. */
  | { readonly fault: "empty" }
  /** Answers correctly, but late. */
  | { readonly fault: "slow"; readonly seconds: number }
  /** 429, with `Retry-After` in seconds or without. */
  | { readonly fault: "rate_limited"; readonly retryAfter?: number }
  /** Default status 503. */
  | { readonly fault: "server_error"; readonly status?: 500 | 502 }
  /** A body of `bytes` that is valid JSON. */
  | { readonly fault: "oversize"; readonly bytes: number }
  /** Answers as it would have answered some hours ago. */
  | { readonly fault: "stale"; readonly hours: number }
  /** 200 with figures that cannot be true, in the first row or in all. */
  | { readonly fault: "figures"; readonly kind: WrongKind; readonly rows: "one" | "all" }

/** Members whose text looks like a number but is a status code or a time. */
const envelope: ReadonlySet<string> = new Set(["code", "time_now"])

const DAY = /^\d{4}-\d{2}-\d{2}/

/** The documented shape with nothing in it: no rows, no quotes, blank numbers; `dataList` is null, as Bitget has it. */
export const emptied = (body: unknown): unknown => {
  if (Array.isArray(body)) return []
  if (typeof body === "string") return body.replaceAll(/<(item|entry)>.*<\/\1>\n?/g, "")
  if (typeof body !== "object" || body === null) return body
  const entries = Object.entries(body)
  const isAllFigures = entries.every(([, value]) => isFigure(value) || (typeof value === "string" && DAY.test(value)))
  if (entries.length > 0 && isAllFigures) return {}
  return Object.fromEntries(
    entries.map(([key, value]: [string, unknown]): [string, unknown] => {
      if (envelope.has(key)) return [key, value]
      if (key === "dataList") return [key, null]
      if (key === "count") return [key, 0]
      return [key, typeof value === "string" && isFigure(value) ? "" : emptied(value)]
    })
  )
}

/** Lists as objects, numbers as objects, decimal strings as lists. */
export const mistyped = (body: unknown): unknown => {
  if (Array.isArray(body)) return Object.fromEntries(body.slice(0, 20).map((item, index) => [index, mistyped(item)]))
  if (typeof body === "number") return { amount: body }
  if (typeof body === "string") return isFigure(body) ? [body] : body
  if (typeof body !== "object" || body === null) return body
  return Object.fromEntries(Object.entries(body).map(([key, value]) => [key, mistyped(value)]))
}

/** A body as text, and its type: JSON, or text if the body is a string. */
const written = ({ body, contentType }: WireReply): { readonly text: string; readonly contentType: string } =>
  typeof body === "string"
    ? { text: body, contentType: contentType ?? "text/plain" }
    : { text: JSON.stringify(body), contentType: "application/json; charset=utf-8" }

const toResponse = (reply: WireReply): HttpServerResponse.HttpServerResponse => {
  const { contentType, text } = written(reply)
  const headers = {
    ...(reply.etag !== undefined && { etag: reply.etag }),
    ...(reply.date !== undefined && { date: new Date(reply.date).toUTCString() })
  }
  return HttpServerResponse.text(text, { status: reply.status, headers, contentType })
}

const broken = Stream.fail("the sandbox broke off on purpose")

// Lets the first bytes leave before the connection is destroyed. In real time, which a TestClock does not stop.
const pause = Stream.fromEffectDrain(
  Effect.provideService(Effect.sleep("20 millis"), Clock.Clock, Clock.Clock.defaultValue())
)

const truncated = (reply: WireReply): HttpServerResponse.HttpServerResponse => {
  const { contentType, text } = written(reply)
  const bytes = new TextEncoder().encode(text)
  const half = Stream.make(bytes.slice(0, Math.ceil(bytes.length / 2)))
  return HttpServerResponse.stream(Stream.concat(Stream.concat(half, pause), broken), {
    contentType,
    contentLength: bytes.length
  })
}

const chunk = new Uint8Array(65_536).fill(32)

const drip = (reply: WireReply): HttpServerResponse.HttpServerResponse => {
  const { contentType, text } = written(reply)
  const each = Stream.mapEffect(Stream.fromIterable(new TextEncoder().encode(text)), (byte) =>
    Effect.as(Effect.sleep("1 second"), Uint8Array.of(byte))
  )
  return HttpServerResponse.stream(each, { contentType })
}

const oversize = (bytes: number): HttpServerResponse.HttpServerResponse => {
  const end = (text: string) => Stream.make(new TextEncoder().encode(text))
  const spaces = Stream.map(Stream.range(1, Math.ceil(bytes / chunk.length)), () => chunk)
  return HttpServerResponse.stream(Stream.concat(Stream.concat(end("["), spaces), end("]")), {
    contentType: "application/json"
  })
}

const blockPage =
  "<!DOCTYPE html><html><head><title>Just a moment...</title></head>" +
  "<body><h1>Access denied</h1><p>Checking your browser before you proceed.</p></body></html>"

/**
 * Answers with or without a fault. `reply` is called when the answer is sent, for some hours ago or with swapped sides.
 * `closing` completes when the sandbox shuts down, and ends hanging requests.
 */
export const respond = (
  fault: Fault | null,
  reply: (asked: { readonly hoursAgo: number; readonly isInverted: boolean }) => Effect.Effect<WireReply>,
  closing: Deferred.Deferred<void>
): Effect.Effect<HttpServerResponse.HttpServerResponse> => {
  const honest = reply({
    hoursAgo: fault?.fault === "stale" ? fault.hours : 0,
    isInverted: fault?.fault === "inverted"
  })
  const changed = (change: (body: unknown) => unknown) =>
    Effect.map(honest, (reply) => toResponse({ ...reply, body: change(reply.body) }))
  switch (fault?.fault) {
    case "refuse":
      return Effect.succeed(HttpServerResponse.stream(broken))
    case "hang":
      return Effect.as(Deferred.await(closing), HttpServerResponse.stream(broken))
    case "slow":
      return Effect.sleep(fault.seconds * 1000).pipe(Effect.andThen(honest), Effect.map(toResponse))
    case "rate_limited": {
      const body = { status: { error_code: 429, error_message: "You've exceeded the Rate Limit." } }
      const headers = fault.retryAfter === undefined ? {} : { "retry-after": String(fault.retryAfter) }
      return Effect.succeed(HttpServerResponse.setHeaders(toResponse({ status: 429, body }), headers))
    }
    case "server_error":
      return Effect.succeed(toResponse({ status: fault.status ?? 503, body: { error: "Internal error" } }))
    case "html":
      return Effect.succeed(HttpServerResponse.text(blockPage, { contentType: "text/html; charset=utf-8" }))
    case "malformed":
      return Effect.succeed(HttpServerResponse.text('{"data": [1, 2,, NaN', { contentType: "application/json" }))
    case "oversize":
      return Effect.succeed(oversize(fault.bytes))
    case "truncated":
      return Effect.map(honest, truncated)
    case "drip":
      return Effect.map(honest, drip)
    case "figures":
      return changed((body) => withWrongFigures(body, fault.kind, fault.rows))
    case "wrong_types":
      return changed(mistyped)
    case "empty":
      return changed(emptied)
    default:
      return Effect.map(honest, toResponse)
  }
}
