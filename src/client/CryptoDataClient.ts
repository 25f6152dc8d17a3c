// A typed client of a crypto-data-api server, derived from its contract: calls are type-checked, answers are decoded, and
// problems are errors of their classes. It needs an `HttpClient` and nothing of the server.
import { Context, Duration, Effect, Layer, Redacted } from "effect"
import { HttpClient, HttpClientRequest, type HttpClientResponse } from "effect/http"
import { HttpApiClient } from "effect/http-api"
import { Api } from "../api/Api.ts"

/** The server and the API key. */
export interface ClientOptions {
  /** The server's URL, such as `https://prices.example.com`. */
  readonly baseUrl: URL | string
  /** The API key. Without one, requests are counted by address. */
  readonly key?: Redacted.Redacted
  /** The longest `Retry-After` of a 429 to wait for; a longer one fails at once. Default: one minute, a window. */
  readonly longestWait?: Duration.Input
  /** Retries of a request at most. Default 3; with 0 a 429 fails at once. */
  readonly retries?: number
}

/** A method for each endpoint, which succeeds with `{ data, meta }` and fails with the endpoint's problems. */
export type Client = HttpApiClient.ForApi<typeof Api>

/** Makes a client. */
export const make = (options: ClientOptions): Effect.Effect<Client, never, HttpClient.HttpClient> => {
  const { baseUrl, key, retries = 3 } = options
  const longestWait = Duration.fromInputUnsafe(options.longestWait ?? Duration.minutes(1))
  return HttpApiClient.make(Api, {
    baseUrl,
    transformClient: (client) => {
      const patient = HttpClient.transformResponse(client, retrying(retries, longestWait))
      if (key === undefined) return patient
      return HttpClient.mapRequest(patient, HttpClientRequest.setHeader("x-api-key", Redacted.value(key)))
    }
  })
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

/** Retries after a 429 when its `Retry-After` has passed. */
const retrying =
  (retries: number, longestWait: Duration.Duration) =>
  <E, R>(ask: Asking<E, R>): Asking<E, R> =>
    Effect.flatMap(ask, (response) => {
      const wait = response.status === 429 && retries > 0 ? waitOf(response) : undefined
      return wait === undefined || Duration.isGreaterThan(wait, longestWait)
        ? Effect.succeed(response)
        : Effect.delay(retrying(retries - 1, longestWait)(ask), wait)
    })

/** `Retry-After` in seconds, the only form that the server writes; `undefined` for another or none. */
const waitOf = ({ headers }: HttpClientResponse.HttpClientResponse): Duration.Duration | undefined => {
  const text = headers["retry-after"] ?? ""
  return /^\d{1,9}$/.test(text) ? Duration.seconds(Number(text)) : undefined
}
