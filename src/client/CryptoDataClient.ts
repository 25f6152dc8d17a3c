// A typed client of a crypto-data-api server, derived from its contract: calls are checked as they are written, answers are
// decoded, problems come as their classes. It needs an `HttpClient` and nothing of the server.
import { Context, Duration, Effect, Layer, Redacted } from "effect"
import { HttpClient, HttpClientRequest, type HttpClientResponse } from "effect/http"
import { HttpApiClient } from "effect/http-api"
import { Api } from "../api/Api.ts"

/** Which server, and as whom. */
export interface ClientOptions {
  /** Where the server is, such as `https://prices.example.com`. */
  readonly baseUrl: URL | string
  /** The API key. Without one, requests are counted by address. */
  readonly key?: Redacted.Redacted
  /** A 429 is asked again when its `Retry-After` has passed, unless that is longer than this. Default: one minute, a window. */
  readonly longestWait?: Duration.Input
  /** How often a request is asked again at most. Default 3; with 0 a 429 fails at once. */
  readonly retries?: number
}

/** A method for each endpoint. Each answers `{ data, meta }`, and fails with the problems its endpoint declares. */
export type Client = HttpApiClient.ForApi<typeof Api>

/** Makes a client. */
export const make = (options: ClientOptions): Effect.Effect<Client, never, HttpClient.HttpClient> => {
  const { baseUrl, key, retries = 3 } = options
  const longestWait = Duration.fromInputUnsafe(options.longestWait ?? Duration.minutes(1))
  return HttpApiClient.make(Api, {
    baseUrl,
    transformClient: (client) => {
      const patient = HttpClient.transformResponse(client, askingAgain(retries, longestWait))
      if (key === undefined) return patient
      return HttpClient.mapRequest(patient, HttpClientRequest.setHeader("x-api-key", Redacted.value(key)))
    }
  })
}

/** The client as a service. */
export class CryptoDataClient extends Context.Service<CryptoDataClient, Client>()(
  "crypto-data-api/client/CryptoDataClient"
) {
  /** The client of one server. */
  static readonly layer = (options: ClientOptions): Layer.Layer<CryptoDataClient, never, HttpClient.HttpClient> =>
    Layer.effect(CryptoDataClient, make(options))
}

type Asking<E, R> = Effect.Effect<HttpClientResponse.HttpClientResponse, E, R>

/** Asks again after a 429, as soon as the server says and as often as allowed; what is answered then is the answer. */
const askingAgain =
  (retries: number, longestWait: Duration.Duration) =>
  <E, R>(ask: Asking<E, R>): Asking<E, R> =>
    Effect.flatMap(ask, (response) => {
      const wait = response.status === 429 && retries > 0 ? waitOf(response) : undefined
      return wait === undefined || Duration.isGreaterThan(wait, longestWait)
        ? Effect.succeed(response)
        : Effect.delay(askingAgain(retries - 1, longestWait)(ask), wait)
    })

/** `Retry-After` in seconds, as the server writes it; `undefined` where there is none or something else. */
const waitOf = ({ headers }: HttpClientResponse.HttpClientResponse): Duration.Duration | undefined => {
  const text = headers["retry-after"] ?? ""
  return /^\d{1,9}$/.test(text) ? Duration.seconds(Number(text)) : undefined
}
