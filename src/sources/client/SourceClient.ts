// How every source is called. Innermost first: budget, request, body within a size limit, timeout per attempt, status, retry of
// transient failures, older address, wire schema. The circuit breaker is around a whole fetch with the use of its answer, so that an
// HTML page with status 200 counts as a failure. Upstream text never gets into an error.
import { Clock, DateTime, type Duration, Effect, type Schema, type Scope } from "effect"
import { HttpClient, HttpClientRequest, type HttpClientResponse, type UrlParams } from "effect/http"
import { CircuitBreaker } from "effect/persistence"
import type { Check, HasFigures } from "../../domain/Plausibility.ts"
import type { Snapshot } from "../../domain/Snapshot.ts"
import * as Budget from "./Budget.ts"
import { checked } from "./CheckedFetch.ts"
import * as DataSet from "../dataset/DataSet.ts"
import { decode, neverConnected, readBody, retryAfterSeconds, transportDetail, type Wire } from "./SourceBody.ts"
import {
  BadStatus,
  Disabled,
  type Fetched,
  OverBudget,
  RateLimited,
  SourceError,
  TimedOut,
  Unreachable
} from "./SourceError.ts"
import { Replicas } from "../dataset/Replicas.ts"
import { retried } from "./retried.ts"
import { outcomeOf, rest } from "./CircuitOutcome.ts"
import * as SourceMetrics from "./SourceMetrics.ts"
import { type Allowance, SourceLabel, type SourceRecord } from "../catalog/SourceRecord.ts"
import { baseUrlsOf, disabledSources } from "./SourceSettings.ts"
import { userAgent } from "./UserAgent.ts"

/** How an adapter calls its source. */
export interface SourceCalls {
  readonly source: SourceRecord
  /** Replaces the budget of the record: of a plan, or of one data set. */
  readonly allowances?: ReadonlyArray<Allowance>
  /** For one attempt, headers and body together, in seconds. Default 5. */
  readonly timeoutSeconds?: number
  /** Of one body. Default 4 MiB. */
  readonly maxBytes?: number
  /** Further attempts after a transient failure. Default 1. */
  readonly retries?: number
  readonly headers?: Readonly<Record<string, string>>
  /** Replaces the address of the record (a paid plan on another host); `<ID>_BASE_URL` still wins. */
  readonly baseUrl?: string
}

/** How a body is asked for. */
export interface Asked {
  readonly query?: UrlParams.Input | undefined
  /** Default `scheduled`. */
  readonly urgency?: Budget.Urgency | undefined
}

/** A decoded body, and when it was complete by our clock. */
export interface Answer<A> {
  readonly body: A
  readonly retrievedAt: DateTime.Utc
}

/** A response with a status below 400; the adapter handles 304 and redirects. */
export interface RawAnswer {
  readonly status: number
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string | undefined>>
  /** Empty unless the status is a success. */
  readonly bytes: Uint8Array
  readonly retrievedAt: DateTime.Utc
}

/** What an adapter has read. `observedAt` is `retrievedAt` unless told, and `source` the source's own name in stamps. */
export interface Reading<out A> extends Pick<Snapshot<A>, "value" | "retrievedAt"> {
  readonly observedAt?: DateTime.Utc
  readonly source?: string
}

/** A fetch of an adapter; the client stamps what it brings. */
export type Fetch<A> = Effect.Effect<Reading<A>, SourceError>

/** How a data set is fetched and kept. A value that holds figures does not type-check without a check of them. */
export type DataSetOptions<A> = {
  readonly every: Duration.Input
  readonly fetch: Fetch<A>
  readonly schema?: Schema.Codec<A, unknown>
  /** The name in stamps, where it is not the source's own. */
  readonly source?: string
} & (HasFigures<A> extends false ? { readonly check?: Check<A> } : { readonly check: Check<A> })

export interface SourceClient {
  /** The name in stamps; the sandbox marks it. */
  readonly name: string
  /** The base URL; snapshots from another one are not reused. */
  readonly origin: string
  /** Paths are relative to the base URL. */
  readonly get: <S extends Wire>(
    path: string,
    schema: S,
    asked?: Asked
  ) => Effect.Effect<Answer<S["Type"]>, SourceError>
  readonly post: <S extends Wire>(
    path: string,
    schema: S,
    json: object
  ) => Effect.Effect<Answer<S["Type"]>, SourceError>
  /** A GET of an absolute URL, whatever the base URL is. */
  readonly requestBytes: (
    url: string,
    headers?: Readonly<Record<string, string>>
  ) => Effect.Effect<RawAnswer, SourceError>
  /**
   * Puts the circuit breaker around a whole fetch. It opens after three failures in a row, for 5 to 30 s. Data sets that can fail
   * separately have separate circuits.
   */
  readonly guard: <A>(circuit: string, fetch: Effect.Effect<A, SourceError>) => Effect.Effect<A, SourceError>
  /** A guarded fetch on behalf of a caller, with its figures checked. */
  readonly lookUp: <A>(circuit: string, check: Check<A>, fetch: Fetch<A>) => Fetched<A>
  /** A data set with a guarded fetch. With a schema its snapshots are saved and outlive the process. */
  readonly dataSet: <A>(
    circuit: string,
    options: DataSetOptions<A>
  ) => Effect.Effect<DataSet.DataSet<A>, never, Scope.Scope>
  /** This source's error, for failures that only the adapter can see. */
  readonly error: (reason: SourceError["reason"]) => SourceError
}

export const make = Effect.fnUntraced(function* (calls: SourceCalls) {
  const { allowances = calls.source.allowances, source } = calls
  const http = HttpClient.withScope(yield* HttpClient.HttpClient)
  const breaker = yield* CircuitBreaker.CircuitBreaker
  const label = yield* SourceLabel
  const [base, ...olderBases] = yield* baseUrlsOf(source, calls.baseUrl)
  const disabled = (yield* disabledSources).has(source.id)
  const budget = Budget.make(allowances, (yield* Replicas)?.budget(source.id, allowances))
  const agent = yield* userAgent
  const metrics = yield* SourceMetrics.make(source.id)
  const name = label(source.name)
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
      // Trace ids are not sent to sources.
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
      Effect.annotateSpans({ source: source.id })
    )

  const send = Effect.fnUntraced(function* (
    input: HttpClientRequest.HttpClientRequest,
    lastStatus: number,
    urgency: Budget.Urgency
  ) {
    yield* Effect.annotateCurrentSpan({ source: source.id })
    if (disabled) return yield* error(new Disabled())
    const prepared = HttpClientRequest.setHeaders(input, { "user-agent": agent, ...calls.headers })
    const once = Effect.flatMap(takeTurn(urgency), (takenAt) =>
      Effect.tapError(attempt(prepared, lastStatus), giveBackIfUnsent(urgency, takenAt))
    )
    return yield* retried(once, calls.retries ?? 1)
  })

  const request = Effect.fn("SourceClient.request")(function* <S extends Wire>(
    input: HttpClientRequest.HttpClientRequest,
    schema: S,
    urgency: Budget.Urgency
  ): Effect.fn.Return<Answer<S["Type"]>, SourceError> {
    const ask = Effect.fnUntraced(function* (base: string) {
      const prepared = HttpClientRequest.acceptJson(HttpClientRequest.prependUrl(input, base))
      const { bytes } = yield* send(prepared, 299, urgency)
      const body = yield* decode(new TextDecoder().decode(bytes), schema, error)
      return { body, retrievedAt: yield* DateTime.now }
    })
    return yield* olderBases.reduce(
      (asked, older) =>
        Effect.catch(asked, (failure) =>
          hostFaults.has(failure.reason._tag) ? Effect.mapError(ask(older), () => failure) : Effect.fail(failure)
        ),
      ask(base)
    )
  })

  const get: SourceClient["get"] = (path, schema, { query, urgency = "scheduled" } = {}) =>
    request(HttpClientRequest.get(path, { urlParams: query }), schema, urgency)

  const post: SourceClient["post"] = (path, schema, json) =>
    request(HttpClientRequest.bodyJsonUnsafe(HttpClientRequest.post(path), json), schema, "scheduled")

  const requestBytes = Effect.fn("SourceClient.requestBytes")(function* (
    url: string,
    headers: Readonly<Record<string, string>> = {}
  ) {
    const answer = yield* send(HttpClientRequest.get(url, { headers }), 399, "scheduled")
    return { ...answer, retrievedAt: yield* DateTime.now }
  })

  const guard: SourceClient["guard"] = (circuit, fetch) => {
    const key = `source:${source.id}:${circuit}`
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
      // Where the shared state of circuits cannot be read, the gauge keeps its last value.
      Effect.tapError(() => Effect.ignore(noteState))
    )
  }

  const stamped = <A>(fetch: Fetch<A>): Fetched<A> =>
    Effect.map(fetch, (reading) => ({ source: name, observedAt: reading.retrievedAt, ...reading }))

  const lookUp: SourceClient["lookUp"] = (circuit, check, fetch) =>
    guard(circuit, checked({ id: source.id, check, held: Effect.undefined, fetch: stamped(fetch) }))

  const dataSet: SourceClient["dataSet"] = <A>(
    circuit: string,
    { check, every, fetch, schema, source: stamp = name }: DataSetOptions<A>
  ) =>
    Effect.gen(function* () {
      const held: Effect.Effect<A | undefined> = Effect.suspend(() =>
        Effect.map(set.last, (last) => (last._tag === "Some" ? last.value.value : undefined))
      )
      const set: DataSet.DataSet<A> = yield* DataSet.make({
        source: stamp,
        every,
        fetch: guard(
          circuit,
          check === undefined ? stamped(fetch) : checked({ id: source.id, check, held, fetch: stamped(fetch) })
        ),
        // Saved snapshots of a source that is switched off are not served.
        ...(schema !== undefined &&
          !disabled && {
            keeping: { lease: source.id, name: `${source.id}-${circuit}`.toLowerCase(), origin: base, schema }
          })
      })
      return set
    })

  return { name, origin: base, get, post, requestBytes, guard, lookUp, dataSet, error } satisfies SourceClient
})

/** Failures after which the source's older address is asked. */
const hostFaults: ReadonlySet<string> = new Set(["Unreachable", "TimedOut", "BadStatus", "TooLarge", "Undecodable"])
