// How every source is called. One pipeline, innermost first: budget, request, body buffered within bounds, time-out per
// attempt, status, content, schema, retry of what may pass, and the circuit breaker around all of it, so that a page of HTML
// with status 200 counts as the failure it is. Upstream text never gets into an error.
import { Config, DateTime, Duration, Effect, Layer, Schedule, Schema, Stream } from "effect"
import {
  FetchHttpClient,
  HttpClient,
  type HttpClientError,
  HttpClientRequest,
  type HttpClientResponse
} from "effect/http"
import { CircuitBreaker } from "effect/persistence"
import * as Budget from "./Budget.ts"
import {
  BadStatus,
  Disabled,
  OverBudget,
  RateLimited,
  SourceError,
  Suspended,
  TimedOut,
  TooLarge,
  Undecodable,
  Unreachable
} from "./SourceError.ts"
import { SourceLabel, type SourceTerms } from "./SourceTerms.ts"

/** What we call ourselves. Sources may want to know whom to complain to; the operator's address is not ours to give. */
export const USER_AGENT = "crypto-data-api/0.1 (self-hosted; +https://www.npmjs.com/package/crypto-data-api)"

/** A pause asked for with `Retry-After` is believed up to this, in seconds. */
const LONGEST_PAUSE = 600

/** The pause after a 429 that does not say how long, in seconds. */
const DEFAULT_PAUSE = 60

/** What a source's file knows about calling it. */
export interface SourceCalls {
  readonly terms: SourceTerms
  readonly allowances: ReadonlyArray<Budget.Allowance>
  /** For one attempt, headers and body together, in seconds. */
  readonly timeoutSeconds?: number
  readonly maxBytes?: number
  /** Further attempts after a transient failure. */
  readonly retries?: number
  readonly headers?: Readonly<Record<string, string>>
  /** Replaces the address of the terms (a paid plan on another host); `<ID>_BASE_URL` still wins. */
  readonly baseUrl?: string
}

/** A decoded answer and when it was complete, by our clock. */
export interface Answer<A> {
  readonly body: A
  readonly retrievedAt: DateTime.Utc
}

/** A wire schema: decodes without any service. */
export type Wire = Schema.Constraint & { readonly DecodingServices: never }

/** How one request differs from the usual. */
export interface RequestOptions {
  /** Default `scheduled`. */
  readonly urgency?: Budget.Urgency | undefined
  /** Data sets that fail apart from each other get circuits apart from each other. */
  readonly circuit?: string | undefined
}

/** Calls one source. */
export interface SourceClient {
  /** The name for stamps, marked where the world is simulated. */
  readonly name: string
  readonly request: <S extends Wire>(
    request: HttpClientRequest.HttpClientRequest,
    schema: S,
    options?: RequestOptions
  ) => Effect.Effect<Answer<S["Type"]>, SourceError>
  /** This source's error, for what only its file can see. */
  readonly error: (reason: SourceError["reason"]) => SourceError
}

/** The names in `SOURCES_DISABLED`, upper case. */
export const disabledSources = Config.Array(Schema.String, "SOURCES_DISABLED").pipe(
  Config.withDefault([]),
  Config.map((names) => new Set(names.map((name) => name.trim().toUpperCase().replaceAll("-", "_"))))
)

/** `<ID>_BASE_URL`: what stands before the path, replacing the public address. */
export const baseUrlOf = (terms: SourceTerms, fallback: string = terms.baseUrl) =>
  Config.URL(`${terms.id}_BASE_URL`).pipe(
    Config.withDefault(new URL(fallback)),
    Config.map((url) => url.href.replace(/\/+$/, ""))
  )

/** What a source layer needs from outside. */
export type Requirements = HttpClient.HttpClient | CircuitBreaker.CircuitBreaker

/** The closed form of these: global `fetch` without redirects, and one breaker for all sources, held in memory. */
export const layerRequirements: Layer.Layer<Requirements> = Layer.mergeAll(
  FetchHttpClient.layer.pipe(Layer.provide(Layer.succeed(FetchHttpClient.RequestInit, { redirect: "manual" }))),
  CircuitBreaker.layer({
    tripPolicy: CircuitBreaker.consecutive(3),
    openDuration: Schedule.exponential("5 seconds").pipe(Schedule.upTo({ duration: "30 seconds" }))
  }).pipe(Layer.provide(CircuitBreaker.layerStoreMemory()))
)

/** Makes the client of one source. */
export const make = Effect.fnUntraced(function* (calls: SourceCalls) {
  const { terms } = calls
  const http = HttpClient.withScope(yield* HttpClient.HttpClient)
  const breaker = yield* CircuitBreaker.CircuitBreaker
  const label = yield* SourceLabel
  const base = yield* baseUrlOf(terms, calls.baseUrl)
  const disabled = (yield* disabledSources).has(terms.id)
  const budget = Budget.make(calls.allowances)
  const name = label(terms.name)
  const timeoutSeconds = calls.timeoutSeconds ?? 5
  const maxBytes = calls.maxBytes ?? 4 * 1024 * 1024
  const error = (reason: SourceError["reason"]) => new SourceError({ source: name, reason })

  const giveBackIfUnsent = (urgency: Budget.Urgency) => (failure: SourceError) =>
    failure.reason._tag === "Unreachable" && neverConnected.has(failure.reason.detail)
      ? budget.giveBack(urgency)
      : Effect.void

  const takeTurn = (urgency: Budget.Urgency) =>
    Effect.flatMap(budget.take(urgency), (wait) =>
      wait === 0 ? Effect.void : Effect.fail(error(new OverBudget({ retryAfter: wait / 1000 })))
    )

  const tooMany = Effect.fnUntraced(function* (response: HttpClientResponse.HttpClientResponse) {
    const retryAfter = yield* retryAfterSeconds(response.headers["retry-after"])
    yield* budget.pause(retryAfter * 1000)
    return yield* error(new RateLimited({ retryAfter }))
  })

  const attempt = (request: HttpClientRequest.HttpClientRequest) =>
    http.execute(request).pipe(
      Effect.flatMap((response) => {
        if (response.status === 429) return tooMany(response)
        if (response.status < 200 || response.status > 299) {
          return Effect.fail(error(new BadStatus({ status: response.status })))
        }
        return readBody(response, maxBytes).pipe(
          Effect.mapError((failure) => (failure._tag === "TooLarge" ? error(failure) : failure))
        )
      }),
      Effect.scoped,
      Effect.timeoutOrElse({
        duration: timeoutSeconds * 1000,
        orElse: () => Effect.fail(error(new TimedOut({ seconds: timeoutSeconds })))
      }),
      Effect.catchTag("HttpClientError", (cause) =>
        Effect.fail(error(new Unreachable({ detail: transportDetail(cause) })))
      )
    )

  const request = Effect.fn("SourceClient.request")(function* <S extends Wire>(
    input: HttpClientRequest.HttpClientRequest,
    schema: S,
    options?: RequestOptions
  ): Effect.fn.Return<Answer<S["Type"]>, SourceError> {
    yield* Effect.annotateCurrentSpan({ source: terms.id })
    if (disabled) return yield* error(new Disabled())
    const prepared = input.pipe(
      HttpClientRequest.prependUrl(base),
      HttpClientRequest.acceptJson,
      HttpClientRequest.setHeaders({ "user-agent": USER_AGENT, ...calls.headers })
    )
    const urgency = options?.urgency ?? "scheduled"
    return yield* takeTurn(urgency).pipe(
      Effect.andThen(Effect.tapError(attempt(prepared), giveBackIfUnsent(urgency))),
      Effect.retry({
        while: (failure) => failure.isTransient,
        times: calls.retries ?? 1,
        schedule: Schedule.exponential("250 millis").pipe(Schedule.jittered)
      }),
      Effect.flatMap((text) => decode(text, schema, error)),
      Effect.zipWith(DateTime.now, (body, retrievedAt) => ({ body, retrievedAt })),
      breaker.execute({
        key: `source:${terms.id}:${options?.circuit ?? ""}`,
        classify: (exit) => {
          if (exit._tag === "Success") return CircuitBreaker.success
          const failed = exit.cause.reasons.find((reason) => reason._tag === "Fail")
          return failed === undefined ? CircuitBreaker.ignored : outcomeOf(failed.error)
        }
      }),
      Effect.catchTag("CircuitBreakerError", (cause) => Effect.fail(error(rest(cause))))
    )
  })

  return { name, request, error } satisfies SourceClient
})

const readBody = (response: HttpClientResponse.HttpClientResponse, limit: number) =>
  response.stream.pipe(
    Stream.runFoldEffect(
      () => ({ size: 0, chunks: [] as Array<Uint8Array> }),
      (body, chunk) => {
        body.size += chunk.byteLength
        body.chunks.push(chunk)
        return body.size > limit ? Effect.fail(new TooLarge({ limit })) : Effect.succeed(body)
      }
    ),
    Effect.map(({ chunks }) => {
      const decoder = new TextDecoder()
      return chunks.map((chunk) => decoder.decode(chunk, { stream: true })).join("") + decoder.decode()
    })
  )

const decode = <S extends Wire>(
  text: string,
  schema: S,
  error: SourceClient["error"]
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
const neverConnected = new Set(["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "EHOSTUNREACH", "ENETUNREACH"])

const transportDetail = (failure: HttpClientError.HttpClientError): string => {
  const cause = "cause" in failure.reason ? failure.reason.cause : undefined
  const inner = cause instanceof Error && cause.cause instanceof Error ? cause.cause : cause
  const code = inner instanceof Error && "code" in inner && typeof inner.code === "string" ? inner.code : undefined
  return code ?? failure.reason._tag
}

const retryAfterSeconds = (header: string | undefined): Effect.Effect<number> =>
  Effect.map(DateTime.now, (now) => {
    if (header === undefined) return DEFAULT_PAUSE
    const seconds = /^\d+$/.test(header.trim()) ? Number(header) : (Date.parse(header) - now.epochMilliseconds) / 1000
    return Number.isFinite(seconds) ? Math.min(LONGEST_PAUSE, Math.max(1, seconds)) : DEFAULT_PAUSE
  })

const outcomeOf = (failure: unknown): CircuitBreaker.Outcome => {
  if (!(failure instanceof SourceError)) return CircuitBreaker.ignored
  switch (failure.reason._tag) {
    case "OverBudget":
    case "Disabled":
    case "RateLimited":
      return CircuitBreaker.ignored
    case "BadStatus":
      return failure.reason.status === 404 ? CircuitBreaker.success : CircuitBreaker.failure()
    default:
      return CircuitBreaker.failure()
  }
}

const rest = ({ reason }: CircuitBreaker.CircuitBreakerError) =>
  new Suspended({ retryAfter: reason._tag === "CircuitOpen" ? Math.max(1, Duration.toSeconds(reason.retryAfter)) : 1 })
