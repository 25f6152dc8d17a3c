// A response that any platform can send.
import { HttpServerResponse } from "effect/http"
import type { Headers } from "./Headers.ts"

export interface RawResponse {
  readonly status: number
  readonly headers: Headers
  /** `undefined` for a 204 and a 304. */
  readonly content: string | Uint8Array | undefined
}

/** The same for Effect's server. */
export const toResponse = ({ content, headers, status }: RawResponse): HttpServerResponse.HttpServerResponse => {
  if (content === undefined) return HttpServerResponse.empty({ status, headers })
  const options = { status, headers, contentType: headers["content-type"] }
  return typeof content === "string"
    ? HttpServerResponse.text(content, options)
    : HttpServerResponse.uint8Array(content, options)
}
