// What is sent in the end: the answer in the encoding that was asked for, or 304 where the caller has it, or the problem with its
// body; each with the headers that every response carries.
import { Effect } from "effect"
import { HttpBody, type HttpServerRequest, type HttpServerResponse } from "effect/http"
import type { Quota } from "../../access/RateLimiter.ts"
import * as CacheControl from "./CacheControl.ts"
import * as Encodings from "./Encodings.ts"
import { commonHeaders } from "./CommonHeaders.ts"
import type { Identity } from "../gate/Identity.ts"
import * as RequestState from "./RequestState.ts"
import * as ProblemBody from "./ProblemBody.ts"
import * as RawResponse from "./RawResponse.ts"
import { Representation, type Variant } from "./Representation.ts"
import { matches } from "./EntityTag.ts"

/** A request, who made it and where that leaves them. */
export interface Exchange {
  readonly id: string
  readonly identity: Identity
  readonly quota: Quota
  readonly request: HttpServerRequest.HttpServerRequest
}

/** What every response says of its own request: where the caller stands, reset in UTC epoch seconds, and the request's id. */
const ofThis = ({ id, quota }: Exchange) => ({
  "x-ratelimit-limit": String(quota.limit),
  "x-ratelimit-remaining": String(Math.max(0, quota.remaining)),
  "x-ratelimit-reset": String(quota.reset),
  "x-request-id": id
})

/** A body that is ready to be sent, or 304 to whoever has it. */
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

/** Documents are the same bytes each time: who asks for one again finds it encoded. */
const documents = new WeakMap<HttpBody.HttpBody, Representation>()

const documentOf = (body: HttpBody.Uint8Array, headers: Readonly<Record<string, string>>): Representation => {
  const known = documents.get(body)
  if (known !== undefined) return known
  const made = new Representation(body, headers)
  documents.set(body, made)
  return made
}

/** The response of a handler, or of whoever else answered, as it is sent. */
export const finalizeResponse = (
  exchange: Exchange,
  response: HttpServerResponse.HttpServerResponse,
  now: number
): Effect.Effect<HttpServerResponse.HttpServerResponse> => {
  const { identity, request } = exchange
  const notes = RequestState.of(request)
  const encoding = Encodings.chosenFor(request.headers["accept-encoding"])
  if (response.status === 200 && notes?.made !== undefined) {
    const { made } = notes
    return Effect.mapEager(made.representation.prepare(encoding), (variant) =>
      send(exchange, variant, made.cacheControl(identity.hasKey, now))
    )
  }
  const isRead = request.method === "GET" || request.method === "HEAD"
  if (response.status === 200 && isRead && response.body._tag === "Uint8Array") {
    const { "content-length": _length, "content-type": _type, ...own } = response.headers
    const { "cache-control": cacheControl = CacheControl.document(identity.hasKey), ...more } = {
      ...own,
      ...notes?.headers
    }
    return Effect.mapEager(documentOf(response.body, more).prepare(encoding), (variant) =>
      send(exchange, variant, cacheControl)
    )
  }
  const described = ProblemBody.complete(exchange.id, request, response)
  return Effect.succeed(
    RawResponse.withHeaders(described, {
      ...described.headers,
      ...commonHeaders,
      "cache-control": CacheControl.NO_STORE,
      ...notes?.headers,
      ...ofThis(exchange)
    })
  )
}
