// A typed client for a crypto-data-api server, derived from its contract. Calls are type-checked, answers are decoded, and
// problems become typed errors. It needs an `HttpClient`, but no code of the server's layers.
import { Cause, Context, Duration, Effect, Layer, Predicate, Record, Redacted } from "effect"
import { FetchHttpClient, HttpClient, HttpClientError, HttpClientRequest, type HttpClientResponse } from "effect/http"
import { HttpApiClient, type HttpApiEndpoint, type HttpApiGroup } from "effect/http-api"
import { Api } from "../api/Api.ts"

/** The server and the API key. */
export interface ClientOptions {
  /** The server's URL, such as `https://prices.example.com`. */
  readonly baseUrl: URL | string
  /** The API key. Without one, the server counts requests by IP address. */
  readonly key?: Redacted.Redacted
  /** The longest `Retry-After` of a 429 to wait for; a longer one fails at once. Default: one minute, the rate limit's window. */
  readonly longestWait?: Duration.Input
  /** The most retries of a request. Default 3; with 0 a 429 fails at once. */
  readonly retries?: number
  /** How long the server may take for an answer, from the request to the end of its body. Default: 30 seconds. */
  readonly timeout?: Duration.Input
}

type WithoutQuery<E> = Omit<E, "~Query"> & { readonly "~Query": never }

/** An endpoint's method. If all members of its query are optional, it may be called without a query. */
type Method<E extends HttpApiEndpoint.ConstraintRequest> = ({} extends E["~Query"]["Type"]
  ? HttpApiClient.Client.Method<WithoutQuery<E>, never, never>
  : unknown) &
  HttpApiClient.Client.Method<E, never, never>

type Methods<Group> = {
  readonly [
    E in Extract<HttpApiGroup.Endpoints<Group>, HttpApiEndpoint.ConstraintRequest> as E["identifier"]
  ]: Method<E>
}

type Groups = (typeof Api)["groups"][keyof (typeof Api)["groups"]]

/** A method for each endpoint, which succeeds with `{ data, meta }` and fails with the endpoint's problems. */
export type Client = Methods<Extract<Groups, { readonly topLevel: true }>> & {
  readonly [G in Extract<Groups, { readonly topLevel: false }> as HttpApiGroup.Identifier<G>]: Methods<G>
}

/** Makes a client. */
export const make = (options: ClientOptions): Effect.Effect<Client, never, HttpClient.HttpClient> => {
  const { baseUrl, key, retries = 3 } = options
  const longestWait = Duration.fromInputUnsafe(options.longestWait ?? Duration.minutes(1))
  const timeout = Duration.fromInputUnsafe(options.timeout ?? Duration.seconds(30))
  const derived = HttpApiClient.make(Api, {
    baseUrl,
    transformClient: (client) => {
      const patient = HttpClient.transform(client, (asked, request) =>
        retrying(retries, longestWait)(within(timeout, request)(withoutRedirects(asked)))
      )
      if (key === undefined) return patient
      return HttpClient.mapRequest(patient, HttpClientRequest.setHeader("x-api-key", Redacted.value(key)))
    }
  })
  return Effect.map(derived, (client) => withOptionalQueries(client) as Client)
}

/** Effect's client fails without a query, even if all of its members are optional. */
const withOptionalQueries = (member: unknown): unknown => {
  if (typeof member === "function") {
    return (request?: object): unknown => Reflect.apply(member, undefined, [{ query: {}, ...request }])
  }
  return Predicate.isObject(member) ? Record.map(member, withOptionalQueries) : member
}

/** The client as a service. */
export class CryptoDataClient extends Context.Service<CryptoDataClient, Client>()(
  "crypto-data-api/client/CryptoDataClient"
) {
  /** A client of one server. */
  static readonly layer = (options: ClientOptions): Layer.Layer<CryptoDataClient, never, HttpClient.HttpClient> =>
    Layer.effect(CryptoDataClient, make(options))
}

type Asking<E, R> = Effect.Effect<HttpClientResponse.HttpClientResponse, E, R>

/** With `fetch` the answer is that of the server itself: a redirect would take the key to another one. */
const withoutRedirects = <E, R>(ask: Asking<E, R>): Asking<E, R> =>
  Effect.updateContext(ask, (context: Context.Context<R>) =>
    Context.add(context, FetchHttpClient.RequestInit, {
      ...Context.getOrUndefined(context, FetchHttpClient.RequestInit),
      redirect: "manual"
    })
  )

/** Fails if the answer is not whole in time. */
const within =
  (timeout: Duration.Duration, request: HttpClientRequest.HttpClientRequest) =>
  <E, R>(ask: Asking<E, R>): Asking<E | HttpClientError.HttpClientError, R> =>
    // Its text is kept, so that it is read once.
    Effect.tap(ask, ({ text }) => text).pipe(
      Effect.timeoutOrElse({
        duration: timeout,
        orElse: () => {
          const description = `no answer in ${Duration.format(timeout)}`
          const cause = new Cause.TimeoutError(description)
          const reason = new HttpClientError.TransportError({ request, cause, description })
          return Effect.fail(new HttpClientError.HttpClientError({ reason }))
        }
      })
    )

/** Retries a 429 after its `Retry-After`. */
const retrying =
  (retries: number, longestWait: Duration.Duration) =>
  <E, R>(ask: Asking<E, R>): Asking<E, R> =>
    Effect.flatMap(ask, (response) => {
      const wait = response.status === 429 && retries > 0 ? waitOf(response) : undefined
      return wait === undefined || Duration.isGreaterThan(wait, longestWait)
        ? Effect.succeed(response)
        : Effect.delay(retrying(retries - 1, longestWait)(ask), wait)
    })

/** `Retry-After` in seconds, the only form that the server writes; `undefined` for other forms or none. */
const waitOf = ({ headers }: HttpClientResponse.HttpClientResponse): Duration.Duration | undefined => {
  const text = headers["retry-after"] ?? ""
  return /^\d{1,9}$/.test(text) ? Duration.seconds(Number(text)) : undefined
}
