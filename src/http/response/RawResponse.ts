// Responses built in one allocation. Effect's constructors copy the headers two to three times, and every response is
// built here.
import { Cookies, type HttpBody, HttpServerResponse } from "effect/http"
import type { CachedResponse } from "./CachedResponse.ts"

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

// `HttpServerResponse.isHttpServerResponse` looks for a member of this prototype.
Object.setPrototypeOf(RawResponse.prototype, Object.getPrototypeOf(HttpServerResponse.empty()))

/** A 200 with the answer it was made of, from which `finalizeResponse` takes the encoding that the caller accepts. */
class AnswerResponse extends RawResponse {
  readonly answer: CachedResponse

  constructor(answer: CachedResponse) {
    const { body, headers } = answer.representation.identity
    super(200, headers, body)
    this.answer = answer
  }
}

const asResponse = (made: unknown): HttpServerResponse.HttpServerResponse => {
  if (HttpServerResponse.isHttpServerResponse(made)) return made
  throw new Error("Effect no longer recognizes a response by its prototype")
}

/** A response with exactly these headers, names in lower case. */
export const make = (
  status: number,
  headers: Readonly<Record<string, string>>,
  body: HttpBody.HttpBody
): HttpServerResponse.HttpServerResponse => asResponse(new RawResponse(status, headers, body))

/** An answer as a response, without encoding. */
export const ofAnswer = (answer: CachedResponse): HttpServerResponse.HttpServerResponse =>
  asResponse(new AnswerResponse(answer))

/** The answer that a response was made of by `ofAnswer`. */
export const answerOf = (response: object): CachedResponse | undefined =>
  response instanceof AnswerResponse ? response.answer : undefined

/** The response with other headers, names in lower case. */
export const withHeaders = (
  response: HttpServerResponse.HttpServerResponse,
  headers: Readonly<Record<string, string>>
): HttpServerResponse.HttpServerResponse =>
  // Only responses of a host's own routes can have a status text or cookies.
  Cookies.isEmpty(response.cookies) && response.statusText === undefined
    ? make(response.status, headers, response.body)
    : Object.assign(Object.create(Object.getPrototypeOf(response)), response, { headers })
