// Reads a source's response: the body within a size limit, its JSON, the wire schema. Errors contain no text of the source but its
// error code.
import { DateTime, Effect, Schema, Stream } from "effect"
import type { HttpClientError, HttpClientResponse } from "effect/http"
import { failureCode } from "../../domain/connectionFailure.ts"
import type { Snapshot } from "../../domain/Snapshot.ts"
import { errorCodeIn } from "./errorCode.ts"
import { LONGEST_PAUSE } from "./Pause.ts"
import { Rejected, type SourceError, TooLarge, Undecodable } from "./SourceError.ts"
import type { Wire } from "./WireFormat.ts"

type MakeError = (reason: SourceError["reason"]) => SourceError

/** The whole body; fails as soon as it is larger than `limit` bytes. */
export const readBody = (response: HttpClientResponse.HttpClientResponse, limit: number, error: MakeError) =>
  response.stream.pipe(
    Stream.runFoldEffect(
      () => ({ size: 0, chunks: [] as Array<Uint8Array> }),
      (body, chunk) => {
        body.size += chunk.byteLength
        body.chunks.push(chunk)
        return body.size > limit ? error(new TooLarge({ limit })) : Effect.succeed(body)
      }
    ),
    Effect.map(({ chunks }): Uint8Array => Buffer.concat(chunks))
  )

/**
 * Parses JSON of at most `maxValues` values and decodes it by the wire schema. Text with more values is refused before parsing, because
 * parsing and decoding 4 MiB of empty rows would block the event loop for up to 2 s.
 */
export const decode = <S extends Wire>(
  text: string,
  schema: S,
  maxValues: number,
  error: MakeError
): Effect.Effect<S["Type"], SourceError> =>
  hasMoreValues(text, maxValues)
    ? error(new Undecodable({ detail: `JSON of more than ${maxValues} values` }))
    : parse(text).pipe(
        Effect.mapError(() => error(new Undecodable({ detail: notJson(text) }))),
        Effect.flatMap((body) =>
          Effect.mapError(Schema.decodeUnknownEffect(schema)(body), () => error(notDocumented(body)))
        )
      )

/** The failure for JSON that is not the documented format: its error code, if it has one. */
export const notDocumented = (body: unknown): Rejected | Undecodable => {
  const code = errorCodeIn(body)
  return code === undefined
    ? new Undecodable({ detail: "JSON of another shape, or with more rows than are read" })
    : new Rejected({ code })
}

/** The error code in the short JSON body of a failed response, if it has one. A body that stalls does not hide the status. */
export const errorCodeOf = (response: HttpClientResponse.HttpClientResponse, error: MakeError) =>
  response.headers["content-type"]?.includes("json") === true
    ? readBody(response, LONGEST_ERROR, error).pipe(
        Effect.timeout("1 second"),
        Effect.flatMap((bytes) => parse(new TextDecoder().decode(bytes))),
        Effect.map(errorCodeIn),
        Effect.orElseSucceed(() => undefined)
      )
    : Effect.undefined

/** The most bytes that are read of a failed response. */
const LONGEST_ERROR = 16 * 1024

/** Whether JSON has more than `most` values, by its commas and opening brackets. Those within strings count too. */
export const hasMoreValues = (text: string, most: number): boolean => {
  if (text.length <= most) return false
  let values = 1
  for (const mark of [",", "[", "{"]) {
    for (let at = text.indexOf(mark); at !== -1; at = text.indexOf(mark, at + 1)) if (++values > most) return true
  }
  return false
}

const parse = (text: string) =>
  // Merchants' remarks contain raw control characters, which JSON forbids. If parsing fails, it is repeated with blanks in their place.
  Effect.try(() => JSON.parse(text) as unknown).pipe(
    Effect.catch(() => Effect.try(() => JSON.parse(text.replaceAll(/\p{Cc}/gu, " ")) as unknown))
  )

const notJson = (text: string): string =>
  /^\s*</.test(text) ? "an HTML or XML page instead of JSON" : `${text.length} characters that are not JSON`

/** The system's error code, such as `ECONNREFUSED`. */
export const transportDetail = (failure: HttpClientError.HttpClientError): string =>
  failureCode(failure) ?? failure.reason._tag

/** `Retry-After` (seconds or a date) as seconds, at least 1; `undefined` if it is absent, malformed or longer than a day. */
export const retryAfterSeconds = (header: string | undefined): Effect.Effect<number | undefined> =>
  Effect.map(DateTime.now, (now) => {
    if (header === undefined) return undefined
    // `Date.parse` alone reads "-5" and "1.5" as days of a year.
    const date = /[a-z]/i.test(header) ? Date.parse(header) : NaN
    const seconds = /^\d+$/.test(header.trim()) ? Number(header) : (date - now.epochMilliseconds) / 1000
    return seconds <= LONGEST_PAUSE ? Math.max(1, seconds) : undefined
  })

/**
 * The times of an answer that is complete now. As in HTTP caches, it is as old as its `Date` or its `Age` says. Not rounded, so that a copy
 * that is fetched twice has one time and confirms nothing. A `Date` ahead of our clock counts as now.
 */
export const timesOf = (
  headers: Readonly<Record<string, string | undefined>>
): Effect.Effect<Pick<Snapshot<unknown>, "observedAt" | "retrievedAt">> =>
  Effect.map(DateTime.now, (retrievedAt) => {
    const now = retrievedAt.epochMilliseconds
    const at = Date.parse(headers["date"] ?? "")
    const seconds = /^\d{1,9}$/.test(headers["age"] ?? "") ? Number(headers["age"]) : 0
    const observedAt = Math.min(at > 0 ? at : now, now - seconds * 1000)
    return { observedAt: DateTime.makeUnsafe(observedAt), retrievedAt }
  })
