// How every source is called. Innermost first: request, status, body within a size limit, timeout per attempt, budget, retry of
// transient failures, wire schema, older base URLs. Callers cause look-ups, so these have a circuit breaker; data sets pause after
// failures. Errors contain no text of the source but its error code.
import { Clock, Duration, Effect, type Schema } from "effect"
import { FetchHttpClient, HttpClient, HttpClientRequest, type HttpClientResponse, type UrlParams } from "effect/http"
import type { Check, HasFigures } from "../../domain/Plausibility.ts"
import type { Snapshot } from "../../domain/Snapshot.ts"
import * as Budget from "./Budget.ts"
import { checked } from "./CheckedFetch.ts"
import * as Circuits from "./Circuits.ts"
import * as DataSet from "../dataset/DataSet.ts"
import * as SnapshotStore from "../dataset/SnapshotStore.ts"
import * as Pause from "./Pause.ts"
import * as Remarks from "./Remarks.ts"
import { decode, errorCodeOf, readBody, retryAfterSeconds, timesOf, transportDetail } from "./SourceBody.ts"
import {
  BadStatus,
  Disabled,
  type Fetched,
  OverBudget,
  RateLimited,
  SourceError,
  TimedOut,
  Undecodable,
  Unreachable
} from "./SourceError.ts"
import { Replicas } from "../dataset/Replicas.ts"
import { retried } from "./retried.ts"
import { noting } from "./sentRequests.ts"
import { aheadOf, SourceClocks } from "./SourceClocks.ts"
import * as SourceMetrics from "./SourceMetrics.ts"
import { type Allowance, SourceLabel, type SourceRecord } from "../catalog/SourceRecord.ts"
import * as WireFormat from "./WireFormat.ts"
import { baseUrlsOf, disabledSources, userAgent } from "./SourceSettings.ts"

/** How an adapter calls its source. */
export interface SourceCalls {
  readonly source: SourceRecord
  /** Replaces the budget of the record, for a plan or one data set. */
  readonly allowances?: ReadonlyArray<Allowance>
  /** The name of that budget. Clients of one source with differently named budgets do not count each other's calls. */
  readonly budget?: string
  /** Replaces the source's id in the names of budgets and pauses, for sources that share an id. */
  readonly scope?: string
  /** The pause that the clients of one source share. */
  readonly pause?: Pause.Pause
  /** The timeout of one attempt, headers and body together, in seconds. Default 5. */
  readonly timeoutSeconds?: number
  /** The most bytes of one body. Default 4 MiB. */
  readonly maxBytes?: number
  /** The most JSON values in one body; commas within strings count too. Default 100,000. */
  readonly maxValues?: number
  /** Further attempts after a transient failure. Default 1. */
  readonly retries?: number
  readonly headers?: Readonly<Record<string, string>>
  /** Replaces the base URL of the record (a paid plan on another host); `<ID>_BASE_URL` still wins. */
  readonly baseUrl?: string
}

/** A fetch of an adapter. The client adds the source's name. */
export type Fetch<A> = Effect.Effect<Omit<Snapshot<A>, "source">, SourceError>

/**
 * How a data set is fetched and saved. A value with figures does not type-check without a `check`. `later` checks only the time:
 * `P2pBook` and `P2pRate` judge the figures of books.
 */
export type DataSetOptions<A> = {
  readonly every: Duration.Input
  /** How old the source's figures may be when they are fetched. Default: 0. */
  readonly lag?: Duration.Input
  readonly fetch: Fetch<A>
  readonly schema?: Schema.Codec<A, unknown>
  /** The name in stamps, if it is not the source's own. */
  readonly source?: string
} & (HasFigures<A> extends false ? { readonly check?: Check<A> } : { readonly check: Check<A> | "later" })

export type SourceClient = Effect.Success<ReturnType<typeof make>>

export const make = Effect.fnUntraced(function* (calls: SourceCalls) {
  const { maxBytes = 4 * 1024 * 1024, maxValues = 100_000, retries = 1, source, timeoutSeconds = 5 } = calls
  const { allowances = source.allowances } = calls
  const http = HttpClient.withScope(yield* HttpClient.HttpClient)
  const label = yield* SourceLabel
  const [base, ...olderBases] = yield* baseUrlsOf(source, calls.baseUrl)
  const disabled = (yield* disabledSources).has(source.id)
  const { scope = source.id } = calls
  const budgetName = calls.allowances === undefined ? scope : `${scope}-${calls.budget ?? "plan"}`
  const keptCalls = {
    name: `${budgetName}-calls`.toLowerCase(),
    origin: budgetName,
    schema: Budget.Calls,
    most: Budget.mostBytes(allowances)
  }
  const budget = yield* Budget.make(
    allowances,
    (yield* Replicas).budget(scope, budgetName),
    allowances.some(Budget.isLong) ? yield* SnapshotStore.make(source.id, keptCalls) : undefined
  )
  const pause = calls.pause ?? (yield* Pause.make(scope))
  const agent = yield* userAgent
  const [clock, clocks] = [yield* Clock.Clock, yield* SourceClocks]
  const metrics = yield* SourceMetrics.make(source.id)
  const name = label(source.name)
  /** For failures that only the adapter can detect. */
  const error = (reason: SourceError["reason"]) => new SourceError({ source: name, reason })
  const guard = yield* Circuits.make(source.id, metrics.circuit, error)

  const remark = Remarks.make(name)

  /** The well-formed rows. Logs the number of malformed ones; fails if all are malformed. `what`: the plural noun for the rows. */
  const usable = <A>(
    what: string,
    { bad, good }: { readonly good: ReadonlyArray<A>; readonly bad: number }
  ): Effect.Effect<ReadonlyArray<A>, SourceError> =>
    Effect.andThen(
      bad === 0
        ? Effect.void
        : remark(what, `${bad} of ${bad + good.length} ${what} ignored: a field is missing or malformed`),
      good.length === 0 && bad > 0 ? error(new Undecodable({ detail: `no usable ${what}` })) : Effect.succeed(good)
    )

  const takeTurn = Effect.fnUntraced(function* (urgency: Budget.Urgency) {
    const paused = yield* pause.left
    if (paused !== undefined)
      return yield* error(new RateLimited({ retryAfter: paused.seconds, status: paused.status }))
    const turn = yield* budget.take(urgency)
    if (turn.wait === 0) return turn
    // Another replica was asked to pause.
    if (turn.isPause === true) return yield* error(new RateLimited({ retryAfter: turn.wait / 1000 }))
    yield* metrics.overBudget
    return yield* error(new OverBudget({ retryAfter: turn.wait / 1000 }))
  })

  /** The failure of a response that is no success. Its pause holds for all replicas. */
  const refused = Effect.fnUntraced(function* (response: HttpClientResponse.HttpClientResponse) {
    const { headers, status } = response
    const retryAfter = Pause.askedFor(status, yield* retryAfterSeconds(headers["retry-after"]))
    if (retryAfter === undefined) {
      const code = status < 400 ? undefined : yield* errorCodeOf(response, error)
      return yield* error(new BadStatus({ status, ...(code !== undefined && { code }) }))
    }
    yield* pause.begin({ seconds: retryAfter, status })
    yield* budget.pause(retryAfter * 1000)
    return yield* error(new RateLimited({ retryAfter, status }))
  })

  const attempt = Effect.fnUntraced(function* (request: HttpClientRequest.HttpClientRequest, lastStatus: number) {
    const sending = { hasBegun: false, isSent: false }
    return yield* http.execute(request).pipe(
      Effect.provideService(FetchHttpClient.Fetch, noting(sending, yield* FetchHttpClient.Fetch)),
      // Sources do not receive trace ids.
      Effect.provideService(HttpClient.TracerPropagationEnabled, false),
      Effect.flatMap((response) => {
        const { headers, status } = response
        clocks.note(source.id, aheadOf(clock.currentTimeMillisUnsafe(), headers["date"], headers["age"]))
        if (status < 200 || status > lastStatus) return refused(response)
        if (status > 299) return Effect.succeed({ status, headers, bytes: new Uint8Array() })
        return Effect.map(readBody(response, maxBytes, error), (bytes) => ({ status, headers, bytes }))
      }),
      Effect.scoped,
      Effect.timeoutOrElse({
        duration: timeoutSeconds * 1000,
        orElse: () => {
          const isUnsent = sending.hasBegun && !sending.isSent
          return error(new TimedOut({ seconds: timeoutSeconds, ...(isUnsent && { isUnsent }) }))
        }
      }),
      Effect.catchTag("HttpClientError", (cause) => error(new Unreachable({ detail: transportDetail(cause) }))),
      metrics.call,
      Effect.annotateSpans({ source: source.id })
    )
  })

  const send = Effect.fnUntraced(function* (
    input: HttpClientRequest.HttpClientRequest,
    lastStatus: number,
    urgency: Budget.Urgency
  ) {
    yield* Effect.annotateCurrentSpan({ source: source.id })
    if (disabled) return yield* error(new Disabled())
    const prepared = HttpClientRequest.setHeaders(input, { "user-agent": agent, ...calls.headers })
    const once = Effect.flatMap(takeTurn(urgency), ({ giveBack }) =>
      Effect.tapError(attempt(prepared, lastStatus), ({ wasCalled }) => (wasCalled ? Effect.void : giveBack))
    )
    return yield* retried(once, retries)
  })

  const request = Effect.fn("SourceClient.request")(function* <S extends WireFormat.Wire>(
    input: HttpClientRequest.HttpClientRequest,
    schema: S,
    urgency: Budget.Urgency
  ) {
    const ask = Effect.fnUntraced(function* (base: string) {
      const prepared = HttpClientRequest.acceptJson(HttpClientRequest.prependUrl(input, base))
      const { bytes, headers } = yield* send(prepared, 299, urgency)
      const body = yield* decode(new TextDecoder().decode(bytes), schema, maxValues, error)
      return { body, ...(yield* timesOf(headers)) }
    })
    return yield* olderBases.reduce(
      (asked, older) =>
        Effect.catch(asked, (failure) =>
          hostFaults.has(failure.reason._tag) ? Effect.mapError(ask(older), () => failure) : failure
        ),
      ask(base)
    )
  })

  /**
   * A GET below the base URL. `retrievedAt`: when the body was complete, by our clock. `observedAt`: when the source answered; a copy from
   * a cache has the time of the original. Adapters replace it if the body has a time.
   */
  const get = <S extends WireFormat.Wire>(
    path: string,
    schema: S,
    asked: { readonly query?: UrlParams.Input; readonly urgency?: Budget.Urgency | undefined } = {}
  ) => request(HttpClientRequest.get(path, { urlParams: asked.query }), schema, asked.urgency ?? "scheduled")

  const post = <S extends WireFormat.Wire>(path: string, schema: S, json: object) =>
    request(HttpClientRequest.bodyJsonUnsafe(HttpClientRequest.post(path), json), schema, "scheduled")

  /**
   * A GET of an absolute URL, independent of the base URL. Succeeds with any status below 400: the adapter handles 304 and redirects.
   * Header names are in lower case. The bytes are empty unless the status is 2xx.
   */
  const requestBytes = Effect.fn("SourceClient.requestBytes")(function* (
    url: string,
    headers: Readonly<Record<string, string>> = {}
  ) {
    const answer = yield* send(HttpClientRequest.get(url, { headers }), 399, "scheduled")
    return { ...answer, ...(yield* timesOf(answer.headers)) }
  })

  const stamped = <A>(fetch: Fetch<A>, source = name): Fetched<A> =>
    Effect.map(fetch, (reading) => ({ ...reading, source }))

  const checkedIn =
    <A>(matter: string, check: Check<A>) =>
    (snapshot: Snapshot<A>) =>
      checked(snapshot, { id: source.id, check, remark: (text) => remark(matter, text) })

  /**
   * A fetch on behalf of a caller, with a circuit breaker and checked figures. Look-ups that can fail separately have
   * separate circuits. `stamp`: the name in stamps, if it is not the source's own.
   */
  const lookUp = <A>(circuit: string, check: Check<A>, fetch: Fetch<A>, stamp?: string): Fetched<A> =>
    guard(circuit, metrics.answer(Effect.flatMap(stamped(fetch, stamp), checkedIn(circuit, check))))

  /** Makes a data set. `what`: its unique name within the source. With a schema its snapshots are saved across restarts. */
  const dataSet = Effect.fnUntraced(function* <A>(
    what: string,
    { check, every, fetch, lag = 0, schema, source: stamp = name }: DataSetOptions<A>
  ) {
    const key = `${source.id}-${what}`.toLowerCase()
    const read = stamped(fetch, stamp)
    const ascertain =
      check === undefined ? Effect.succeed<Snapshot<A>> : checkedIn(what, check === "later" ? passed : check)
    const set: DataSet.DataSet<A> = yield* DataSet.make({
      key,
      source: stamp,
      every,
      lag,
      isOff: disabled,
      fetch: metrics.answer(Effect.flatMap(read, ascertain)),
      // Nothing is restored for a source that is switched off.
      ...(schema !== undefined &&
        !disabled && {
          keeping: { origin: base, schema, most: maxBytes, check: ascertain }
        })
    })
    return set
  })

  return {
    /** The name in stamps, marked in the sandbox. */
    name,
    /** The base URL; snapshots from another one are not reused. */
    origin: base,
    get,
    post,
    requestBytes,
    lookUp,
    dataSet,
    usable,
    error
  }
})

const passed = <A>(value: A) => ({ value, leftOut: new Map<string, number>() })

/** Failures after which the source's older base URLs are tried. */
const hostFaults: ReadonlySet<string> = new Set(["Unreachable", "TimedOut", "BadStatus", "TooLarge", "Undecodable"])
