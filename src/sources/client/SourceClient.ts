// How every source is called. One pipeline, innermost first: budget, request, body buffered within bounds, time-out per
// attempt, status, retry of what may pass, content, schema; and around a whole fetch, with what is made of the answer, the
// circuit breaker, so that a page of HTML with status 200 counts as the failure it is. Upstream text never gets into an error.
import { Clock, Config, DateTime, Duration, Effect, Layer, Random, Schedule, Schema, type Scope } from "effect"
import { FetchHttpClient, HttpClient, HttpClientRequest, type HttpClientResponse } from "effect/http"
import { CircuitBreaker } from "effect/persistence"
import type { Snapshot } from "../../domain/Snapshot.ts"
import * as Budget from "./Budget.ts"
import * as DataSet from "../dataset/DataSet.ts"
import { decode, neverConnected, readBody, retryAfterSeconds, transportDetail, type Wire } from "./SourceBody.ts"
import {
  BadStatus,
  Disabled,
  OverBudget,
  RateLimited,
  SourceError,
  Suspended,
  TimedOut,
  Unreachable
} from "./SourceError.ts"
import { Replicas } from "../dataset/Replicas.ts"
import * as SourceMetrics from "./SourceMetrics.ts"
import { SourceLabel, type SourceTerms } from "../catalog/SourceTerms.ts"

/** What we call ourselves. Sources may want to know whom to complain to; the operator's address is not ours to give. */
export const USER_AGENT = "crypto-data-api/0.1 (self-hosted; +https://www.npmjs.com/package/crypto-data-api)"

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

/** An answer as it came, of any status below 400: 304 and redirects are for the source's file to deal with. */
export interface RawAnswer {
  readonly status: number
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string | undefined>>
  /** Empty unless the status is a success. */
  readonly bytes: Uint8Array
  readonly retrievedAt: DateTime.Utc
}

/** How one request differs from the usual. */
export interface RequestOptions {
  /** Default `scheduled`. */
  readonly urgency?: Budget.Urgency | undefined
}

/** Calls one source. */
export interface SourceClient {
  /** The name for stamps, marked where the world is simulated. */
  readonly name: string
  /** The address that answers come from. */
  readonly origin: string
  readonly request: <S extends Wire>(
    request: HttpClientRequest.HttpClientRequest,
    schema: S,
    options?: RequestOptions
  ) => Effect.Effect<Answer<S["Type"]>, SourceError>
  /** A GET of an absolute address, whatever the base URL is, answered in bytes. */
  readonly requestBytes: (
    url: string,
    headers?: Readonly<Record<string, string>>
  ) => Effect.Effect<RawAnswer, SourceError>
  /**
   * Puts the circuit breaker around a whole fetch: its requests and what is made of them. Three failures in a row and the
   * circuit rests; data sets that fail apart from each other get circuits apart from each other.
   */
  readonly guard: <A>(circuit: string, fetch: Effect.Effect<A, SourceError>) => Effect.Effect<A, SourceError>
  /** A cached ref of a guarded fetch. With a schema of its value it outlives the process. */
  readonly dataSet: <A>(
    circuit: string,
    options: {
      readonly every: Duration.Input
      readonly fetch: Effect.Effect<Snapshot<A>, SourceError>
      readonly schema?: Schema.Codec<A, unknown>
      /** The name in stamps, where it is not the source's own. */
      readonly source?: string
    }
  ) => Effect.Effect<DataSet.DataSet<A>, never, Scope.Scope>
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

/** What is known of circuits, shared where the context has a store for that, else in memory. */
const layerBreakerStore = Layer.unwrap(
  Effect.map(
    Effect.serviceOption(CircuitBreaker.CircuitBreakerStore),
    (shared): Layer.Layer<CircuitBreaker.CircuitBreakerStore> =>
      shared._tag === "Some"
        ? Layer.succeed(CircuitBreaker.CircuitBreakerStore, shared.value)
        : CircuitBreaker.layerStoreMemory()
  )
)

/** The closed form of these: global `fetch` without redirects, and one breaker for all sources. */
export const layerRequirements: Layer.Layer<Requirements> = Layer.mergeAll(
  FetchHttpClient.layer.pipe(Layer.provide(Layer.succeed(FetchHttpClient.RequestInit, { redirect: "manual" }))),
  CircuitBreaker.layer({
    tripPolicy: CircuitBreaker.consecutive(3),
    openDuration: Schedule.exponential("5 seconds").pipe(Schedule.upTo({ duration: "30 seconds" }))
  }).pipe(Layer.provide(layerBreakerStore))
)

/** Makes the client of one source. */
export const make = Effect.fnUntraced(function* (calls: SourceCalls) {
  const { terms } = calls
  const http = HttpClient.withScope(yield* HttpClient.HttpClient)
  const breaker = yield* CircuitBreaker.CircuitBreaker
  const label = yield* SourceLabel
  const base = yield* baseUrlOf(terms, calls.baseUrl)
  const disabled = (yield* disabledSources).has(terms.id)
  const budget = Budget.make(calls.allowances, (yield* Replicas)?.budget(terms.id, calls.allowances))
  const metrics = yield* SourceMetrics.make(terms.id)
  const name = label(terms.name)
  const timeoutSeconds = calls.timeoutSeconds ?? 5
  const maxBytes = calls.maxBytes ?? 4 * 1024 * 1024
  const error = (reason: SourceError["reason"]) => new SourceError({ source: name, reason })

  const giveBackIfUnsent = (urgency: Budget.Urgency, takenAt: number) => (failure: SourceError) =>
    failure.reason._tag === "Unreachable" && neverConnected.has(failure.reason.detail)
      ? budget.giveBack(urgency, takenAt)
      : Effect.void

  const takeTurn = (urgency: Budget.Urgency) =>
    Effect.flatMap(budget.take(urgency), (wait) =>
      wait === 0
        ? Clock.currentTimeMillis
        : Effect.andThen(metrics.overBudget, Effect.fail(error(new OverBudget({ retryAfter: wait / 1000 }))))
    )

  const tooMany = Effect.fnUntraced(function* (response: HttpClientResponse.HttpClientResponse) {
    const retryAfter = yield* retryAfterSeconds(response.headers["retry-after"])
    yield* budget.pause(retryAfter * 1000)
    return yield* error(new RateLimited({ retryAfter }))
  })

  const attempt = (request: HttpClientRequest.HttpClientRequest, lastStatus: number) =>
    http.execute(request).pipe(
      // Our trace ids are nobody else's business.
      Effect.provideService(HttpClient.TracerPropagationEnabled, false),
      Effect.flatMap((response) => {
        if (response.status === 429) return tooMany(response)
        const { headers, status } = response
        if (status < 200 || status > lastStatus) return Effect.fail(error(new BadStatus({ status })))
        if (status > 299) return Effect.succeed({ status, headers, bytes: new Uint8Array() })
        return readBody(response, maxBytes).pipe(
          Effect.map((bytes) => ({ status, headers, bytes })),
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
      ),
      metrics.call,
      Effect.annotateSpans({ source: terms.id })
    )

  const send = Effect.fnUntraced(function* (
    input: HttpClientRequest.HttpClientRequest,
    lastStatus: number,
    urgency: Budget.Urgency
  ) {
    yield* Effect.annotateCurrentSpan({ source: terms.id })
    if (disabled) return yield* error(new Disabled())
    const prepared = HttpClientRequest.setHeaders(input, { "user-agent": USER_AGENT, ...calls.headers })
    const once = Effect.flatMap(takeTurn(urgency), (takenAt) =>
      Effect.tapError(attempt(prepared, lastStatus), giveBackIfUnsent(urgency, takenAt))
    )
    return yield* retried(once, calls.retries ?? 1)
  })

  const request = Effect.fn("SourceClient.request")(function* <S extends Wire>(
    input: HttpClientRequest.HttpClientRequest,
    schema: S,
    options?: RequestOptions
  ): Effect.fn.Return<Answer<S["Type"]>, SourceError> {
    const prepared = HttpClientRequest.acceptJson(HttpClientRequest.prependUrl(input, base))
    const { bytes } = yield* send(prepared, 299, options?.urgency ?? "scheduled")
    const body = yield* decode(new TextDecoder().decode(bytes), schema, error)
    return { body, retrievedAt: yield* DateTime.now }
  })

  const requestBytes = Effect.fn("SourceClient.requestBytes")(function* (
    url: string,
    headers: Readonly<Record<string, string>> = {}
  ) {
    const answer = yield* send(HttpClientRequest.get(url, { headers }), 399, "scheduled")
    return { ...answer, retrievedAt: yield* DateTime.now }
  })

  const guard: SourceClient["guard"] = (circuit, fetch) => {
    const key = `source:${terms.id}:${circuit}`
    const noteState = Effect.flatMap(breaker.state(key), ({ _tag }) => metrics.circuit(circuit, _tag === "Open"))
    return fetch.pipe(
      metrics.answer,
      breaker.execute({
        key,
        classify: (exit) => {
          if (exit._tag === "Success") return CircuitBreaker.success
          const failed = exit.cause.reasons.find((reason) => reason._tag === "Fail")
          return failed === undefined ? CircuitBreaker.ignored : outcomeOf(failed.error)
        }
      }),
      Effect.catchTag("CircuitBreakerError", (cause) => Effect.fail(error(rest(cause)))),
      Effect.tap(metrics.circuit(circuit, false)),
      // Not known, where the circuits are kept and cannot be read: then it stays as it was last seen.
      Effect.tapError(() => Effect.ignore(noteState))
    )
  }

  const dataSet: SourceClient["dataSet"] = (circuit, { every, fetch, schema, source = name }) =>
    DataSet.make({
      source,
      every,
      fetch: guard(circuit, fetch),
      // What was kept of a source that has been switched off is not served on either.
      ...(schema !== undefined &&
        !disabled && {
          keeping: { lease: terms.id, name: `${terms.id}-${circuit}`.toLowerCase(), origin: base, schema }
        })
    })

  return { name, origin: base, request, requestBytes, guard, dataSet, error } satisfies SourceClient
})

/** Tries again after what may pass. When the budget has no further call, what went wrong first is what went wrong. */
const retried = <A>(once: Effect.Effect<A, SourceError>, times: number): Effect.Effect<A, SourceError> =>
  Effect.catch(once, (failure) => {
    if (!failure.isTransient || times === 0) return Effect.fail(failure)
    return Random.nextBetween(200, 300).pipe(
      Effect.flatMap(Effect.sleep),
      Effect.andThen(retried(once, times - 1)),
      Effect.mapError((later) => (later.reason._tag === "OverBudget" ? failure : later))
    )
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
