// The API key and the errors of every endpoint. The gate enforces them; they are declared here for the OpenAPI document
// and typed clients.
import { HttpApiMiddleware } from "effect/http-api"
import { Internal, InvalidApiKey, MethodNotAllowed, RateLimited, SourceUnavailable } from "./Problems.ts"

/** The optional key in `x-api-key` and the quota. A key that cannot be checked now is a 503. */
export class Access extends HttpApiMiddleware.Service<Access>()("crypto-data-api/api/Access", {
  error: [InvalidApiKey, MethodNotAllowed, RateLimited, Internal, SourceUnavailable]
}) {}

/** The key's security scheme in OpenAPI. */
export const apiKey = {
  type: "apiKey",
  name: "x-api-key",
  in: "header",
  description: "An API key from the operator. Optional: without one, requests are counted by address."
} as const
