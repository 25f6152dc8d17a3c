// What every endpoint takes, and what it may answer whatever it is asked. Done by the gate around everything, declared here so
// that the document and typed clients know of it.
import { HttpApiMiddleware } from "effect/http-api"
import { Internal, InvalidApiKey, MethodNotAllowed, RateLimited, SourceUnavailable } from "./Problems.ts"

/** An optional key in `x-api-key`, and the quota that comes with it or without. A key that cannot be checked now is a 503. */
export class Access extends HttpApiMiddleware.Service<Access>()("crypto-data-api/api/Access", {
  error: [InvalidApiKey, MethodNotAllowed, RateLimited, Internal, SourceUnavailable]
}) {}

/** How the document tells of the key. */
export const apiKey = {
  type: "apiKey",
  name: "x-api-key",
  in: "header",
  description: "A key from the operator. Optional: without one a caller is counted by address."
} as const
