// What comes back from a source, before its wire schema is asked: bytes within bounds, text, JSON; and what went wrong, in words
// that hold nothing of the upstream's own text.
import { DateTime, Effect, Schema, Stream } from "effect"
import type { HttpClientError, HttpClientResponse } from "effect/http"
import { SourceError, TooLarge, Undecodable } from "./SourceError.ts"

/** A wire schema: decodes without any service. */
export type Wire = Schema.Constraint & { readonly DecodingServices: never }

/** A pause asked for with `Retry-After` is believed up to this, in seconds. */
const LONGEST_PAUSE = 600

/** The pause after a 429 that does not say how long, in seconds. */
const DEFAULT_PAUSE = 60

/** The whole body; fails as soon as it is larger than `limit` bytes. */
export const readBody = (response: HttpClientResponse.HttpClientResponse, limit: number) =>
  response.stream.pipe(
    Stream.runFoldEffect(
      () => ({ size: 0, chunks: [] as Array<Uint8Array> }),
      (body, chunk) => {
        body.size += chunk.byteLength
        body.chunks.push(chunk)
        return body.size > limit ? Effect.fail(new TooLarge({ limit })) : Effect.succeed(body)
      }
    ),
    Effect.map(({ chunks, size }) => {
      const bytes = new Uint8Array(size)
      let at = 0
      for (const chunk of chunks) {
        bytes.set(chunk, at)
        at += chunk.byteLength
      }
      return bytes
    })
  )

/** JSON of the shape that the wire schema says. */
export const decode = <S extends Wire>(
  text: string,
  schema: S,
  error: (reason: SourceError["reason"]) => SourceError
): Effect.Effect<S["Type"], SourceError> =>
  parse(text).pipe(
    Effect.flatMap(Schema.decodeUnknownEffect(schema)),
    Effect.mapError((failure) => error(new Undecodable({ detail: shapeOf(failure, text) })))
  )

const parse = (text: string) =>
  // Merchants' remarks hold raw control characters, which JSON forbids; only then is the text cleaned and read again.
  Effect.try(() => JSON.parse(text) as unknown).pipe(
    Effect.catch(() => Effect.try(() => JSON.parse(text.replaceAll(/\p{Cc}/gu, " ")) as unknown))
  )

const shapeOf = (failure: unknown, text: string): string => {
  if (/^\s*</.test(text)) return "an HTML or XML page instead of JSON"
  if (!Schema.isSchemaError(failure)) return `${text.length} characters that are not JSON`
  return "JSON of another shape"
}

/** Failures before anything was sent: such a call costs the source nothing, and our budget neither. */
export const neverConnected = new Set(["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "EHOSTUNREACH", "ENETUNREACH"])

/** The operating system's code for why there was no answer, such as `ECONNREFUSED`. */
export const transportDetail = (failure: HttpClientError.HttpClientError): string => {
  const cause = "cause" in failure.reason ? failure.reason.cause : undefined
  const inner = cause instanceof Error && cause.cause instanceof Error ? cause.cause : cause
  const code = inner instanceof Error && "code" in inner && typeof inner.code === "string" ? inner.code : undefined
  return code ?? failure.reason._tag
}

/** How long `Retry-After` asks us to wait, in seconds or as a date, within reason. */
export const retryAfterSeconds = (header: string | undefined): Effect.Effect<number> =>
  Effect.map(DateTime.now, (now) => {
    if (header === undefined) return DEFAULT_PAUSE
    const seconds = /^\d+$/.test(header.trim()) ? Number(header) : (Date.parse(header) - now.epochMilliseconds) / 1000
    return Number.isFinite(seconds) ? Math.min(LONGEST_PAUSE, Math.max(1, seconds)) : DEFAULT_PAUSE
  })
