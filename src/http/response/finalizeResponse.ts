// The last step of every response: the variant in the encoding that the caller accepts, or 304 where the caller has it,
// or a problem, each with the headers of all responses.
import { Effect } from "effect"
import { HttpBody, type HttpServerRequest, type HttpServerResponse } from "effect/http"
import type { Quota } from "../../access/RateLimiter.ts"
import { translated } from "../compat/CoinGeckoError.ts"
import * as Paths from "../Paths.ts"
import * as CacheControl from "./CacheControl.ts"
import { commonHeaders } from "./CommonHeaders.ts"
import * as Encodings from "./Encodings.ts"
import { matches } from "./EntityTag.ts"
import * as ProblemBody from "./ProblemBody.ts"
import { rateHeaders } from "./RateHeaders.ts"
import * as RawResponse from "./RawResponse.ts"
import { Representation, type Variant } from "./Representation.ts"

export interface Exchange {
  readonly id: string
  readonly hasKey: boolean
  readonly quota: Quota
  readonly request: HttpServerRequest.HttpServerRequest
}

/** The headers that belong to this request alone. */
const ofThis = ({ id, quota }: Exchange) => ({ ...rateHeaders(quota), "x-request-id": id })

export const send = (
  exchange: Exchange,
  variant: Variant,
  cacheControl: string
): HttpServerResponse.HttpServerResponse => {
  const known = exchange.request.headers["if-none-match"]
  const isKnown = known !== undefined && matches(known, variant.etag)
  const fixed = isKnown ? variant.headersAlone : variant.headers
  const headers = { ...fixed, "cache-control": cacheControl, ...ofThis(exchange) }
  return isKnown ? RawResponse.make(304, headers, HttpBody.empty) : RawResponse.make(200, headers, variant.body)
}

/** Documents keep their body object from request to request, so each is encoded once. */
const documents = new WeakMap<HttpBody.HttpBody, Representation>()

const documentOf = (body: HttpBody.Uint8Array, headers: Readonly<Record<string, string>>): Representation => {
  const representation = documents.get(body) ?? new Representation(body, headers)
  documents.set(body, representation)
  return representation
}

/** The response as it is sent. `now` in epoch milliseconds. */
export const finalizeResponse = (
  exchange: Exchange,
  response: HttpServerResponse.HttpServerResponse,
  now: number
): Effect.Effect<HttpServerResponse.HttpServerResponse> => {
  const { hasKey, id, request } = exchange
  const encoding = Encodings.chosenFor(request.headers["accept-encoding"])
  const answer = RawResponse.answerOf(response)
  if (answer !== undefined) {
    return Effect.mapEager(answer.representation.prepare(encoding), (variant) =>
      send(exchange, variant, answer.cacheControl(hasKey, now))
    )
  }
  const isRead = request.method === "GET" || request.method === "HEAD"
  if (response.status === 200 && isRead && response.body._tag === "Uint8Array") {
    const { "cache-control": cacheControl = CacheControl.document(hasKey), ...headers } = response.headers
    return Effect.mapEager(documentOf(response.body, headers).prepare(encoding), (variant) =>
      send(exchange, variant, cacheControl)
    )
  }
  const problem = ProblemBody.complete(id, request, response)
  const completed = Paths.isCoinGecko(request.url) ? translated(problem) : problem
  return Effect.succeed(
    RawResponse.withHeaders(completed, {
      ...completed.headers,
      ...commonHeaders,
      "cache-control": CacheControl.NO_STORE,
      ...ofThis(exchange)
    })
  )
}
