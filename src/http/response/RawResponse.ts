// Responses made in one go. Effect's own constructors copy headers two to three times over; this is done for every response,
// and to make an object of a few fields is nearly free.
import { Cookies, type HttpBody, HttpServerResponse } from "effect/http"

class RawResponse {
  readonly status: number
  readonly statusText = undefined
  readonly headers: Readonly<Record<string, string>>
  readonly cookies = Cookies.empty
  readonly body: HttpBody.HttpBody

  constructor(status: number, headers: Readonly<Record<string, string>>, body: HttpBody.HttpBody) {
    this.status = status
    this.headers = headers
    this.body = body
  }
}

// What makes an object a response is its prototype.
Object.setPrototypeOf(RawResponse.prototype, Object.getPrototypeOf(HttpServerResponse.empty()))

/** A response with exactly these headers, names in lower case. */
export const make = (
  status: number,
  headers: Readonly<Record<string, string>>,
  body: HttpBody.HttpBody
): HttpServerResponse.HttpServerResponse => {
  const reply: unknown = new RawResponse(status, headers, body)
  if (HttpServerResponse.isHttpServerResponse(reply)) return reply
  throw new Error("Effect tells responses by something else than their prototype now")
}

/** The response with other headers, names in lower case. */
export const withHeaders = (
  response: HttpServerResponse.HttpServerResponse,
  headers: Readonly<Record<string, string>>
): HttpServerResponse.HttpServerResponse =>
  // Only answers of hosts have a status text or cookies; ours are always made anew.
  Cookies.isEmpty(response.cookies) && response.statusText === undefined
    ? make(response.status, headers, response.body)
    : Object.assign(Object.create(Object.getPrototypeOf(response)), response, { headers })
