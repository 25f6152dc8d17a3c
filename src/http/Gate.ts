// Around every request, whatever becomes of it: an id, preflights, a problem body where nobody wrote one, and the headers that
// every response carries. Declared problems, unknown paths, refused methods and defects all leave through here.
import { Effect, Random } from "effect"
import { HttpEffect, HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import * as Paths from "./Paths.ts"
import * as ProblemBody from "./ProblemBody.ts"

const exposed = [
  "X-RateLimit-Limit",
  "X-RateLimit-Remaining",
  "X-RateLimit-Reset",
  "ETag",
  "Link",
  "Retry-After",
  "X-Request-Id"
].join(", ")

const everywhere = {
  "access-control-allow-origin": "*",
  "access-control-expose-headers": exposed,
  "x-content-type-options": "nosniff"
}

const preflight = HttpServerResponse.empty({
  status: 204,
  headers: {
    allow: Paths.ALLOWED,
    "access-control-allow-methods": Paths.ALLOWED,
    "access-control-allow-headers": "x-api-key, if-none-match",
    "access-control-max-age": "86400"
  }
})

/** The global middleware. */
export const Gate = HttpRouter.middleware(
  Effect.gen(function* () {
    const start = yield* Random.nextIntBetween(0x10000000, 0xffffffff)
    let count = 0
    const nextId = () => `${start.toString(16)}-${(count++).toString(36)}`

    return (handle) =>
      Effect.gen(function* () {
        const id = nextId()
        yield* HttpEffect.appendPreResponseHandler((request, response) => Effect.succeed(finish(id, request, response)))
        const request = yield* HttpServerRequest.HttpServerRequest
        return request.method === "OPTIONS" ? preflight : yield* handle
      })
  }),
  { global: true }
)

const finish = (
  id: string,
  request: HttpServerRequest.HttpServerRequest,
  response: HttpServerResponse.HttpServerResponse
): HttpServerResponse.HttpServerResponse => {
  const described = ProblemBody.complete(id, request, response)
  return HttpServerResponse.setHeaders(described, {
    ...everywhere,
    "x-request-id": id,
    ...(described.status >= 400 && { "cache-control": "no-store" })
  })
}
