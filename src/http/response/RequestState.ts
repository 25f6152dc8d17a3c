// What is noted on a request while it is answered, for the gate to heed on the way out: headers that its response is to have, and
// what a good answer was made into. It is written on the request itself, as its id is: nothing is to be looked up.
import { Context, Effect } from "effect"
import { HttpServerRequest } from "effect/http"
import type { CachedResponse } from "./ResponseCache.ts"

const key: unique symbol = Symbol.for("crypto-data-api/http/response/RequestState")

/** The notes on one request. */
export interface RequestState {
  /** By name in lower case. */
  headers?: Record<string, string>
  /** The answer as it can be sent, and what it was made of. */
  made?: CachedResponse
}

interface Noted {
  [key]?: RequestState
}

/** The notes on a request, where there are any. */
export const of = (request: HttpServerRequest.HttpServerRequest & Noted): RequestState | undefined => request[key]

/** Adds to the notes on a request. */
export const add = (request: HttpServerRequest.HttpServerRequest & Noted, notes: RequestState): void => {
  const known = request[key]
  if (known === undefined) request[key] = notes
  else Object.assign(known, notes, { headers: { ...known.headers, ...notes.headers } })
}

/** A header for the response that the request at hand will get, whatever becomes of it. Name in lower case. */
export const withHeader = (
  name: string,
  value: string
): Effect.Effect<void, never, HttpServerRequest.HttpServerRequest> =>
  Effect.withFiber((fiber) => {
    add(Context.getUnsafe(fiber.context, HttpServerRequest.HttpServerRequest), { headers: { [name]: value } })
    return Effect.void
  })
