// A typed client for a crypto-data-api server, derived from its contract. Calls are type-checked, answers are decoded, and
// problems become typed errors. It needs an `HttpClient`, but no code of the server's layers.
import { type BigDecimal, Context, Duration, Effect, Layer, Redacted, type Schema } from "effect"
import { type HttpClientError, HttpClient, HttpClientRequest, type HttpClientResponse } from "effect/http"
import { type HttpApi, HttpApiClient, type HttpApiEndpoint, type HttpApiGroup } from "effect/http-api"
import { Api } from "../api/Api.ts"
import { withPlainQueries } from "./withPlainQueries.ts"

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
}

type GroupsOf<A> = A extends HttpApi.HttpApi<infer _Id, infer Groups> ? Groups : never

type ParamsOf<E> = HttpApiEndpoint.Params<E>["Type"]

/** The members of a query; decimals may also be numbers. */
type WithNumbers<Q> = { readonly [K in keyof Q]: BigDecimal.BigDecimal extends Q[K] ? Q[K] | number : Q[K] }

/** A caller's query: members with a default are optional, as in the URL. */
type QueryOf<E> = WithNumbers<HttpApiEndpoint.Query<E>["~type.make.in"]>

/** The request. `query` is optional if all of its members are. */
type Asked<E> = ([ParamsOf<E>] extends [never] ? {} : { readonly params: ParamsOf<E> }) &
  ([QueryOf<E>] extends [never]
    ? {}
    : {} extends QueryOf<E>
      ? { readonly query?: QueryOf<E> }
      : { readonly query: QueryOf<E> })

interface Mode<M extends HttpApiEndpoint.ClientResponseMode> {
  readonly responseMode?: M
}

type Method<E> = <M extends HttpApiEndpoint.ClientResponseMode = "decoded-only">(
  ...request: {} extends Asked<E> ? [request?: Asked<E> & Mode<M>] : [request: Asked<E> & Mode<M>]
) => Effect.Effect<
  HttpApiClient.Client.Response<HttpApiClient.SuccessType<HttpApiEndpoint.Success<E>>, M>,
  | HttpApiEndpoint.MiddlewareError<E>
  | HttpClientError.HttpClientError
  | ([M] extends ["response-only"] ? never : HttpApiEndpoint.Error<E>["Type"] | Schema.SchemaError)
>

type EndpointsOf<Groups> = Groups extends { readonly endpoints: infer Endpoints } ? Endpoints[keyof Endpoints] : never

type Methods<Endpoints> = {
  readonly [E in Endpoints as HttpApiEndpoint.Identifier<E>]: Method<E>
}

type TopLevel<Groups> = Extract<Groups, { readonly topLevel: true }>

/** A method for each endpoint, which succeeds with `{ data, meta }` and fails with the endpoint's problems. */
export type Client = Methods<EndpointsOf<TopLevel<GroupsOf<typeof Api>>>> & {
  readonly [G in Exclude<GroupsOf<typeof Api>, TopLevel<GroupsOf<typeof Api>>> as HttpApiGroup.Identifier<G>]: Methods<
    EndpointsOf<G>
  >
}

/** Makes a client. */
export const make = (options: ClientOptions): Effect.Effect<Client, never, HttpClient.HttpClient> => {
  const { baseUrl, key, retries = 3 } = options
  const longestWait = Duration.fromInputUnsafe(options.longestWait ?? Duration.minutes(1))
  const derived = HttpApiClient.make(Api, {
    baseUrl,
    transformClient: (client) => {
      const patient = HttpClient.transformResponse(client, retrying(retries, longestWait))
      if (key === undefined) return patient
      return HttpClient.mapRequest(patient, HttpClientRequest.setHeader("x-api-key", Redacted.value(key)))
    }
  })
  // `Client` differs: the query is optional, and decimals may be numbers.
  return Effect.map(derived, (client) => withPlainQueries(client) as Client)
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
