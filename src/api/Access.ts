// Authentication and rate limiting of an endpoint: the API key in `x-api-key`, its caller, the caller's quota, and the
// problems of both. `http/gate/Gate.ts` enforces it before routing: requests are counted by key, or by address without one, in
// `access/RateLimiter.ts`. `http/handlers/EndpointMiddleware.ts` provides the caller to the endpoint.
import { HttpApiMiddleware } from "effect/http-api"
import { Caller } from "./Caller.ts"
import { Internal, InvalidApiKey, MethodNotAllowed, RateLimited, SourceUnavailable } from "./Problems.ts"

/**
 * Provides the {@link Caller}. The gate has refused the others: 401 for a key that is not valid, 503 for one that cannot be checked now,
 * 429 over the quota. Every response, refused or not, has the rate headers (`X-RateLimit-Limit`, `-Remaining`, `-Reset`).
 */
export class Access extends HttpApiMiddleware.Service<Access, { provides: Caller }>()("crypto-data-api/api/Access", {
  error: [InvalidApiKey, MethodNotAllowed, RateLimited, Internal, SourceUnavailable]
}) {}

/**
 * The security scheme of the optional key in OpenAPI documents. The gate reads the key. As `security` of the middleware Effect would read it
 * again for every endpoint, which takes as long as the rest of a routed request.
 */
export const apiKey = {
  type: "apiKey",
  name: "x-api-key",
  in: "header",
  description: "An API key from the operator. Optional: without one, requests are counted by address."
} as const

/** Its description where callers without a key are not served. */
export const KEY_NEEDED = "An API key from the operator. Every request for data needs one."
